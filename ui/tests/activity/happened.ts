/** Rows of the log for tests: a call that an approval let through, unless a test says otherwise. */
import { WINDOW } from '../../src/host/fake/callers'
import { NOTHING_MORE } from '../../src/host/fake/nothingMore'
import type { ActivityDetail, ActivityRow } from '../../src/host/types.gen'

export const row = (seq: number, more: Partial<ActivityRow> = {}): ActivityRow => ({
  seq,
  at: seq * 1_000,
  what: 'call',
  caller: WINDOW,
  server: 'files',
  tool: `tool_${seq}`,
  outcome: 'done',
  reason: 'allowed_earlier',
  approver: null,
  duration_ms: 12,
  waited_ms: 0,
  ran_ms: 12,
  ...NOTHING_MORE,
  ...more,
})

export const detail = (
  seq: number,
  more: Partial<ActivityRow> = {},
  rest: Partial<ActivityDetail> = {},
): ActivityDetail => ({
  row: row(seq, more),
  call: `call-${String(seq).padStart(16, '0')}`,
  whole_kept: false,
  arguments: { path: `/home/ada/${seq}` },
  permission: { kind: 'grant', grant: 'grant-1' },
  approver: 'question_window',
  refusal: null,
  error: null,
  records: [`{"seq":${seq}}`],
  ...rest,
})

/** Something that a person decided in the window. */
export const decided = (seq: number, what: string, more: Partial<ActivityRow> = {}): ActivityRow =>
  row(seq, {
    what,
    segment: 'decisions',
    outcome: 'noted',
    reason: null,
    approver: 'window',
    tool: null,
    duration_ms: null,
    waited_ms: null,
    ran_ms: null,
    ...more,
  })

/** The whole of such a row. */
export const decidedInFull = (
  row: ActivityRow,
  rest: Partial<ActivityDetail> = {},
): ActivityDetail => ({
  ...detail(row.seq, row, { call: null, arguments: null, permission: null, approver: null }),
  ...rest,
})
