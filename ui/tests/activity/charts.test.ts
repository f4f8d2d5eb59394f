/** Promises of the charts: they count what the list shows, filter it, and can be read as tables. */
import { cleanup, screen, within } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { CLAUDE_CODE, TERMINAL } from '../../src/host/fake/callers'
import type { FakeHost } from '../../src/host/fake'
import type { Params } from '../../src/host/host'
import type { ActivityFigures, ListActivity } from '../../src/host/types.gen'
import { duration } from '../../src/messages'
import { NO_CHOICE } from '../../src/parts/activity/choice'
import { isChosen, pointedAt } from '../../src/parts/activity/pointed'
import Activity from '../../src/views/Activity.svelte'
import { connected, leave } from '../ours'
import { askedFor, render, until } from '../support'
import { detail, row } from './happened'

afterEach(() => {
  cleanup()
  leave()
})

const DAY = (day: number): number => new Date(2026, 10, day).getTime()

const FIGURES: ActivityFigures = {
  unit: 'day',
  spans: [
    { from: DAY(19), to: DAY(20), done: 4, failed: 1, refused: 2 },
    { from: DAY(20), to: DAY(21), done: 0, failed: 0, refused: 0 },
    { from: DAY(21), to: DAY(22), done: 3, failed: 0, refused: 0 },
  ],
  servers: [
    { server: 'files', calls: 8, failed: 1, refused: 2, ran: { p50: 20, p95: 900, of: 6 } },
    { server: 'currency', calls: 2, failed: 0, refused: 0, ran: null },
  ],
  callers: [
    { caller: CLAUDE_CODE, calls: 9, failed: 1, refused: 2 },
    { caller: TERMINAL, calls: 1, failed: 0, refused: 0 },
  ],
  outcomes: [
    { outcome: 'done', calls: 7 },
    { outcome: 'refused', calls: 2 },
    { outcome: 'failed', calls: 1 },
  ],
  ran: { p50: 30, p95: 1_200, of: 8 },
  waited: { p50: 9_000, p95: 180_000, of: 3 },
  calls: 10,
}

async function open(
  figures: ActivityFigures = FIGURES,
): Promise<{ host: FakeHost; user: UserEvent }> {
  const host = await connected((world) => (world.activity = [detail(1), detail(2)]), {
    count_activity: figures,
  })
  render(Activity)
  await screen.findByRole('grid')
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Charts' }))
  await screen.findByRole('region', { name: 'Charts' })
  return { host, user }
}

const list = (host: FakeHost) => askedFor<ListActivity>(host, 'list_activity').at(-1)?.filter
const counted = (host: FakeHost) => askedFor<Params<'count_activity'>>(host, 'count_activity')
const bar = (name: RegExp) => screen.findByRole('button', { name })

it('nothing is counted before the charts are opened', async () => {
  const host = await connected((world) => (world.activity = [detail(1)]), {
    count_activity: FIGURES,
  })
  render(Activity)
  await screen.findByRole('grid')
  expect(counted(host)).toEqual([])
})

it('a bar says what it stands for, filters the list and the charts, and once more undoes that', async () => {
  const { host, user } = await open()
  const files = await bar(/^files: 8 calls, 1 failed, 2 denied/)
  await user.click(files)
  await until(() => expect(list(host)).toMatchObject({ segment: 'calls', server: 'files' }))
  await until(() => expect(counted(host).at(-1)?.filter).toMatchObject({ server: 'files' }))
  expect(screen.getByLabelText('Server')).toHaveProperty('value', 'files')
  expect((await bar(/^files: 8/)).getAttribute('aria-pressed')).toBe('true')
  await user.click(await bar(/^files: 8/))
  await until(() => expect(list(host)).toMatchObject({ segment: 'calls', server: null }))
})

it('a day, a caller and an outcome filter as well', async () => {
  const { host, user } = await open()
  await user.click(await bar(/^Nov 19, 2026: 7 calls, 1 failed, 2 denied/))
  await until(() => expect(list(host)).toMatchObject({ from: DAY(19), to: DAY(20) }))
  expect(screen.getByLabelText('When')).toHaveProperty('value', 'exact')
  expect(screen.getByRole('option', { name: 'Nov 19, 2026' })).toBeTruthy()
  await user.click(await bar(/^The application “Claude Code” \(claude-code\): 9/))
  await until(() =>
    expect(list(host)).toMatchObject({ caller: { kind: 'client', id: 'claude-code' } }),
  )
  await user.click(await bar(/^Denied: 2 calls$/))
  await until(() => expect(list(host)).toMatchObject({ outcome: 'refused', from: DAY(19) }))
})

it('days are gone through by arrow keys, from one place that Tab leads to', async () => {
  const { host, user } = await open()
  const days = within(await screen.findByRole('toolbar', { name: 'Calls over time' }))
  const bars = days.getAllByRole('button')
  expect(bars.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1])
  bars[0]?.focus()
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  expect(document.activeElement).toBe(bars[2])
  await user.keyboard('{Home}{Enter}')
  expect(document.activeElement).toBe(bars[0])
  await until(() => expect(list(host)).toMatchObject({ from: DAY(19) }))
})

it('every chart can be read as a table, which filters as well', async () => {
  const { host, user } = await open()
  await screen.findByRole('toolbar')
  await user.click(screen.getByRole('radio', { name: 'Tables' }))
  const names = ['Calls over time', 'Calls by server', 'Calls by who asked', 'How calls ended']
  for (const name of [...names, 'Run and waiting time'])
    expect(await screen.findByRole('table', { name })).toBeTruthy()
  const cells = (name: string, at: number): string[] =>
    [...(screen.getByRole('table', { name }).querySelectorAll('tr')[at]?.children ?? [])].map(
      (cell) => cell.textContent.trim(),
    )
  expect(cells('Calls over time', 0)).toEqual(['When', 'Calls', 'Failed', 'Denied'])
  expect(cells('Calls over time', 1)).toEqual(['Nov 19, 2026', '7', '1', '2'])
  expect(cells('Run and waiting time', 2)).toEqual([
    'Waited for you, all calls',
    duration(9_000),
    duration(180_000),
    '3',
  ])
  await user.click(
    within(screen.getByRole('table', { name: 'Calls by server' })).getByRole('button', {
      name: 'currency',
    }),
  )
  await until(() => expect(list(host)).toMatchObject({ server: 'currency' }))
})

it('how long calls ran and waited is said by its middle and its end', async () => {
  await open()
  expect(
    await screen.findByRole('img', {
      name: `Run time, all calls: half within ${duration(30)}, 95% within ${duration(1_200)}`,
    }),
  ).toBeTruthy()
  expect(await bar(new RegExp(`^files: half within ${duration(20)}`))).toBeTruthy()
})

it('calls are counted whatever part of the log the list shows, and anew when some were made', async () => {
  const { host, user } = await open()
  await user.click(screen.getByRole('radio', { name: 'Decisions' }))
  await until(() => expect(list(host)).toMatchObject({ segment: 'decisions' }))
  await until(() => expect(counted(host)).toHaveLength(2))
  expect(counted(host).at(-1)?.filter).toMatchObject({ segment: 'calls' })
  host.publish({ kind: 'activity_changed', row: row(3) })
  await until(() => expect(counted(host)).toHaveLength(3))
})

it('no calls, and calls that cannot be counted, are said', async () => {
  const none = { ...FIGURES, spans: [], servers: [], callers: [], outcomes: [], calls: 0 }
  const { host, user } = await open({ ...none, ran: null, waited: null })
  expect(await screen.findByText('No calls to show')).toBeTruthy()
  host.failNext('count_activity', 'database_locked')
  await user.selectOptions(screen.getByLabelText('Outcome'), 'done')
  expect((await screen.findByRole('alert')).textContent).toContain('The database is locked')
})

it('pointing at what is chosen undoes that and nothing else', () => {
  const pointed = { segment: 'calls', server: 'files' } as const
  const choice = pointedAt({ ...NO_CHOICE, segment: 'all', text: 'ada' }, pointed)
  expect(choice).toEqual({ ...NO_CHOICE, segment: 'calls', server: 'files', text: 'ada' })
  expect(isChosen(choice, pointed)).toBe(true)
  expect(pointedAt(choice, pointed)).toEqual({ ...NO_CHOICE, text: 'ada' })
  expect(isChosen(choice, null)).toBe(false)
})
