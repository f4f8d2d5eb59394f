/** Promises of a server's sandbox: what it can access, choosing that, and the second yes for what is protected. */
import { cleanup, screen, within } from '@testing-library/svelte'
import { afterEach, expect, test } from 'vitest'
import { fullWorld } from '../../src/host/fake/sample'
import { serverActs } from '../../src/host/fake/serverActs'
import type { SetConfinement } from '../../src/host/types.gen'
import Servers from '../../src/views/Servers.svelte'
import { askedFor, open, page, settle } from '../support'

afterEach(cleanup)

const FILES = '#/servers/files/details'

/** A page of the server of files, whose sandbox is as the gallery shows it under this name, on a host that takes choices. */
async function opened(variant: string | null = null, at = FILES) {
  const world = fullWorld(variant)
  return open(Servers, world, at, serverActs(world))
}

const sandbox = () => within(screen.getByRole('region', { name: 'Sandbox' }))
const button = (name: string | RegExp) => sandbox().getByRole('button', { name })
const row = (path: string): HTMLElement => sandbox().getByText(path).closest('li')!
/** The settings of the last choice. */
const lastChoice = (asked: SetConfinement[]): SetConfinement['settings'] => asked.at(-1)!.settings

test('each file and folder says what the server can do with it, and why', async () => {
  await opened()
  expect(row('/home/ada/Documents').textContent).toMatch(/named in its command.*Read and change/s)
  expect(row('/home/ada/Templates').textContent).toMatch(/you added it.*Read only/s)
  expect(row('/media/usb/photos').textContent).toContain('one of its folders')
  expect(sandbox().getByText(/its own home folder/)).toBeTruthy()
  expect(page()).toContain('On: it has its own files, processes and network.')
})

test('what is protected is said to be not given, on top, and what is hidden last', async () => {
  await opened('protected')
  const [first] = sandbox().getAllByRole('listitem')
  expect(first?.textContent).toMatch(/\/home\/ada.*Not given/s)
  expect(row('/home/ada/Documents/.npmrc').textContent).toContain('Hidden')
})

test('of many paths the first are shown, and the others are one click away', async () => {
  await opened('many')
  expect(sandbox().getByText('57 more').closest('details')!.open).toBe(false)
})

test('a weaker sandbox says what it does not cover, and offers no list of hosts', async () => {
  await opened('landlock')
  expect(page()).toContain('sees their names, sizes and times')
  expect(sandbox().queryByRole('radio', { name: 'Only these hosts' })).toBeNull()
})

test.each([
  ['missing', 'this computer cannot sandbox the server'],
  ['obstacle', 'all of the network, or nothing'],
])('a sandbox that keeps the server from starting says why: %s', async (variant, words) => {
  await opened(variant)
  expect(sandbox().getByRole('alert').textContent).toContain(words)
})

test('turning the sandbox off says what that means first, and the focus is on the way back', async () => {
  const { host, person } = await opened()
  await person.click(sandbox().getByRole('switch'))
  const dialog = within(screen.getByRole('dialog'))
  expect(screen.getByRole('dialog').textContent).toContain('use your passwords and keys')
  await expect.poll(() => document.activeElement?.textContent.trim()).toBe('Cancel')
  await person.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(askedFor(host, 'set_confinement')).toEqual([])
  await person.click(sandbox().getByRole('switch'))
  await person.click(screen.getByRole('button', { name: 'Run without a sandbox' }))
  await settle()
  expect(lastChoice(askedFor(host, 'set_confinement')).confined).toBe(false)
  expect(sandbox().getByRole('switch').getAttribute('aria-checked')).toBe('false')
  expect(sandbox().getByRole('status').textContent).toContain('Off: this server can do whatever')
})

test('a sandbox is turned on with one click, without a question', async () => {
  const { host, person } = await opened('off')
  await person.click(sandbox().getByRole('switch'))
  await settle()
  expect(lastChoice(askedFor(host, 'set_confinement')).confined).toBe(true)
  expect(sandbox().queryByRole('status')).toBeNull()
})

test('a path is typed or picked, to be read or changed, and taken back', async () => {
  const { host, person } = await opened()
  const field = sandbox().getByLabelText('Add a file or folder')
  await person.type(field, '/srv/reports{Enter}')
  await settle()
  host.folder = '/home/ada/Pictures'
  await person.click(button('Choose folder…'))
  await person.selectOptions(sandbox().getByLabelText('Access'), 'change')
  expect(askedFor(host, 'set_confinement').length).toBe(1)
  await person.click(button('Add path'))
  await settle()
  expect(lastChoice(askedFor(host, 'set_confinement')).paths).toEqual([
    { path: '/home/ada/Templates', change: false },
    { path: '/srv/reports', change: false },
    { path: '/home/ada/Pictures', change: true },
  ])
  await person.click(button('Take back /home/ada/Templates'))
  await settle()
  expect(page()).not.toContain('/home/ada/Templates')
  expect((field as HTMLInputElement).value).toBe('')
})

test('only what the person added can be taken back here', async () => {
  await opened()
  expect(sandbox().getAllByRole('button', { name: /^Take back \// }).length).toBe(1)
})

test('something protected is given only after a second yes that names it', async () => {
  const { host, person } = await opened('protected')
  await person.click(button('Give /home/ada/.ssh/config…'))
  expect(askedFor(host, 'set_confinement')).toEqual([])
  await person.click(button('Add path'))
  await settle()
  expect(screen.getByRole('dialog').textContent).toContain('/home/ada/.ssh/config is or holds')
  await expect.poll(() => document.activeElement?.textContent.trim()).toBe('Cancel')
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await settle()
  expect(sandbox().getByRole('alert').textContent).toContain('This is protected')
  await person.click(button('Add path'))
  await settle()
  await person.click(screen.getByRole('button', { name: 'Give it anyway' }))
  await settle()
  const asked = askedFor<SetConfinement>(host, 'set_confinement')
  expect(asked.map(({ accept_protected }) => accept_protected)).toEqual([false, false, true])
  expect(row('/home/ada/.ssh/config').textContent).toContain('Read only')
})

test('hosts are listed one by one and taken back, and what is no host is said to be none', async () => {
  const { host, person } = await opened()
  const field = sandbox().getByLabelText<HTMLInputElement>('Add a host')
  await person.type(field, 'https://example.net/a{Enter}')
  await settle()
  expect(sandbox().getByRole('alert').textContent).toContain(
    '“https://example.net/a” cannot be listed',
  )
  expect(field.value).toBe('https://example.net/a')
  await person.clear(field)
  await person.type(field, 'example.net:8443{Enter}')
  await settle()
  expect(sandbox().queryByRole('alert')).toBeNull()
  await person.click(button('Take back api.example.com'))
  await settle()
  expect(lastChoice(askedFor(host, 'set_confinement')).network).toEqual({
    kind: 'hosts',
    hosts: ['*.example.org:8443', 'example.net:8443'],
  })
})

test('the network is turned off and opened', async () => {
  const { host, person } = await opened()
  await person.click(sandbox().getByRole('radio', { name: 'No network' }))
  await settle()
  expect(sandbox().queryByLabelText('Add a host')).toBeNull()
  await person.click(sandbox().getByRole('radio', { name: 'Any network' }))
  await settle()
  expect(
    askedFor<SetConfinement>(host, 'set_confinement').map(({ settings }) => settings.network),
  ).toEqual([{ kind: 'none' }, { kind: 'open' }])
})

test('a host that was refused says how often it was asked for, and is allowed with one click', async () => {
  const { host, person } = await opened('refused')
  const refused = within(sandbox().getByRole('list', { name: 'Asked for and refused' }))
  expect(refused.getByText('telemetry.vendor.example').closest('li')!.textContent).toContain(
    '41 times',
  )
  await person.click(refused.getAllByRole('button', { name: 'Allow and restart' })[0]!)
  await settle()
  expect(lastChoice(askedFor(host, 'set_confinement')).network).toEqual({
    kind: 'hosts',
    hosts: ['api.example.com', '*.example.org:8443', 'registry.npmjs.org'],
  })
  expect(sandbox().getAllByRole('button', { name: 'Allow and restart' }).length).toBe(1)
})

test('a host that was refused at two ports is shown for each of them', async () => {
  const world = fullWorld()
  const refused = {
    name: 'registry.npmjs.org',
    times: 1,
    because: 'not_listed' as const,
    problem: null,
  }
  world.confinements['files']!.refused = [refused, { ...refused, times: 2 }]
  await open(Servers, world, FILES)
  expect(sandbox().getAllByText('registry.npmjs.org').length).toBe(2)
})

test('a choice that fails stays as it was, and says why', async () => {
  const { host, person } = await opened()
  host.failNext('set_confinement', 'database_locked')
  await person.click(sandbox().getByRole('radio', { name: 'Any network' }))
  await settle()
  expect(sandbox().getByRole('alert').textContent).toContain('The database is locked')
  expect(sandbox().getByRole<HTMLInputElement>('radio', { name: 'Only these hosts' }).checked).toBe(
    true,
  )
})

test('a server with an address has no sandbox to choose', async () => {
  await opened(null, '#/servers/issues-remote/details')
  expect(screen.queryByRole('region', { name: 'Sandbox' })).toBeNull()
})

test('a server without a sandbox is marked in the list and on its page, and no other is', async () => {
  await opened(null, '#/servers')
  const marks = screen.getAllByText('No sandbox')
  expect(marks.map((mark) => mark.closest('[role=row]')!.textContent)).toEqual([
    expect.stringContaining('web'),
  ])
  cleanup()
  await opened(null, '#/servers/web')
  expect(screen.getByText('No sandbox')).toBeTruthy()
})

test('a server that was not started for want of a sandbox leads to its settings', async () => {
  const world = fullWorld('missing')
  const files = world.servers.find(({ id }) => id === 'files')!
  const error = { code: 'not_confined' as const, message: 'files: no sandbox', refusal: null }
  files.state = { kind: 'failed', error, stderr: [] }
  const { person } = await open(Servers, world, '#/servers/files')
  await person.click(screen.getByRole('button', { name: 'Sandbox settings' }))
  await settle()
  expect(location.hash).toBe('#/servers/files/details')
  await expect
    .poll(() => document.activeElement)
    .toBe(screen.getByRole('heading', { name: 'Sandbox' }))
})

test('a protected folder is given to a server only after a second yes', async () => {
  const { host, person } = await opened(null, '#/servers/files/folders')
  await person.type(screen.getByLabelText('Or type a full path'), '/home/ada{Enter}')
  await settle()
  await person.click(screen.getByRole('button', { name: 'Give it anyway' }))
  await settle()
  expect(askedFor(host, 'add_root')).toEqual([
    { server: 'files', path: '/home/ada', accept_protected: false },
    { server: 'files', path: '/home/ada', accept_protected: true },
  ])
  expect(screen.getByRole('button', { name: 'Take back /home/ada' })).toBeTruthy()
})

test('a file that was refused can be given, and a host that is listed cannot be listed again', async () => {
  const { host } = await opened('refused')
  expect(row('/etc/hosts').textContent).toContain('2 times')
  expect(row('mail.example.org:8443').textContent).toContain('could not be reached')
  expect(within(row('mail.example.org:8443')).queryByRole('button', { name: /Allow/ })).toBeNull()
  button('Give /home/ada/Downloads/invoice.pdf…').click()
  await settle()
  button('Add path').click()
  await settle()
  const paths = lastChoice(askedFor(host, 'set_confinement')).paths
  expect(paths).toContainEqual({ path: '/home/ada/Downloads/invoice.pdf', change: false })
})

test('of a server without a sandbox the files that it was refused are said, and where to give folders', async () => {
  const world = fullWorld('off')
  world.confinements['files']!.refused_files = [{ path: '/etc/hosts', times: 1 }]
  await open(Servers, world, FILES)
  expect(row('/etc/hosts').textContent).toContain('1 time')
  expect(sandbox().queryByRole('button', { name: /Give/ })).toBeNull()
})
