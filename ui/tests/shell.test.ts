import { screen, within } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import App from '../src/App.svelte'
import { emptyWorld, fullWorld } from '../src/host/fake/sample'
import { language } from '../src/messages'
import { INTACT, answered } from './ours'
import { running, server } from './replies'
import { askedFor, open, page, settle, stores } from './support'

test('the first day leads from the review to a filled-in call of a built-in server', async () => {
  const world = emptyWorld()
  const { host, person } = await open(App, world, '', { enable_server: running(world, 'currency') })
  await person.click(screen.getByRole('button', { name: 'Review the first server' }))
  await settle()
  const dialog = screen.getByRole('dialog')
  expect(document.activeElement?.textContent).toContain('Cancel')
  await person.click(within(dialog).getByRole('button', { name: 'Switch on' }))
  await settle()
  expect(askedFor(host, 'enable_server')).toEqual([
    { server: 'currency', reviewed: world.launches['currency']?.fingerprint },
  ])
  expect(stores.router.route).toMatchObject({
    view: 'tools',
    path: ['currency', 'get_exchange_rate'],
    arguments: { base: 'USD', target: 'EUR' },
  })
})

test('a cancelled review runs nothing', async () => {
  const { host, person } = await open(App, emptyWorld())
  await person.click(screen.getByRole('button', { name: 'Review the first server' }))
  await settle()
  await person.keyboard('{Enter}')
  await settle()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(askedFor(host, 'enable_server')).toEqual([])
})

test('questions that wait are counted, and this window does not answer them', async () => {
  await open(App, fullWorld(), '#/servers')
  expect(page()).toContain('6 questions are waiting.')
  expect(page()).toContain('Answer in the question’s own window')
})

test('the banner leads to the questions that wait, except from there', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  await person.click(screen.getByRole('link', { name: 'Show' }))
  await settle()
  expect(screen.getByRole('heading', { name: 'Waiting questions' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Show' })).toBeNull()
})

test('without a window the first steps say that the terminal asks', async () => {
  const world = emptyWorld()
  world.info.approver = 'terminal'
  await open(App, world)
  expect(page()).toContain('The terminal asks you.')
  expect(page()).not.toContain('window asks you')
})

test('without a window the banner says that the terminal answers', async () => {
  const world = fullWorld()
  world.info.approver = 'terminal'
  await open(App, world, '#/servers')
  expect(page()).toContain('Answer in the terminal')
})

test('arrow keys go from room to room', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  const links = within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link')
  links[0]!.focus()
  await person.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(links[1])
  await person.keyboard('{End}')
  expect(document.activeElement).toBe(links.at(-1))
})

test('the window is called after what is open in it', async () => {
  await open(App, fullWorld(), '#/servers')
  const called = (name: string): void => {
    expect(document.title).toBe(`${name} · Majordomo`)
    expect(screen.getByRole('main', { name })).toBeTruthy()
  }
  const at = async (address: string): Promise<void> => {
    stores.router.go(address)
    await settle()
  }
  called('Servers')
  await at('#/servers/files/details')
  called('files')
  await at('#/servers/currency')
  called('currency')
  await at('#/servers/gone')
  called('Servers')
  await at('#/tools/files/write_file')
  called('write_file')
  await at('#/servers')
  called('Servers')
})

test('a server that is opened from the list, and the list after it, take the focus', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  const main = () => screen.getByRole('main')
  screen.getByRole('row', { name: /^calendar/ }).focus()
  await person.keyboard('{Enter}')
  await settle()
  expect(screen.getByRole('heading', { name: 'calendar' })).toBeTruthy()
  expect(document.activeElement).toBe(main())
  screen.getByRole('link', { name: 'All servers' }).focus()
  await person.keyboard('{Enter}')
  await settle()
  expect(screen.getByRole('heading', { name: 'Servers' })).toBeTruthy()
  expect(document.activeElement).toBe(main())
})

test('the language changes at once', async () => {
  const { person } = await open(App, fullWorld(), '#/settings')
  await person.selectOptions(screen.getByLabelText('Language'), 'zh-CN')
  expect(page()).toContain('服务器')
  expect(document.documentElement.lang).toBe('zh-CN')
  language.choose('system')
})

test('a lost connection is said, and found again', async () => {
  const { host } = await open(App, fullWorld(), '#/servers')
  host.breakStream()
  await settle()
  expect(page()).toContain('Majordomo does not answer.')
})

test('a host that was started again and refuses this page says where to go', async () => {
  const { host } = await open(App, fullWorld(), '#/servers')
  host.failNext('snapshot', 'needs_sign_in')
  host.loseEvents(1)
  host.publish({ kind: 'server_removed', server: 'weather' })
  await settle()
  expect(page()).toContain('Open the new address that the terminal printed.')
  expect(page()).not.toContain('Trying again')
})

test('a server that failed shows why, what it wrote, and the next step', async () => {
  const world = fullWorld()
  const { host, person } = await open(App, world, '#/servers/git-history', {
    restart_server: running(world, 'git-history'),
  })
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toContain('Stopped while starting')
  expect(alert.textContent).toContain('ModuleNotFoundError')
  await person.click(within(alert).getByRole('button', { name: 'Start again' }))
  await settle()
  expect(askedFor(host, 'restart_server')).toEqual([{ server: 'git-history' }])
})

test('a folder is picked, typed and taken back; one that is gone says so', async () => {
  const world = fullWorld()
  const [documents, photos] = server(world, 'files').roots
  const pictures = { path: '/home/ada/Pictures', uri: 'file:///home/ada/Pictures', present: true }
  const { host, person } = await open(App, world, '#/servers/files/folders', {
    add_root: server(world, 'files', { roots: [documents!, photos!, pictures] }),
    remove_root: server(world, 'files', { roots: [documents!, pictures] }),
  })
  expect(page()).toContain('Not there any more')
  host.folder = '/home/ada/Pictures'
  await person.click(screen.getByRole('button', { name: 'Choose folder…' }))
  await settle()
  host.failNext('add_root', 'bad_path')
  await person.type(screen.getByLabelText('Or type a full path'), 'relative{Enter}')
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('This is not a folder')
  await person.click(screen.getByRole('button', { name: 'Take back /media/usb/photos' }))
  await settle()
  expect(askedFor(host, 'add_root')).toEqual([
    { server: 'files', path: '/home/ada/Pictures', accept_protected: false },
    { server: 'files', path: 'relative', accept_protected: false },
  ])
  expect(askedFor(host, 'remove_root')).toEqual([{ server: 'files', path: '/media/usb/photos' }])
  expect(page()).toContain('/home/ada/Pictures')
  expect(page()).not.toContain('/media/usb/photos')
})

test('what a server writes appears as it comes', async () => {
  const { host } = await open(App, fullWorld(), '#/servers/files/output')
  expect(page()).toContain('running on stdio')
  host.publish({ kind: 'server_wrote', server: 'files', lines: ['a new line'] })
  await settle()
  expect(page()).toContain('a new line')
})

test('an approval is taken back with one click', async () => {
  const world = fullWorld()
  const { host, person } = await open(App, world, '#/approvals', {
    revoke_grant: ({ grant }) => {
      const [taken] = world.grants.splice(
        world.grants.findIndex(({ id }) => id === grant),
        1,
      )
      return taken!
    },
  })
  await person.click(screen.getAllByRole('button', { name: 'Take back' })[0]!)
  await settle()
  expect(askedFor(host, 'revoke_grant')).toEqual([{ grant: 'grant-0000000000000003' }])
  expect(screen.getAllByRole('button', { name: 'Take back' })).toHaveLength(6)
})

test('the log is verified on request, and a change is named', async () => {
  const { person } = await open(App, fullWorld(), '#/settings', { verify_log: INTACT })
  await person.click(screen.getByRole('button', { name: 'Verify the log' }))
  await settle()
  expect(page()).toContain('The log is intact')
})

test('a first call is allowed in four clicks and found in the log with one more', async () => {
  const world = emptyWorld()
  const { person } = await open(App, world, '', {
    enable_server: running(world, 'currency'),
    call_tool: answered({ content: [{ kind: 'text', text: '1 USD = 0.92 EUR' }] }),
  })
  await person.click(screen.getByRole('button', { name: 'Review the first server' }))
  await settle()
  await person.click(screen.getByRole('button', { name: 'Switch on' }))
  await settle()
  await person.click(await screen.findByRole('button', { name: 'Run get_exchange_rate' }))
  await screen.findByText(/1 USD = 0.92 EUR/)
  await person.click(await screen.findByRole('link', { name: 'See it in the log' }))
  await settle()
  expect(stores.router.route.view).toBe('activity')
})

test('the system is told in the language of the window how to tell of questions, and that nobody wants it', async () => {
  const { host, person } = await open(App, fullWorld(), '#/settings')
  expect(host.notices).toMatchObject({
    on: true,
    one: '1 question waits for you',
    many: '{count} questions wait for you',
  })
  language.choose('zh-CN')
  await settle()
  expect(host.notices?.many).toBe('有 {count} 个问题等待您回答')
  language.choose('en')
  await settle()
  const choice = () => screen.getByRole('switch', { name: 'Notify me when approval is needed' })
  await person.click(choice())
  await settle()
  expect(choice().getAttribute('aria-checked')).toBe('false')
  expect(host.notices?.on).toBe(false)
  await person.click(choice())
  await settle()
  expect(host.notices?.on).toBe(true)
})

test('where there is a tray, a person can have Majordomo go on in it when the window is closed', async () => {
  const { host, person } = await open(App, fullWorld(), '#/settings')
  await settle()
  expect(host.notices?.keep).toBe(false)
  await person.click(screen.getByRole('switch', { name: /Keep running in the tray/ }))
  await settle()
  expect(host.notices?.keep).toBe(true)
  await person.click(screen.getByRole('switch', { name: /Keep running in the tray/ }))
  await settle()
  expect(host.notices?.keep).toBe(false)
})
