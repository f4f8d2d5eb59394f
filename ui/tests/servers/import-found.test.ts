import { screen, within } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import App from '../../src/App.svelte'
import { hostError } from '../../src/host/error'
import type { Replies } from '../../src/host/fake'
import { reviewOf } from '../../src/host/fake/launch'
import { emptyWorld } from '../../src/host/fake/sample'
import { importOf, manyConfigurations } from '../../src/host/fake/sampleImport'
import { serverActs } from '../../src/host/fake/serverActs'
import type { World } from '../../src/host/fake/world'
import type { ImportServers } from '../../src/host/types.gen'
import { failing } from '../replies'
import { askedFor, open, page, settle } from '../support'

/** The first day, on a computer where other applications keep nine servers. */
function firstDay(): World {
  return { ...emptyWorld(), configurations: manyConfigurations() }
}

async function welcome(replies: Replies = {}) {
  const world = firstDay()
  const opened = await open(App, world, '', { ...serverActs(world), ...replies })
  let clicks = 0
  const click = async (role: string, name: string | RegExp): Promise<void> => {
    clicks += 1
    await opened.person.click(screen.getByRole(role, { name }))
    await settle()
  }
  return { ...opened, world, click, clicks: () => clicks }
}

const box = (name: string): HTMLInputElement => screen.getByRole('checkbox', { name })

test('nine servers of three applications are on after at most twelve clicks, each with the review that was shown', async () => {
  const { click, clicks, host, world } = await welcome()
  expect(page()).toContain('10 servers in Claude Desktop, Cursor, and VS Code')
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  expect(askedFor(host, 'enable_server')).toEqual([])
  for (const name of ['search', 'shell']) {
    await click('button', `What ${name} runs`)
    await click('checkbox', `Switch on ${name}`)
  }
  await click('button', 'Switch on 9 servers')
  expect(clicks()).toBeLessThanOrEqual(12)
  const asked = askedFor<{ server: string; reviewed: string }>(host, 'enable_server')
  expect(asked.length).toBe(9)
  for (const { server, reviewed } of asked)
    expect(reviewed).toBe(world.launches[server]!.fingerprint)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(location.hash).toBe('#/servers')
})

test('what can do anything stands first, is not chosen, and can be chosen only after a look', async () => {
  const { click } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  const items = within(screen.getByRole('dialog')).getAllByRole('listitem')
  expect(items[0]!.textContent).toContain('shell')
  expect(items[0]!.textContent).toContain('2 dangers')
  expect(items[1]!.textContent).toContain('search')
  expect(box('Switch on shell')).toMatchObject({ checked: false, disabled: true })
  expect(box('Switch on filesystem')).toMatchObject({ checked: true, disabled: false })
  await click('button', 'What shell runs')
  expect(items[0]!.textContent).toContain('more rights than your own')
  expect(box('Switch on shell')).toMatchObject({ checked: false, disabled: false })
})

test('the person chooses which applications to import from', async () => {
  const { click, host } = await welcome()
  await click('button', 'Import…')
  const dialog = screen.getByRole('dialog')
  expect(dialog.textContent).toContain('filesystem, memory, notes, and thinking')
  expect(dialog.textContent).toContain('1 more is the same as in an application above.')
  await click('checkbox', 'Claude Desktop')
  await click('checkbox', 'VS Code')
  await click('button', 'Import 3 servers')
  const asked = askedFor<ImportServers>(host, 'import_servers')
  expect(asked.map(({ from }) => from)).toMatchObject([{ kind: 'found', application: 'cursor' }])
  expect(asked[0]!.choices.map(({ source_name }) => source_name)).toEqual([
    'search',
    'github',
    'filesystem',
  ])
})

test('what is here already is not imported again', async () => {
  const world = firstDay()
  const [filesystem] = importOf({ kind: 'found', application: 'claude_desktop', path: '' }).entries
  world.servers.push({
    ...world.servers[0]!,
    id: 'documents',
    launch: filesystem!.review!.launch,
  })
  const { person } = await open(App, world, '#/welcome', serverActs(world))
  await person.click(screen.getByRole('button', { name: 'Import…' }))
  await settle()
  expect(screen.getByRole('dialog').textContent).toContain('1 more is already in Majordomo.')
  expect(screen.getByRole('button', { name: 'Import 8 servers' })).toBeTruthy()
})

test('a name that was taken by the application before is asked for anew', async () => {
  const { click, host } = await welcome({
    preview_import: ({ from }, { asked }) => {
      const preview = importOf(from)
      const later = asked.some(({ method }) => method === 'import_servers')
      for (const entry of preview.entries) if (later) entry.name = `${entry.source_name}-2`
      return preview
    },
  })
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  const [first, second] = askedFor<ImportServers>(host, 'import_servers')
  expect(first!.choices[0]!.name).toBe('filesystem')
  expect(second!.choices[0]!.name).toBe('search-2')
})

test('an import that stops halfway goes on where it stopped', async () => {
  const { click, host } = await welcome()
  await click('button', 'Import…')
  host.failNext('preview_import', 'import_unreadable')
  await click('button', 'Import 9 servers')
  expect(screen.getByRole('alert')).toBeTruthy()
  await click('button', 'Import 9 servers')
  expect(askedFor(host, 'import_servers').length).toBe(3)
  expect(screen.getByRole('dialog', { name: 'Review 9 servers' })).toBeTruthy()
})

test('a server that does not start says why in its row, and the others are on', async () => {
  const { click, host } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  host.failNext('enable_server', 'exited_at_start')
  await click('button', 'Switch on 7 servers')
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).getByRole('alert').textContent).toContain('Stopped while starting')
  expect(within(dialog).getAllByText('On').length).toBe(6)
  await click('button', 'Done')
  expect(location.hash).toBe('#/servers')
})

test('a server whose review changed meanwhile is read anew before it is chosen', async () => {
  const { click, host, world } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  const { launch } = world.launches['github']!
  host.reply(
    'review_server',
    reviewOf('github', launch, { dangers: 1, warnings: [{ kind: 'inline_code' }] }),
  )
  host.reply('enable_server', failing(hostError('review_needed', 'not as reviewed')))
  await click('button', 'Switch on 7 servers')
  expect(box('Switch on github')).toMatchObject({ checked: false, disabled: true })
})

test('where no application keeps servers, nothing is offered', async () => {
  await open(App, emptyWorld())
  expect(screen.queryByRole('button', { name: 'Import…' })).toBeNull()
})
