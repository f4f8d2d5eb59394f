/** What a host that has these rows would list, and count: for the gallery, which is looked at by filters and charts. */
import { holdsFor } from '../callers'
import type {
  ActivityDetail,
  ActivityFigures,
  ActivityFilter,
  ActivityRow,
  ActivitySegment,
  Outcome,
  SpanFigures,
  TimeFigures,
} from '../types.gen'

const DAY = 86_400_000
const CALLS = ['call', 'request_refused']
const SYSTEM = [
  'host_started',
  'host_stopped',
  'tail_repaired',
  'vouched',
  'program_changed',
  'offer_quarantined',
  'approval_voided',
  'ask_refused',
  'sample_declined',
  'question_asked',
]

/** Which part of the log such a thing belongs to. */
export function segmentOf(what: string): ActivitySegment {
  if (CALLS.includes(what)) return 'calls'
  return SYSTEM.includes(what) || /^(log|policy)_/.test(what) ? 'system' : 'decisions'
}

/** The rows that pass a filter. */
export function filtered(activity: ActivityDetail[], filter: ActivityFilter): ActivityRow[] {
  const words = filter.text?.toLowerCase().split(/\s+/) ?? []
  return activity
    .filter(({ row, records, ...rest }) => {
      const text = () => JSON.stringify([row, records[0], rest]).toLowerCase()
      return (
        (filter.segment === null || row.segment === filter.segment) &&
        (filter.server === null || row.server === filter.server) &&
        (filter.tool === null || row.tool === filter.tool) &&
        (filter.outcome === null || row.outcome === filter.outcome) &&
        holdsFor(filter.caller, row.caller) &&
        (filter.from === null || row.at >= filter.from) &&
        (filter.to === null || row.at < filter.to) &&
        (words.length === 0 || words.every((word) => text().includes(word)))
      )
    })
    .map(({ row }) => row)
}

/** The calls among these rows as numbers. */
export function figuresOf(rows: ActivityRow[]): ActivityFigures {
  const calls = rows.filter(({ what }) => what === 'call')
  const by = <Key>(keyOf: (row: ActivityRow) => Key): [Key, ActivityRow[]][] =>
    [...grouped(calls, keyOf)].sort(([, one], [, other]) => other.length - one.length)
  const servers = by(({ server }) => server ?? '').map(([server, of]) => ({
    server,
    ...counted(of),
    ran: timesOf(of.map(({ ran_ms }) => ran_ms)),
  }))
  const callers = by(({ caller }) => `${caller?.kind}:${caller?.id}`).flatMap(([, of]) =>
    of[0]?.caller ? [{ caller: of[0].caller, ...counted(of) }] : [],
  )
  return {
    unit: 'day',
    spans: spansOf(calls),
    servers: servers.slice(0, 20),
    callers: callers.slice(0, 20),
    outcomes: by(({ outcome }) => outcome).map(([outcome, of]) => ({ outcome, calls: of.length })),
    ran: timesOf(calls.map(({ ran_ms }) => ran_ms)),
    waited: timesOf(calls.map(({ waited_ms }) => waited_ms)),
    calls: calls.length,
  }
}

function grouped<Key>(
  rows: ActivityRow[],
  keyOf: (row: ActivityRow) => Key,
): Map<Key, ActivityRow[]> {
  const groups = new Map<Key, ActivityRow[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}

const ofOutcome = (rows: ActivityRow[], ...outcomes: Outcome[]): number =>
  rows.filter(({ outcome }) => outcomes.includes(outcome)).length

const counted = (rows: ActivityRow[]): { calls: number; failed: number; refused: number } => ({
  calls: rows.length,
  failed: ofOutcome(rows, 'failed', 'tool_error', 'interrupted'),
  refused: ofOutcome(rows, 'refused'),
})

function spansOf(calls: ActivityRow[]): SpanFigures[] {
  const days = calls.map(({ at }) => Math.floor(at / DAY))
  if (days.length === 0) return []
  const first = Math.min(...days)
  return Array.from({ length: Math.min(92, Math.max(...days) - first + 1) }, (_, index) => {
    const from = (first + index) * DAY
    const { calls: all, ...rest } = counted(calls.filter(({ at }) => at >= from && at < from + DAY))
    return { from, to: from + DAY, done: all - rest.failed - rest.refused, ...rest }
  })
}

function timesOf(all: (number | null)[]): TimeFigures | null {
  const known = all.filter((ms) => ms !== null).sort((one, other) => one - other)
  const at = (part: number): number => known[Math.ceil(known.length * part) - 1] ?? 0
  return known.length === 0 ? null : { p50: at(0.5), p95: at(0.95), of: known.length }
}
