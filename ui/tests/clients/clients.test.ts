/** Promises of the page of other applications: who is here is seen, a token is seen once, and what goes is said before it goes. */
import { screen, within } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import { clientActs } from '../../src/host/fake/clientActs'
import { emptyWorld, fullWorld } from '../../src/host/fake/sample'
import { manyClients } from '../../src/host/fake/sampleClients'
import type { World } from '../../src/host/fake/world'
import type { ClientView } from '../../src/host/types.gen'
import { drawToken, hashOf } from '../../src/state/token'
import { askedFor, open, page, settle, until } from '../support'

const at = (address: string, world: World = fullWorld()) =>
  open(App, world, address, clientActs(world))

const rows = (): string[] =>
  within(screen.getByRole('grid', { name: 'Applications' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent.replace(/\s+/g, ' ').trim())

const client = (world: World, id: string): ClientView =>
  world.clients.clients.find((one) => one.id === id)!

it('the list says who is connected, by what, and what each says that it is', async () => {
  await at('#/clients')
  const [first, second, third, fourth] = rows()
  expect(first).toMatch(/Claude Code.*Says it is claude-code 2\.1\.317.*Connected.*Bridge/)
  expect(second).toMatch(/Cursor.*2 connections.*HTTP/)
  expect(third).toMatch(/Zed.*Not connected.*last seen/)
  expect(fourth).toMatch(/Build server.*Never connected/)
})

it('who comes and goes is seen at once', async () => {
  const world = fullWorld()
  const { host } = await at('#/clients', world)
  client(world, 'zed').connections = [{ by: 'http', since: Date.now(), says: null }]
  host.publish({ kind: 'clients_changed' })
  await until(() => expect(rows()[2]).toMatch(/Zed.*Connected.*HTTP/))
})

it('of a hundred one is found by its name, and opened by keyboard', async () => {
  const world = fullWorld()
  world.clients = manyClients(100)
  const { person } = await at('#/clients', world)
  expect(rows().length).toBeLessThan(60)
  await person.type(screen.getByLabelText('Search applications'), 'application 97')
  expect(rows()).toHaveLength(1)
  await person.tab()
  await person.keyboard('{Enter}')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Application 97')
  expect(document.title).toBe('Application 97 · Majordomo')
  await person.click(screen.getByRole('link', { name: 'All applications' }))
  await person.type(screen.getByLabelText('Search applications'), 'nobody')
  expect(page()).toContain('No application matches.')
})

it('without any it says what they are good for, and an error says itself', async () => {
  const { host } = await at('#/clients', emptyWorld())
  expect(screen.getByText('No applications yet')).toBeTruthy()
  host.failNext('list_clients', 'database_locked')
  host.publish({ kind: 'clients_changed' })
  expect(await screen.findByRole('alert')).toBeTruthy()
})

it('one is added by its name, and what to write into it comes next', async () => {
  const { host, person } = await at('#/clients')
  host.failNext('add_client', 'name_taken')
  await person.click(screen.getByRole('button', { name: 'Add application' }))
  await person.type(screen.getByLabelText(/^Name/), ' Gemini CLI {Enter}')
  expect(await screen.findByText('Another application has this name.')).toBeTruthy()
  await person.type(screen.getByLabelText(/^Name/), '{Enter}')
  expect(askedFor(host, 'add_client')).toEqual([{ name: 'Gemini CLI' }, { name: 'Gemini CLI' }])
  await screen.findByRole('heading', { level: 1, name: 'Gemini CLI' })
  expect(screen.getByRole('region', { name: 'Command' }).textContent).toBe(
    'majordomoctl bridge --client gemini-cli',
  )
  expect(screen.getByRole('region', { name: 'Address' }).textContent).toBe(
    'http://127.0.0.1:41807/mcp',
  )
})

it('the lines to copy are those of one server where one is chosen', async () => {
  const { person } = await at('#/clients/zed/setup')
  await person.selectOptions(screen.getByLabelText('Servers'), 'files')
  expect(screen.getByRole('region', { name: 'Command' }).textContent).toBe(
    'majordomoctl bridge --client zed --server files',
  )
  const entry = screen.getByRole('region', { name: 'Entry in its configuration' }).textContent
  expect(JSON.parse(entry)).toEqual({
    mcpServers: {
      files: { command: 'majordomoctl', args: ['bridge', '--client', 'zed', '--server', 'files'] },
    },
  })
  expect(screen.getByRole('region', { name: 'Address' }).textContent).toMatch(/\/mcp\/files$/)
})

it('a token is shown once; the host is told its hash only', async () => {
  const { host, person } = await at('#/clients/zed/setup')
  await person.click(screen.getByRole('button', { name: 'Create a token…' }))
  await person.click(screen.getByRole('button', { name: 'Create token' }))
  const token = (await screen.findByRole('region', { name: 'Token' })).textContent
  expect(token).toMatch(/^mjd_[0-9a-f]{64}$/)
  expect(screen.getByRole('region', { name: 'Header to send' }).textContent).toBe(
    `Authorization: Bearer ${token}`,
  )
  expect(askedFor(host, 'set_client_token')).toEqual([{ client: 'zed', hash: await hashOf(token) }])
  expect(JSON.stringify(host.asked)).not.toContain(token)
  await person.click(screen.getByRole('button', { name: 'Done' }))
  expect(page()).not.toContain(token)
  expect(document.documentElement.outerHTML).not.toContain(token)
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(token)
})

it('a token that could not be written down is not shown', async () => {
  const { host, person } = await at('#/clients/zed/setup')
  host.failNext('set_client_token', 'log_not_writable')
  await person.click(screen.getByRole('button', { name: 'Create a token…' }))
  await person.click(screen.getByRole('button', { name: 'Create token' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(page()).not.toContain('mjd_')
})

it('tokens are all different, and a hash is that of SHA-256', async () => {
  expect(new Set(Array.from({ length: 100 }, drawToken)).size).toBe(100)
  expect(await hashOf('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

it('replacing and revoking a token say what ends, and the safe choice has the focus', async () => {
  const { host, person } = await at('#/clients/cursor/setup')
  await person.click(screen.getByRole('button', { name: 'Replace the token…' }))
  expect(screen.getByRole('dialog').textContent).toContain('The token in use stops working')
  expect(document.activeElement?.textContent).toContain('Cancel')
  await person.keyboard('{Escape}')
  await person.click(screen.getByRole('button', { name: 'Revoke the token…' }))
  expect(screen.getByRole('dialog').textContent).toContain('Its connections over HTTP end now')
  expect(document.activeElement?.textContent).toContain('Cancel')
  await person.click(screen.getByRole('button', { name: 'Revoke token' }))
  await settle()
  expect(askedFor(host, 'set_client_token')).toEqual([{ client: 'cursor', hash: null }])
  expect(screen.queryByRole('button', { name: 'Revoke the token…' })).toBeNull()
})

it('one is disconnected with one press, and the button goes', async () => {
  const { host, person } = await at('#/clients/claude-code')
  await person.click(screen.getByRole('button', { name: 'Disconnect' }))
  await settle()
  expect(askedFor(host, 'disconnect_client')).toEqual([{ client: 'claude-code' }])
  expect(screen.queryByRole('button', { name: 'Disconnect' })).toBeNull()
})

it('removing one says what goes with it, and leads back to the others', async () => {
  const { host, person } = await at('#/clients/claude-code')
  await person.click(screen.getByRole('button', { name: 'More actions' }))
  await person.click(screen.getByRole('menuitem', { name: 'Remove…' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('Its token stops working.')
  expect(dialog.textContent).toContain('1 approval that it has ends, too.')
  expect(document.activeElement?.textContent).toContain('Cancel')
  await person.click(within(dialog).getByRole('button', { name: 'Remove' }))
  await settle()
  expect(askedFor(host, 'remove_client')).toEqual([{ client: 'claude-code' }])
  expect(rows().join()).not.toContain('Claude Code')
})

it('what it did and what it was denied is its own only, and leads to the log under that filter', async () => {
  const { host, person } = await at('#/clients/claude-code')
  const asked = askedFor<{ filter: { caller: unknown; outcome: unknown } }>(host, 'list_activity')
  const its = { kind: 'client', id: 'claude-code' }
  expect(asked.map(({ filter }) => [filter.caller, filter.outcome])).toEqual([
    [its, null],
    [its, 'refused'],
  ])
  await person.click(screen.getByRole('link', { name: 'All that was denied' }))
  await settle()
  expect(screen.getByLabelText<HTMLSelectElement>('Who asked').value).toBe('client:claude-code')
  expect(screen.getByLabelText<HTMLSelectElement>('Outcome').value).toBe('refused')
  const last = askedFor<{ filter: object }>(host, 'list_activity').at(-1)
  expect(last?.filter).toMatchObject({ caller: its, outcome: 'refused' })
})

it('its approvals are its own only', async () => {
  await at('#/clients/claude-code/approvals')
  expect(await screen.findAllByRole('button', { name: 'Take back' })).toHaveLength(1)
  expect(page()).toContain('fetch')
})

it('what it says of itself is fenced off as its own claim, with what cannot be seen in it', async () => {
  const world = fullWorld()
  client(world, 'zed').connections = [
    { by: 'http', since: Date.now(), says: '<b>Majordomo</b>\u202e' },
  ]
  await at('#/clients/zed', world)
  const connections = screen.getByRole('region', { name: 'Connections' })
  expect(connections.textContent).toContain('<b>Majordomo</b>')
  expect(connections.textContent).toContain('U+202E')
  expect(connections.textContent).toContain('Its own claim')
})

it('one that is not there any more says so', async () => {
  await at('#/clients/nobody')
  expect(screen.getByText('There is no such application')).toBeTruthy()
})
