import { screen, within } from '@testing-library/svelte'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import App from '../src/App.svelte'
import { configWith, fullWorld } from '../src/host/fake/sample'
import type { ImportChoice } from '../src/host/types.gen'
import { askedFor, open, settle } from './support'

async function paste(person: UserEvent, text: string): Promise<HTMLElement> {
  await person.click(screen.getByRole('button', { name: 'Add server' }))
  const dialog = await screen.findByRole('dialog')
  await person.click(within(dialog).getByRole('tab', { name: 'Paste configuration' }))
  const field = within(dialog).getByLabelText('Configuration')
  await person.click(field)
  await person.paste(text)
  await person.click(within(dialog).getByRole('button', { name: 'Preview' }))
  await settle()
  return dialog
}

test('five hundred servers are previewed with few rows drawn, and the broken ones say why', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  const dialog = await paste(person, configWith(500))
  expect(dialog.textContent).toContain('500 servers found.')
  expect(dialog.textContent).toContain('5 cannot be used.')
  expect(within(dialog).getByRole('table').getAttribute('aria-rowcount')).toBe('501')
  expect(within(dialog).getAllByRole('row').length).toBeLessThan(60)
  expect(within(dialog).getByRole('button', { name: 'Keep 495 servers' })).toBeTruthy()
})

test('an entry that cannot be used says why and cannot be ticked', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  const dialog = await paste(person, JSON.stringify({ servers: { good: { command: 'good' }, bad: { note: 'nothing' } } }))
  expect(dialog.textContent).toContain('it has neither a command nor a url')
  expect(within(dialog).getByRole('checkbox', { name: 'Keep bad' })).toHaveProperty('disabled', true)
})

test('only what was ticked is kept, under the name that was typed, and nothing is switched on', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers')
  const dialog = await paste(person, JSON.stringify({ mcpServers: { one: { command: 'one' }, two: { command: 'two' }, three: { command: 'three' } } }))
  await person.click(within(dialog).getByRole('checkbox', { name: 'Keep two' }))
  const name = within(dialog).getByLabelText('Name for three')
  await person.clear(name)
  await person.type(name, 'third')
  await person.click(within(dialog).getByRole('button', { name: 'Keep 2 servers' }))
  await settle()
  const [asked] = askedFor<{ choices: ImportChoice[] }>(host, 'import_servers')
  expect(asked?.choices).toEqual([
    { source_name: 'one', name: 'one' },
    { source_name: 'three', name: 'third' },
  ])
  expect(dialog.textContent).toContain('2 servers kept')
  expect(host.world.servers.filter((server) => ['one', 'third'].includes(server.id)).every((server) => !server.on && !server.reviewed)).toBe(true)
})

test('a text that is no configuration is said to be none', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  const dialog = await paste(person, '{ not json')
  expect(within(dialog).getByRole('alert').textContent).toContain('This is not a configuration')
})
