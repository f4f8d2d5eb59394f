import { screen, within } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import App from '../../src/App.svelte'
import { hostError } from '../../src/host/error'
import { fullWorld } from '../../src/host/fake/sample'
import type { ServerView } from '../../src/host/types.gen'
import { failing, held, running, server } from '../replies'
import { Usage } from '../../src/state/usage.svelte'
import { askedFor, open, page, settle } from '../support'

const row = (name: string): HTMLElement => screen.getByRole('row', { name: new RegExp(`^${name}`) })
const turn = (name: string): HTMLElement => screen.getByRole('switch', { name: `Server ${name}` })

test('a reviewed server is switched on and off in its row, and the list stays', async () => {
  const world = fullWorld()
  const { host, person } = await open(App, world, '#/servers', {
    enable_server: running(world, 'shipping'),
    disable_server: server(world, 'files', { on: false, state: { kind: 'off' } }),
  })
  await person.click(turn('shipping'))
  await settle()
  expect(askedFor(host, 'enable_server')).toEqual([{ server: 'shipping', reviewed: null }])
  expect(turn('shipping').getAttribute('aria-checked')).toBe('true')
  await person.click(turn('files'))
  await settle()
  expect(askedFor(host, 'disable_server')).toEqual([{ server: 'files' }])
  expect(row('files').textContent).toContain('Off')
  expect(location.hash).toBe('#/servers')
})

test('switching on a server that was not reviewed opens its review, and nothing runs before', async () => {
  const world = fullWorld()
  world.servers = world.servers.map((other) =>
    other.id === 'shipping' ? { ...other, reviewed: false } : other,
  )
  const { host, person } = await open(App, world, '#/servers', {
    enable_server: running(world, 'shipping'),
  })
  await person.click(turn('shipping'))
  await settle()
  const dialog = screen.getByRole('dialog', { name: 'Review: shipping' })
  expect(askedFor(host, 'enable_server')).toEqual([])
  await person.click(within(dialog).getByRole('button', { name: 'Switch on' }))
  await settle()
  expect(askedFor(host, 'enable_server')).toEqual([
    { server: 'shipping', reviewed: world.launches['shipping']!.fingerprint },
  ])
  expect(row('shipping').textContent).toContain('Running')
})

test('a server that changed since its review is reviewed anew before it is switched on', async () => {
  const { person } = await open(App, fullWorld(), '#/servers', {
    enable_server: failing(hostError('review_needed', 'shipping was not reviewed')),
  })
  await person.click(turn('shipping'))
  await settle()
  expect(screen.getByRole('dialog', { name: 'Review: shipping' })).toBeTruthy()
})

test('a server in the list is called after its name, what it runs, and its state', async () => {
  await open(App, fullWorld(), '#/servers')
  const names = ['currency Built in Running', 'files .* Running', 'git-history .* Not running']
  for (const name of names)
    expect(screen.getByRole('row', { name: new RegExp(`^${name}$`) })).toBeTruthy()
})

test('a switch that did not work says so by the name of the server', async () => {
  const { person } = await open(App, fullWorld(), '#/servers', {
    disable_server: failing(hostError('disk_full', 'no space left')),
  })
  await person.click(turn('files'))
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('files was not switched')
  expect(turn('files').getAttribute('aria-checked')).toBe('true')
})

test('a server that does not run says why, with the last line it wrote, and marks what is hidden in it', async () => {
  const world = fullWorld()
  const state = world.servers.find(({ id }) => id === 'git-history')!.state
  if (state.kind === 'failed') state.stderr = ['first', 'last\u202eline', '  ']
  await open(App, world, '#/servers')
  const failed = row('git-history').textContent
  expect(failed).toContain('Stopped while starting')
  expect(failed).toContain('U+202E')
  expect(failed).not.toContain('first')
  expect(row('calendar').textContent).toContain('Starts again soon')
})

test('a row opens where it is not its switch', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  await person.click(within(row('files')).getByText('files'))
  expect(location.hash).toBe('#/servers/files')
})

test('many servers are searched by name and by what they run, and a few are not', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  const search = screen.getByRole('searchbox', { name: 'Search servers' })
  await person.type(search, 'python3 ENGINE')
  expect(screen.getAllByRole('row').length).toBe(2)
  expect(row('git-history')).toBeTruthy()
  await person.type(search, ' nothing')
  expect(page()).toContain('No server matches')
  await person.click(screen.getByRole('button', { name: 'Show all servers' }))
  expect(screen.getAllByRole('row').length).toBe(12)
})

test('a few servers have no search field', async () => {
  const world = fullWorld()
  world.servers = world.servers.slice(0, 7) satisfies ServerView[]
  await open(App, world, '#/servers')
  expect(screen.queryByRole('searchbox')).toBeNull()
})

test('a server that runs says for how long, and what its processes use', async () => {
  const world = fullWorld()
  const since = (id: string, ms: number): void => {
    world.servers = world.servers.map((other) =>
      other.id === id ? { ...other, state: { kind: 'ready' }, since: Date.now() - ms } : other,
    )
  }
  since('files', 26 * 3_600_000)
  since('weather', 65_000)
  since('notebook', 2_000)
  await open(App, world, '#/servers', {
    server_usage: () => [
      { server: 'files', processes: 3, memory: 48_200_000, cpu: 250 },
      { server: 'currency', processes: 1, memory: 9_000_000, cpu: null },
    ],
  })
  expect(row('files').textContent).toContain('Running for 1 day')
  expect(row('files').textContent).toContain('48.2 MB · 250% CPU')
  expect(row('currency').textContent).toContain('9 MB')
  expect(row('currency').textContent).not.toContain('CPU')
  expect(row('weather').textContent).toContain('Connected for 1 min')
  expect(row('notebook').textContent).toContain('Just started')
  expect(row('git-history').textContent).not.toContain('for')
  location.hash = '#/servers/files'
  await settle()
  expect(page()).toContain('3 processes')
})

test('what servers use is measured again and again, and only while somebody looks', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    let measured = 0
    const usage = new Usage(async () => {
      measured += 1
      return [] as never
    })
    const leave = usage.watch()
    expect(measured).toBe(1)
    await settle()
    vi.advanceTimersByTime(3_000)
    expect(measured).toBe(2)
    await settle()
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    vi.advanceTimersByTime(9_000)
    hidden.mockRestore()
    leave()
    vi.advanceTimersByTime(9_000)
    expect(measured).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})

test('what cannot be measured is not shown', async () => {
  await open(App, fullWorld(), '#/servers', {
    server_usage: failing(hostError('internal', 'no processes')),
  })
  expect(row('files').textContent).toContain('Running for')
  expect(row('files').textContent).not.toContain('MB')
})

test('a picture that came along with a server is shown, and none is fetched', async () => {
  const world = fullWorld()
  world.servers = world.servers.map((other) =>
    other.id === 'currency'
      ? { ...other, claims: { ...other.claims!, icon: 'https://example.com/icon.png' } }
      : other,
  )
  await open(App, world, '#/servers')
  const picture = row('files').querySelector('img')!
  expect(picture.src.startsWith('data:image/png;base64,')).toBe(true)
  expect(picture.alt).toBe('')
  expect(row('currency').querySelector('img')).toBeNull()
})

test('what was told of a server while an answer was on its way stays', async () => {
  const world = fullWorld()
  const { host, person } = await open(App, world, '#/servers')
  const answer = held<ServerView>()
  host.reply('enable_server', () => answer)
  await person.click(turn('shipping'))
  host.publish({
    kind: 'server_changed',
    server: { ...running(world, 'shipping'), revision: 3 },
  })
  answer.finish(server(world, 'shipping', { on: true, state: { kind: 'starting' }, revision: 2 }))
  await settle()
  expect(row('shipping').textContent).toContain('Running')
})

test('a server that was removed while an answer was on its way stays away', async () => {
  const world = fullWorld()
  const { host, person } = await open(App, world, '#/servers')
  const answer = held<ServerView>()
  host.reply('enable_server', () => answer)
  await person.click(turn('shipping'))
  const told = server(world, 'shipping', { on: true, state: { kind: 'starting' }, revision: 2 })
  host.publish({ kind: 'server_changed', server: told })
  host.publish({ kind: 'server_removed', server: 'shipping' })
  answer.finish(told)
  await settle()
  expect(screen.queryByRole('row', { name: /^shipping/ })).toBeNull()
})
