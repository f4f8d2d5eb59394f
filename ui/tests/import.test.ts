import { screen, within } from '@testing-library/svelte'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import App from '../src/App.svelte'
import { hostError } from '../src/host/error'
import type { Reply } from '../src/host/fake'
import { reviewOf } from '../src/host/fake/launch'
import { emptyWorld, fullWorld } from '../src/host/fake/sample'
import { importEntry } from '../src/host/fake/sampleImport'
import type { ImportChoice, ImportEntry, ImportSource } from '../src/host/types.gen'
import { failing, running, server } from './replies'
import { askedFor, open, settle } from './support'

async function importing(person: UserEvent): Promise<HTMLElement> {
  await person.click(screen.getByRole('button', { name: 'Add server' }))
  const dialog = await screen.findByRole('dialog')
  await person.click(within(dialog).getByRole('tab', { name: 'Import configuration' }))
  await settle()
  return dialog
}

const BROKEN = { review: null, problem: 'it has neither a command nor a url' }
const entries = (...names: string[]): ImportEntry[] =>
  names.map((name, at) => importEntry(at, name))

/** Keeps what was chosen, as a host does. */
const keeps: Reply<'import_servers'> = ({ choices }) => ({
  added: choices.map(({ name }) => ({ ...server(fullWorld(), 'shipping'), id: name, on: false })),
  failed: [],
})

/** Opens the servers on a host that finds these entries in whatever is pasted. */
const finding = (list: ImportEntry[]) =>
  open(App, fullWorld(), '#/servers', {
    preview_import: { format: 'mcpServers', entries: list },
    import_servers: keeps,
  })

async function paste(person: UserEvent, text = '{}'): Promise<HTMLElement> {
  const dialog = await importing(person)
  const field = within(dialog).getByLabelText('Configuration')
  await person.click(field)
  await person.paste(text)
  await person.click(within(dialog).getByRole('button', { name: 'Preview' }))
  await settle()
  return dialog
}

test('five hundred servers are previewed with few rows drawn, and the broken ones say why', async () => {
  const { person } = await finding(
    Array.from({ length: 500 }, (_, at) =>
      importEntry(at, `server-${at + 1}`, at % 100 === 99 ? BROKEN : {}),
    ),
  )
  const dialog = await paste(person)
  expect(dialog.textContent).toContain('500 servers found.')
  expect(dialog.textContent).toContain('5 cannot be used.')
  expect(within(dialog).getByRole('table').getAttribute('aria-rowcount')).toBe('501')
  expect(within(dialog).getAllByRole('row').length).toBeLessThan(60)
  expect(within(dialog).getByRole('button', { name: 'Import 495 servers' })).toBeTruthy()
})

test('an entry that cannot be used says why and cannot be ticked', async () => {
  const { person } = await finding([importEntry(0, 'good'), importEntry(1, 'bad', BROKEN)])
  const dialog = await paste(person)
  expect(dialog.textContent).toContain('it has neither a command nor a url')
  expect(within(dialog).getByRole('checkbox', { name: 'Import bad' })).toHaveProperty(
    'disabled',
    true,
  )
})

test('only what was ticked is kept, under the name that was typed, and nothing is switched on', async () => {
  const { host, person } = await finding(entries('one', 'two', 'three'))
  const dialog = await paste(person, '{"mcpServers": {}}')
  expect(askedFor(host, 'preview_import')).toEqual([
    { from: { kind: 'text', text: '{"mcpServers": {}}' } },
  ])
  await person.click(within(dialog).getByRole('checkbox', { name: 'Import two' }))
  const name = within(dialog).getByLabelText('Name for three')
  await person.clear(name)
  await person.type(name, 'third')
  await person.click(within(dialog).getByRole('button', { name: 'Import 2 servers' }))
  await settle()
  const [asked] = askedFor<{ choices: ImportChoice[] }>(host, 'import_servers')
  expect(asked?.choices).toEqual([
    { place: 0, source_name: 'one', name: 'one' },
    { place: 2, source_name: 'three', name: 'third' },
  ])
  expect(dialog.textContent).toContain('2 servers imported')
  expect(askedFor(host, 'enable_server')).toEqual([])
})

test('a text that is no configuration is said to be none', async () => {
  const { person } = await open(App, fullWorld(), '#/servers', {
    preview_import: failing(hostError('import_unreadable', 'expected a key at line 1')),
  })
  const dialog = await paste(person, '{ not json')
  expect(within(dialog).getByRole('alert').textContent).toContain('This is not a configuration')
})

test('what was found on this computer is listed with its servers, and a click previews and keeps it', async () => {
  const { host, person } = await finding(entries('one', 'two', 'three'))
  const dialog = await importing(person)
  const found = within(dialog).getByRole('region', { name: 'Found on this computer' })
  const rows = within(found)
    .getAllByRole('listitem')
    .map((row) => row.textContent)
  expect(rows.length).toBe(4)
  expect(rows[0]).toContain('Claude Desktop')
  expect(rows[0]).toContain('/home/ada/.config/Claude/claude_desktop_config.json')
  expect(rows[0]).toContain('3 servers')
  await person.click(within(found).getByRole('button', { name: 'Show servers of Claude Desktop' }))
  await settle()
  await person.click(within(dialog).getByRole('button', { name: 'Import 3 servers' }))
  await settle()
  const [asked] = askedFor<{ from: ImportSource; choices: ImportChoice[] }>(host, 'import_servers')
  expect(asked?.from).toEqual({
    kind: 'found',
    application: 'claude_desktop',
    path: '/home/ada/.config/Claude/claude_desktop_config.json',
  })
  expect(dialog.textContent).toContain('3 servers imported')
})

test('a found configuration that cannot be read says why, and one without servers cannot be shown', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  const found = within(await importing(person)).getByRole('region', {
    name: 'Found on this computer',
  })
  expect(found.textContent).toContain('Cannot be read: the configuration is not TOML')
  expect(within(found).queryByRole('button', { name: 'Show servers of Codex' })).toBeNull()
  expect(within(found).getByRole('button', { name: 'Show servers of Zed' })).toHaveProperty(
    'disabled',
    true,
  )
})

test('where nothing was found it is said, and pasting works all the same', async () => {
  const { person } = await open(App, emptyWorld(), '#/servers')
  const dialog = await importing(person)
  expect(dialog.textContent).toContain(
    'No other application on this computer keeps servers where Majordomo looks.',
  )
  expect(within(dialog).getByLabelText('Configuration')).toBeTruthy()
})

test('looking that fails is said, and pasting works all the same', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers')
  host.failNext('find_configurations', 'too_slow')
  const dialog = await importing(person)
  expect(within(dialog).getByRole('alert').textContent).toContain('Took too long')
  expect(within(dialog).getByLabelText('Configuration')).toBeTruthy()
})

test('a choice carries its number in the text', async () => {
  const { host, person } = await finding(entries('one', 'two'))
  const dialog = await paste(person)
  await person.click(within(dialog).getByRole('checkbox', { name: 'Import one' }))
  await person.click(within(dialog).getByRole('button', { name: 'Import 1 server' }))
  await settle()
  expect(
    askedFor<{ choices: ImportChoice[] }>(host, 'import_servers')[0]?.choices.map(
      ({ place }) => place,
    ),
  ).toEqual([1])
})

const bad = importEntry(0, 'bad')
const STANDS_OUT: ImportEntry = {
  ...bad,
  project: '/home/ada/shop',
  review: reviewOf('bad', bad.review!.launch, {
    warnings: [{ kind: 'inline_code' }, { kind: 'looks_secret', name: '--password' }],
    dangers: 1,
  }),
  secrets: ['API_KEY', 'TOKEN'],
  ignored: ['autoApprove'],
  refused: ['LD_PRELOAD', 'PATH'],
}

test('what stands out is counted in the row, and said in sentences when it is opened', async () => {
  const { person } = await finding([STANDS_OUT, importEntry(1, 'good')])
  const dialog = await paste(person)
  const badges = within(dialog).getByRole('button', { name: /^To check in bad:/ })
  expect(badges.textContent).toMatch(/1 danger.*2 removed.*1 warning.*2 secrets.*1 ignored/)
  expect(badges.textContent).toContain('Only in shop')
  expect(within(dialog).queryByText(/carries code in its arguments/)).toBeNull()
  await person.click(badges)
  const said = within(dialog)
    .getAllByRole('listitem')
    .map((item) => item.textContent.trim())
  expect(said[0]).toContain('carries code in its arguments')
  expect(said[1]).toContain('--password looks like a secret')
  expect(said.slice(2)).toEqual([
    'LD_PRELOAD and PATH were removed: they can change which code loads.',
    'The application used this server only in /home/ada/shop.',
    'API_KEY and TOKEN go to the keyring and are never shown.',
    'Majordomo does not use this setting: autoApprove.',
  ])
  expect(badges.getAttribute('aria-expanded')).toBe('true')
  await person.click(badges)
  expect(within(dialog).queryAllByRole('listitem')).toEqual([])
})

test('what stands out is opened by the keyboard, and an entry without anything has nothing to open', async () => {
  const { person } = await finding([importEntry(0, 'good'), { ...STANDS_OUT, place: 1 }])
  const dialog = await paste(person)
  const [badges, ...others] = within(dialog).getAllByRole('button', { name: /^To check in/ })
  expect(others).toEqual([])
  badges!.focus()
  await person.keyboard('{Enter}')
  expect(within(dialog).getAllByRole('listitem').length).toBe(6)
})

test('what was imported is reviewed together', async () => {
  const world = fullWorld()
  const { host, person } = await open(App, world, '#/servers', {
    preview_import: { format: 'mcpServers', entries: entries('one', 'two') },
    import_servers: keeps,
    review_server: ({ server: id }) => reviewOf(id, importEntry(0, id).review!.launch),
    enable_server: ({ server: id }) => ({ ...running(world, 'shipping'), id }),
  })
  const dialog = await paste(person)
  await person.click(within(dialog).getByRole('button', { name: 'Import 2 servers' }))
  await settle()
  await person.click(within(dialog).getByRole('button', { name: 'Review 2 servers' }))
  await settle()
  await person.click(screen.getByRole('checkbox', { name: 'Switch on two' }))
  await person.click(screen.getByRole('button', { name: 'Switch on 1 server' }))
  await settle()
  expect(askedFor<{ server: string }>(host, 'enable_server')).toMatchObject([{ server: 'one' }])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('folders that the arguments of an imported server name are given with the yes, as far as they are left chosen', async () => {
  const world = fullWorld()
  const launch = {
    kind: 'stdio' as const,
    command: 'files',
    args: ['/home/ada/notes', '/home/ada/letters'],
    env: [],
    cwd: null,
  }
  const { host, person } = await open(App, world, '#/servers', {
    preview_import: { format: 'mcpServers', entries: entries('one', 'two') },
    import_servers: keeps,
    review_server: ({ server: id }) =>
      reviewOf(id, id === 'one' ? launch : importEntry(0, id).review!.launch),
    add_root: running(world, 'shipping'),
    enable_server: ({ server: id }) => ({ ...running(world, 'shipping'), id }),
  })
  const dialog = await paste(person)
  await person.click(within(dialog).getByRole('button', { name: 'Import 2 servers' }))
  await settle()
  await person.click(within(dialog).getByRole('button', { name: 'Review 2 servers' }))
  await settle()
  await person.click(screen.getByRole('checkbox', { name: /letters/ }))
  await person.click(screen.getByRole('button', { name: 'Switch on 2 servers' }))
  await settle()
  expect(askedFor(host, 'add_root')).toEqual([
    { server: 'one', path: '/home/ada/notes', accept_protected: false },
  ])
  expect(askedFor(host, 'enable_server')).toHaveLength(2)
})
