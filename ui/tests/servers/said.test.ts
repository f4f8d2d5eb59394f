/** Promises of what a server says by the protocol: its log, and every message. */
import { cleanup, screen, within } from '@testing-library/svelte'
import { afterEach, expect, it, test } from 'vitest'
import { fullWorld } from '../../src/host/fake/sample'
import type { LoggedLine } from '../../src/host/types.gen'
import { joined } from '../../src/parts/logs/lines'
import { laidOut } from '../../src/parts/wireLog/frames'
import Servers from '../../src/views/Servers.svelte'
import Tools from '../../src/views/Tools.svelte'
import { answered } from '../ours'
import { askedFor, open, page, settle, until } from '../support'

const LOG = '#/servers/files/logs'
const EXCHANGE = '#/servers/files/exchange'
const line = (data: unknown, more: Partial<LoggedLine['line']> = {}): LoggedLine => ({
  at: 1,
  line: { level: 'info', logger: null, data, ...more },
})

afterEach(cleanup)

test('log lines come by themselves, and are words only', async () => {
  const world = fullWorld()
  world.offers['files']!.logged.splice(3)
  const { host } = await open(Servers, world, LOG)
  host.publish({
    kind: 'server_logged',
    caller: null,
    server: 'files',
    lines: [line('<img src=x onerror=alert(1)>\u202e')],
  })
  await settle()
  expect(page()).toContain('<img src=x onerror=alert(1)>')
  expect(document.querySelector('img[src=x]')).toBeNull()
  expect(screen.getByRole('img', { name: /U\+202E/ })).toBeTruthy()
})

test('only lines that are grave enough are shown', async () => {
  const { person } = await open(Servers, fullWorld(), LOG)
  await person.selectOptions(screen.getByLabelText('Show'), 'error')
  const table = screen.getByRole('grid', { name: "The server's log" })
  expect(within(table).queryByText('Debug')).toBeNull()
  expect(within(table).getAllByText('Error').length).toBe(8)
})

test('the server is asked to log less, and left to itself again', async () => {
  const { host, person } = await open(Servers, fullWorld(), LOG, {
    set_log_level: ({ server, level }) => ({ server, level, lines: [], dropped: 0 }),
  })
  await person.selectOptions(screen.getByLabelText('The server logs'), 'warning')
  await settle()
  await person.selectOptions(screen.getByLabelText('The server logs'), 'any')
  await settle()
  expect(askedFor(host, 'set_log_level')).toEqual([
    { server: 'files', level: 'warning' },
    { server: 'files', level: null },
  ])
})

test('a line that was chosen is shown whole, JSON laid out', async () => {
  const { person } = await open(Servers, fullWorld(), LOG)
  await person.click(screen.getByText('{"path":"/home/ada/Documents/0.md","tries":0}'))
  await settle()
  expect(screen.getAllByRole('region', { name: 'The whole line' })[0]?.textContent).toContain(
    '"tries": 0',
  )
})

it('a line that was heard and asked for is one line', () => {
  const said = (asked: string[], came: string[]) =>
    joined(
      asked.map((text) => line(text)),
      came.map((text) => line(text)),
      3,
    ).map((one) => [one.number, one.line.data])
  expect(said(['a', 'b'], ['b', 'c'])).toEqual([
    [3, 'a'],
    [4, 'b'],
    [5, 'c'],
  ])
  expect(said([], ['c'])).toEqual([[3, 'c']])
  expect(said(['a'], [])).toEqual([[3, 'a']])
  expect(said(['a'], ['c', 'a'])).toEqual([
    [3, 'a'],
    [4, 'c'],
    [5, 'a'],
  ])
})

test('ten thousand lines draw only those in sight', async () => {
  const world = fullWorld()
  world.offers['files']!.logged = Array.from({ length: 10_000 }, (_, n) => line(`line ${n}`))
  await open(Servers, world, LOG)
  expect(screen.getAllByRole('row').length).toBeLessThan(80)
})

test('messages say which way they went, and are laid out when they are chosen', async () => {
  const { person } = await open(Servers, fullWorld(), EXCHANGE)
  await until(() => expect(page()).toContain('initialize'))
  const table = screen.getByRole('grid', { name: 'Messages, oldest first' })
  expect(within(table).getAllByText('Sent')).toHaveLength(2)
  expect(within(table).getAllByText('Received')).toHaveLength(3)
  await person.click(within(table).getByText('tools/call'))
  await settle()
  expect(page()).toContain('"name": "list_directory"')
})

test('a message that was cut says how long it was, and is not laid out', async () => {
  const { person } = await open(Servers, fullWorld(), EXCHANGE)
  await until(() => expect(page()).toContain('notifications/message'))
  await person.click(screen.getByText('notifications/message'))
  await settle()
  expect(page()).toContain('Only the beginning is kept; the whole had 120 kB.')
})

test('new messages come by themselves, and a busy server is not asked after each of them', async () => {
  const world = fullWorld()
  const { frames } = world.offers['files']!
  const { host } = await open(Servers, world, EXCHANGE)
  await until(() => expect(page()).toContain('initialize'))
  const before = askedFor(host, 'list_exchange').length
  for (let number = 6; number < 16; number += 1) {
    frames.push({ ...frames[2]!, number, method: `ping/${number}` })
    host.publish({ kind: 'exchange_grew', server: 'files' })
  }
  await until(() => expect(page()).toContain('ping/15'))
  expect(askedFor(host, 'list_exchange').length - before).toBeLessThan(5)
})

test('the messages of a call stand beside its result, on demand', async () => {
  const world = fullWorld()
  const frames = world.offers['files']!.frames.slice(2, 4)
  const { host, person } = await open(
    Tools,
    world,
    `#/tools/files/list_directory?arguments=${encodeURIComponent('{"path":"/home"}')}`,
    {
      call_tool: answered({ content: [{ kind: 'text', text: 'Documents' }] }),
      list_exchange: { server: 'files', frames, dropped: 0 },
    },
  )
  await person.click(await screen.findByRole('button', { name: 'Run list_directory' }))
  await screen.findByText('Documents')
  expect(askedFor(host, 'list_exchange')).toEqual([])
  await person.click(screen.getByText('Messages of this call'))
  const table = await screen.findByRole('grid', { name: 'Messages, oldest first' })
  expect(within(table).getAllByRole('row')).toHaveLength(3)
  const [called] = askedFor<{ call: string }>(host, 'call_tool')
  expect(askedFor(host, 'list_exchange')).toEqual([{ server: 'files', call: called?.call }])
})

it('numbers that a double cannot hold are not changed by laying out', () => {
  const frame = {
    number: 1,
    at: 1,
    sent: true,
    method: null,
    id: null,
    call: null,
    bytes: 1,
    cut: false,
  }
  expect(laidOut({ ...frame, text: '{"id":12345678901234567890}' })).toBe(
    '{"id":12345678901234567890}',
  )
  expect(laidOut({ ...frame, text: 'not json' })).toBe('not json')
})
