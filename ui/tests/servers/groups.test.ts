/** Promises of the groups in the list of servers. */
import { cleanup, screen, within } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import App from '../../src/App.svelte'
import { fullWorld } from '../../src/host/fake/sample'
import type { ServerView } from '../../src/host/types.gen'
import { linesOf, type ServerLine } from '../../src/parts/servers/groups'
import { open } from '../support'

const choice = (): HTMLSelectElement => screen.getByRole('combobox', { name: 'Groups of servers' })
const headings = (): string[] =>
  screen.queryAllByRole('rowheader').map(({ textContent }) => textContent)
const named = (lines: ServerLine[]): string[] =>
  lines.map((line) => ('server' in line ? line.server.id : `${line.group} ${line.count}`))

const [first] = fullWorld().servers
const server = (id: string, more: Partial<ServerView>): ServerView => ({
  ...first!,
  id,
  reviewed: true,
  waiting: 0,
  ...more,
})

test('what needs the person comes first, then what does not run, what runs, and what is off', () => {
  const servers = [
    server('off', { state: { kind: 'off' } }),
    server('ready', { state: { kind: 'ready' } }),
    server('new', { state: { kind: 'off' }, reviewed: false }),
    server('idle', { state: { kind: 'idle' } }),
    server('offers', { state: { kind: 'ready' }, waiting: 2 }),
  ]
  expect(named(linesOf(servers, 'state'))).toEqual([
    ...['needs_you 2', 'new', 'offers'],
    ...['running 2', 'ready', 'idle'],
    ...['off 1', 'off'],
  ])
  expect(named(linesOf(servers, 'none'))).toEqual(['off', 'ready', 'new', 'idle', 'offers'])
})

test.each(['state', 'place'] as const)('grouped by %s, each server is there once', (grouping) => {
  const { servers } = fullWorld()
  const lines = linesOf(servers, grouping)
  const there = lines.flatMap((line) => ('server' in line ? [line.server.id] : []))
  expect([...there].sort()).toEqual(servers.map(({ id }) => id).sort())
  const counted = lines.map((line) => ('group' in line ? line.count : 0))
  expect(counted.reduce((sum, count) => sum + count)).toBe(servers.length)
})

test('the list is grouped as the person chooses, and is so again the next time', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  expect(headings()).toEqual([])
  await person.selectOptions(choice(), 'Group by where they run')
  expect(headings().map((words) => words.split(' · ')[0])).toEqual([
    'Built in',
    'On this computer',
    'At an address',
  ])
  expect(headings().every((words) => / · \d+ servers?$/.test(words))).toBe(true)

  cleanup()
  await open(App, fullWorld(), '#/servers')
  expect(choice().value).toBe('place')
  expect(headings()).toHaveLength(3)
})

test('a heading counts those that were found, and takes no focus', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  await person.selectOptions(choice(), 'Group by state')
  await person.type(screen.getByRole('searchbox', { name: 'Search servers' }), 'python3 ENGINE')
  expect(headings()).toEqual(['Not running · 1 server'])

  await person.clear(screen.getByRole('searchbox', { name: 'Search servers' }))
  const rows = within(screen.getByRole('grid', { name: 'Servers' })).getAllByRole('row')
  const reached = rows.filter((row) => row.tabIndex === 0)
  expect(reached).toHaveLength(1)
  expect(within(reached[0]!).queryByRole('rowheader')).toBeNull()
})
