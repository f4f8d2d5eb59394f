/** Promises of the activity view. */
import { TERMINAL } from '../../src/host/fake/callers'
import { cleanup, screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FakeHost, Replies } from '../../src/host/fake'
import type {
  ActivityDetail,
  ActivityRow,
  ExportLog,
  Outcome,
  Refusal,
} from '../../src/host/types.gen'
import ActivityTable from '../../src/parts/activity/ActivityTable.svelte'
import { ago, duration } from '../../src/messages'
import { laidOut } from '../../src/parts/activity/record'
import { changed, merged, NO_FILTER } from '../../src/parts/activity/rows'
import { approverWords } from '../../src/parts/activity/rowText'
import { to } from '../../src/state/router.svelte'
import Activity from '../../src/views/Activity.svelte'
import { INTACT, connected, leave } from '../ours'
import { rows } from '../replies'
import { detail, row } from './happened'
import { askedFor, render, stores, until } from '../support'

afterEach(() => {
  cleanup()
  leave()
})

async function open(
  activity: ActivityDetail[],
  replies: Replies = {},
  segment?: string,
): Promise<{ host: FakeHost; user: ReturnType<typeof userEvent.setup> }> {
  const host = await connected((world) => (world.activity = activity), replies)
  stores.router.go(segment === undefined ? '' : to('activity', [], { segment }))
  render(Activity)
  if (activity.length > 0) await screen.findByRole('grid')
  return { host, user: userEvent.setup() }
}

/** Rows that can be opened: neither the headings of columns nor the days. */
const drawn = () => document.querySelectorAll('[role="row"][aria-selected]').length
const scrollTo = (grid: HTMLElement, row: number) => {
  grid.scrollTop = row * 48
  grid.dispatchEvent(new Event('scroll'))
}
const asked = (host: FakeHost) =>
  host.asked
    .filter(({ method }) => method === 'list_activity')
    .map(({ params }) => params as { before: number | null; filter: unknown })

it('ten thousand rows are fewer than two hundred in the document, wherever one looks', async () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => row(10_000 - at))
  render(ActivityTable, { rows, chosen: null, onopen: vi.fn(), onend: vi.fn() })
  const grid = screen.getByRole('grid')
  expect(grid.getAttribute('aria-rowcount')).toBe('10002')
  for (const at of [0, 5_000, 9_990]) {
    scrollTo(grid, at)
    expect(await screen.findByText(`tool_${10_000 - at - 1}`)).toBeTruthy()
    expect(drawn()).toBeLessThan(200)
  }
})

it('older rows are asked for as they are scrolled to', async () => {
  const { host } = await open(Array.from({ length: 500 }, (_, at) => detail(500 - at)))
  expect(screen.getByText('200 rows loaded')).toBeTruthy()
  expect(asked(host)).toHaveLength(1)
  scrollTo(screen.getByRole('grid'), 190)
  await screen.findByText('400 rows loaded')
  scrollTo(screen.getByRole('grid'), 390)
  await screen.findByText('500 rows loaded')
  scrollTo(screen.getByRole('grid'), 490)
  expect(await screen.findByText('tool_1')).toBeTruthy()
  expect(asked(host).map(({ before }) => before)).toEqual([null, 301, 101])
})

it('filters are asked of the host', async () => {
  const all = [detail(3), detail(2, { outcome: 'refused' }), detail(1, { server: 'currency' })]
  const { host, user } = await open(all, {
    list_activity: ({ filter: { text, outcome } }) => {
      if (text !== null) return text === 'ada/1' ? rows(detail(1)) : rows()
      return outcome === 'refused' ? rows(detail(2)) : rows(...all)
    },
  })
  await user.selectOptions(screen.getByLabelText('Outcome'), 'refused')
  await until(() => expect(drawn()).toBe(1))
  expect(screen.getByText('tool_2')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /clear filters/i }))
  await until(() => expect(drawn()).toBe(3))
  await user.type(screen.getByLabelText('Search'), 'ada/1')
  await until(() => expect(drawn()).toBe(1))
  expect(asked(host).at(-1)?.filter).toEqual({
    ...NO_FILTER,
    segment: 'calls',
    text: 'ada/1',
  })
  await user.type(screen.getByLabelText('Search'), 'nowhere')
  expect(await screen.findByText('Nothing matches')).toBeTruthy()
})

it('the row whose details are closed takes the focus', async () => {
  const { user } = await open([detail(2), detail(1)])
  const row = screen.getByRole('row', { name: /tool_1/ })
  row.focus()
  await user.keyboard('{Enter}')
  screen.getByRole('button', { name: 'Close' }).focus()
  await user.keyboard('{Enter}')
  await until(() => expect(screen.queryByRole('heading', { name: 'Details' })).toBeNull())
  await until(() =>
    expect(document.activeElement).toBe(screen.getByRole('row', { name: /tool_1/ })),
  )
})

it('nothing is added or taken away while words are typed', async () => {
  const { user } = await open([detail(1)])
  const places = () => [...document.querySelectorAll('[role=search] :is(input, select, button)')]
  const before = places()
  expect(screen.getByRole('button', { name: 'Clear filters' })).toHaveProperty('disabled', true)
  await user.type(screen.getByLabelText('Search'), 'ada')
  expect(places()).toEqual(before)
  expect(screen.getByRole('button', { name: 'Clear filters' })).toHaveProperty('disabled', false)
  expect(document.activeElement).toBe(screen.getByLabelText('Search'))
})

it('a link with words leads here again after its words were cleared, and what is typed instead stays', async () => {
  const host = await connected((world) => (world.activity = [detail(1)]))
  const link = to('activity', [], { text: 'tool_1' })
  stores.router.go(link)
  render(Activity)
  const user = userEvent.setup()
  const words = () => screen.getByLabelText<HTMLInputElement>('Search')
  await until(() => expect(words().value).toBe('tool_1'))
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await until(() => expect(stores.router.route.arguments).toBeNull())
  await until(() => expect(asked(host).at(-1)?.filter).toMatchObject({ text: null }))
  stores.router.go(link)
  await until(() => expect(words().value).toBe('tool_1'))
  await until(() => expect(asked(host).at(-1)?.filter).toMatchObject({ text: 'tool_1' }))
  await user.type(words(), '2')
  await until(() => expect(asked(host).at(-1)?.filter).toMatchObject({ text: 'tool_12' }))
  expect(words().value).toBe('tool_12')
  stores.router.go('')
})

it('rows are looked for by time and by who asked', async () => {
  const all = [detail(3, { at: Date.now() }), detail(2, { caller: TERMINAL }), detail(1)]
  const { host, user } = await open(all, {
    list_activity: ({ filter: { caller, from, to } }) => {
      if (caller !== null) return rows()
      if (to !== null) return rows(detail(2))
      return from !== null ? rows(all[0]!) : rows(...all)
    },
  })
  await user.selectOptions(screen.getByLabelText('When'), 'hour')
  await until(() => expect(drawn()).toBe(1))
  expect(screen.getByText('tool_3')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('When'), 'days')
  await user.type(screen.getByLabelText('From'), '2026-01-04')
  await user.type(screen.getByLabelText('To'), '2026-01-05')
  await until(() => expect(screen.queryByText('tool_3')).toBeNull())
  expect(screen.getByText('tool_2')).toBeTruthy()
  expect(asked(host).at(-1)?.filter).toMatchObject({
    from: new Date(2026, 0, 4).getTime(),
    to: new Date(2026, 0, 6).getTime(),
  })
  await user.selectOptions(screen.getByLabelText('Who asked'), 'window')
  expect(await screen.findByText('Nothing matches')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /clear filters/i }))
  await until(() => expect(drawn()).toBe(3))
})

it('what happens now appears by itself', async () => {
  const { host } = await open([detail(1)])
  host.publish({ kind: 'activity_changed', row: row(2, { outcome: 'running' }) })
  expect(await screen.findByText('tool_2')).toBeTruthy()
  host.publish({ kind: 'activity_changed', row: row(2, { outcome: 'interrupted' }) })
  expect(await screen.findByText('Unknown', { selector: '[role=grid] *' })).toBeTruthy()
  expect(drawn()).toBe(2)
})

it('one row in full says what was sent, on whose word, and how it stands in the log', async () => {
  const { user } = await open([
    detail(2),
    detail(
      1,
      { outcome: 'refused' },
      { permission: null, refusal: { kind: 'denied_by_person', reason: 'no' } },
    ),
  ])
  await user.click(screen.getByText('tool_2'))
  const panel = await screen.findByRole('complementary', { name: 'Details' })
  await until(() => expect(panel.textContent).toContain('/home/ada/2'))
  expect(panel.textContent).toContain('An approval you gave earlier')
  expect(panel.textContent).toContain('You, in the question’s own window')
  const raw = within(panel).getByRole('region', { name: 'Records in the log' })
  expect(raw.textContent).toBe('{\n  "seq": 2\n}')
  stores.router.go(to('activity', [1]))
  expect(await screen.findByText('You denied it: no')).toBeTruthy()
})

describe('who said no', () => {
  const refused = (refusal: Refusal, more: Partial<ActivityRow>) =>
    open([detail(1, { outcome: 'refused', ...more }, { permission: null, refusal })])
  const BY_PERSON = { reason: 'denied', approver: 'question_window' } as const
  const panel = () => screen.findByRole('complementary', { name: 'Details' })

  it('is never called an approval: the call was denied by the person, and why is said', async () => {
    const { user } = await refused({ kind: 'denied_by_person', reason: 'not today' }, BY_PERSON)
    expect(screen.getByRole('grid').textContent).toMatch(
      /You denied tool_1 of files\s*Denied\s*by you/,
    )
    await user.click(screen.getByText('tool_1'))
    const words = await until(async () => {
      const text = (await panel()).textContent
      expect(text).toContain('Answered by')
      return text
    })
    expect(words).toContain('You denied tool_1 of files')
    expect(words).toMatch(/Denied by\s*You/)
    expect(words).not.toContain('Authorized by')
    expect(words).toContain('not today')
    expect(words).not.toContain('Approved by')
  })

  it('is not the person where a rule or nobody said it', async () => {
    const { user } = await refused(
      { kind: 'nobody_answered' },
      { reason: 'unanswered', approver: null },
    )
    expect(screen.getByRole('grid').textContent).toMatch(/Denied\s*not answered/)
    await user.click(screen.getByText('tool_1'))
    await until(async () =>
      expect((await panel()).textContent).toContain('Nobody answered the question in time.'),
    )
    expect((await panel()).textContent).not.toMatch(/you denied|denied by|Approved by/i)
  })

  it('is not the person where a program said it in their place', async () => {
    const { user } = await refused(
      { kind: 'denied_by_person', reason: null },
      { reason: 'denied', approver: 'approver_token' },
    )
    expect(screen.getByRole('grid').textContent).toMatch(/Denied\s*by a program/)
    await user.click(screen.getByText('tool_1'))
    await until(async () => expect((await panel()).textContent).toContain('Answered by'))
    expect((await panel()).textContent).not.toContain('You denied tool_1')
    expect((await panel()).textContent).toContain('You were not allowed to run tool_1')
  })

  it.each([
    ['denied', 'You denied tool_1 of files'],
    ['allowed', 'You allowed tool_1 of files'],
    ['unanswered', 'A question about tool_1 of files ended without an answer'],
  ] as const)('is said of a question that ended with %s', async (reason, words) => {
    const row = {
      what: 'question_answered',
      outcome: 'noted',
      segment: 'decisions',
      approver: 'question_window',
      reason,
    } as const
    const { user } = await open([detail(1, row, { permission: null })], {}, 'all')
    expect(screen.getByRole('grid').textContent).toContain(words)
    await user.click(screen.getByText('tool_1'))
    await until(async () => expect((await panel()).textContent).toContain(words))
    expect((await panel()).textContent).toContain('Answered by')
    expect((await panel()).textContent).not.toContain('Approved by')
  })
})

describe('how long a call took', () => {
  const late = { duration_ms: 192_020, waited_ms: 192_000, ran_ms: 20 }
  const earlier = { duration_ms: 46_300, waited_ms: null, ran_ms: null }

  it('is how long it waited and how long it ran, in the list and in the details', async () => {
    const { user } = await open([detail(1, late)])
    const grid = screen.getByRole('grid')
    expect(grid.textContent).toContain(`waited ${duration(192_000)} · ran ${duration(20)}`)
    await user.click(screen.getByText('tool_1'))
    const waited = await screen.findByText('Waited for you')
    expect(waited.nextElementSibling?.textContent).toBe(duration(192_000))
    const all = screen.getByText('Total time')
    expect(all.nextElementSibling?.textContent).toBe(duration(192_020))
  })

  it('is unknown, and not nothing, where its parts were not kept', async () => {
    const { user } = await open([detail(1, earlier)])
    expect(screen.getByRole('grid').textContent).toContain('run time unknown')
    await user.click(screen.getByText('tool_1'))
    const waited = await screen.findByText('Waited for you')
    expect(waited.nextElementSibling?.textContent).toBe('Unknown')
  })

  it('is not said of a call that was refused: it did not run', async () => {
    const { user } = await open([detail(1, { ...earlier, outcome: 'refused' })])
    expect(screen.getByRole('grid').textContent).not.toContain('unknown')
    await user.click(screen.getByText('tool_1'))
    const panel = await screen.findByRole('complementary', { name: 'Details' })
    await vi.waitFor(() => expect(panel.textContent).toContain('Waited for you'))
    expect(panel.textContent).not.toContain('Run time')
  })
})

it('who approved is said as it is known: a place of the person, or a caller by its id', () => {
  expect(approverWords('terminal')).toBe('You, on the terminal')
  expect(approverWords('client:editor-1')).toBe('The application “editor-1”')
  expect(approverWords('client:window')).toBe('The application “window”')
  expect(approverWords('orchestrator:night-7')).toBe(
    'Something of the kind “orchestrator” called “night-7”',
  )
  expect(approverWords('a_new_place')).toBe('a new place')
})

it('an empty log and a log that cannot be read say so', async () => {
  const { host } = await open([])
  expect(await screen.findByText('No calls yet')).toBeTruthy()
  cleanup()
  host.failNext('list_activity', 'database_locked')
  render(Activity)
  expect((await screen.findByRole('alert')).textContent).toContain('The database is locked')
})

describe('the log', () => {
  it('is verified', async () => {
    const { host, user } = await open([detail(1)], { verify_log: INTACT })
    await user.click(screen.getByRole('button', { name: /verify log/i }))
    expect(await screen.findByText('The log is intact')).toBeTruthy()
    host.reply('verify_log', {
      kind: 'broken',
      record: 17,
      file: 'log-0001',
      problem: 'chain broken',
    })
    await user.click(screen.getByRole('button', { name: /verify log/i }))
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Record 17 in log-0001 is the first that does not fit.',
    )
  })

  const EXPORTS: Replies = {
    export_log: ({ format }) => ({
      file_name: `majordomo-log.${format}`,
      text: '',
      records: 1,
      missing: 0,
    }),
  }
  const exported = async (user: ReturnType<typeof userEvent.setup>, name: string) => {
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await user.click(await screen.findByRole('menuitem', { name }))
  }

  it('is exported whole in both formats', async () => {
    const { host, user } = await open([detail(1)], EXPORTS)
    await exported(user, 'The whole log as JSON Lines')
    await screen.findByText(/majordomo-log\.jsonl/)
    await exported(user, 'The whole log as CSV')
    await screen.findByText(/majordomo-log\.csv/)
    expect(host.saved.map((file) => file.fileName)).toEqual([
      'majordomo-log.jsonl',
      'majordomo-log.csv',
    ])
    expect(askedFor<ExportLog>(host, 'export_log').map(({ filter }) => filter)).toEqual([
      null,
      null,
    ])
  })

  it('is exported as it is filtered', async () => {
    const { host, user } = await open([detail(1)], EXPORTS)
    await user.selectOptions(screen.getByLabelText('Outcome'), 'done')
    await until(() => expect(asked(host).at(-1)?.filter).toMatchObject({ outcome: 'done' }))
    await exported(user, 'These rows as CSV')
    await screen.findByText(/majordomo-log\.csv/)
    expect(askedFor<ExportLog>(host, 'export_log')).toEqual([
      { format: 'csv', filter: { ...NO_FILTER, segment: 'calls', outcome: 'done' } },
    ])
  })
})

describe('the rows', () => {
  const seqs = (rows: ActivityRow[]) => rows.map(({ seq }) => seq)
  const having = (...list: number[]) => list.map((seq) => row(seq))

  it('stay in order and single, however pages arrive', () => {
    expect(seqs(merged(having(5, 4), having(3, 2)))).toEqual([5, 4, 3, 2])
    expect(seqs(merged(having(5, 4), having(7, 6)))).toEqual([7, 6, 5, 4])
    expect(seqs(merged(having(7, 5, 3), having(6, 5, 4)))).toEqual([7, 6, 5, 4, 3])
    expect(seqs(merged([], having(2, 1)))).toEqual([2, 1])
  })

  it('take live changes in only where they belong', () => {
    const only = (outcome: Outcome) => ({ ...NO_FILTER, outcome })
    expect(seqs(changed(having(5, 4), row(6), NO_FILTER, false))).toEqual([6, 5, 4])
    expect(seqs(changed(having(5, 4), row(1), NO_FILTER, false))).toEqual([5, 4])
    expect(seqs(changed(having(5, 4), row(1), NO_FILTER, true))).toEqual([5, 4, 1])
    expect(seqs(changed(having(5, 4), row(5, { outcome: 'failed' }), only('done'), true))).toEqual([
      4,
    ])
    expect(seqs(changed(having(5), row(6, { outcome: 'failed' }), only('done'), true))).toEqual([5])
    expect(seqs(changed(having(5), row(6), { ...NO_FILTER, text: 'x' }, true))).toEqual([5])
    expect(
      seqs(changed(having(5), row(6, { at: 100 }), { ...NO_FILTER, from: 101 }, true)),
    ).toEqual([5])
    expect(
      seqs(changed(having(5), row(6, { at: 100 }), { ...NO_FILTER, from: 100, to: 101 }, true)),
    ).toEqual([6, 5])
    expect(seqs(changed(having(5), row(6), { ...NO_FILTER, caller: TERMINAL }, true))).toEqual([5])
    expect(
      changed(having(5), row(5, { outcome: 'failed' }), { ...NO_FILTER, text: 'x' }, true)[0]
        ?.outcome,
    ).toBe('failed')
  })
})

it('what a server was given is said in its row, and a record that cannot be read says nothing', async () => {
  const settings = {
    confined: true,
    paths: [
      { path: '/srv/read', change: false },
      { path: '/srv/changed', change: true },
    ],
    network: { kind: 'none' },
  }
  const of = (seq: number, record: string) =>
    detail(seq, { what: 'confinement_chosen', tool: null }, { arguments: null, records: [record] })
  await open([of(2, JSON.stringify({ seq: 2, settings })), of(1, 'torn')])
  stores.router.go(to('activity', [2]))
  const chosen = () => screen.queryByRole('heading', { name: 'What was chosen' })?.parentElement
  await until(() => expect(chosen()?.textContent).toMatch(/Sandbox\s*On/))
  expect(chosen()?.textContent).toMatch(/Read and change\s*\/srv\/changed/)
  expect(chosen()?.textContent).toMatch(/Read only\s*\/srv\/read/)
  expect(chosen()?.textContent).toMatch(/Connects to\s*Nothing/)
  stores.router.go(to('activity', [1]))
  await until(() => expect(screen.getByText('torn')).toBeTruthy())
  expect(chosen()).toBeUndefined()
  stores.router.go('')
})

it('a record is laid out, unless something of it would be lost', () => {
  expect(laidOut('{"event":"call","n":[1]}')).toBe('{\n  "event": "call",\n  "n": [\n    1\n  ]\n}')
  for (const torn of ['{"event":"ca', '{"n":12345678901234567890}', '{"a":1,"a":2}'])
    expect(laidOut(torn)).toBe(torn)
})

it('times are said as a person would', () => {
  const now = Date.UTC(2026, 0, 2)
  expect([0, 5_000, 120_000, 7_200_000, 172_800_000].map((past) => ago(now - past, now))).toEqual([
    'now',
    '5 seconds ago',
    '2 minutes ago',
    '2 hours ago',
    '2 days ago',
  ])
})
