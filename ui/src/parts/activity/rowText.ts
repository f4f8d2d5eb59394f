/** Rows of the log in words. */
import type { IconName } from '../../kit'
import { duration, m, maybe } from '../../messages'
import { filterOf, filterWords } from '../../messages/callers'
import type { ActivityDetail, ActivityRow, Outcome } from '../../host/types.gen'

/** A person does not answer sooner: shorter waits are the program's own. */
const WORTH_SAYING_MS = 100

type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info'

const MARKS: Record<Outcome, { tone: Tone; icon: IconName }> = {
  running: { tone: 'info', icon: 'clock' },
  done: { tone: 'good', icon: 'check' },
  tool_error: { tone: 'warn', icon: 'warning' },
  failed: { tone: 'bad', icon: 'error' },
  refused: { tone: 'warn', icon: 'off' },
  cancelled: { tone: 'warn', icon: 'stop' },
  interrupted: { tone: 'bad', icon: 'question' },
  noted: { tone: 'neutral', icon: 'info' },
}

export const OUTCOMES = Object.keys(MARKS) as readonly Outcome[]

/** The tone and the drawing of an outcome; its word says the same. */
export function markOf(outcome: Outcome): { tone: Tone; icon: IconName } {
  return MARKS[outcome]
}

/** What the approver of a row has done: only what ran, or was changed, was approved. */
export function approverLabel({ row, permission }: ActivityDetail): string {
  const answered = row.what === 'question_answered' || (row.what === 'call' && permission === null)
  return m(answered ? 'activity.answerer' : 'activity.approver')
}

const PERSON = ['question_window', 'window', 'terminal', 'browser']

/** Whether this is a place that only the person answers from. */
export function isPerson(approver: string | null): boolean {
  return approver !== null && PERSON.includes(approver)
}

/** Why a row ended as it did, or on whose word, in a few words; empty where nothing was decided. */
export function reasonWords({ reason, approver }: ActivityRow): string {
  const asked = reason === null || reason === 'allowed' || reason === 'denied'
  if (asked && approver !== null) return byWords(approver)
  return reason === null ? '' : m(`activity.reason.${reason}`)
}

function byWords(approver: string): string {
  const caller = filterOf(approver)
  if (caller !== null && caller.id !== null) return m('activity.by', { who: filterWords(caller) })
  return maybe('activity.by', approver) ?? m('activity.by', { who: approver.replaceAll('_', ' ') })
}

/** One part of the time that a call took. Of a call of which it was not kept, that is said. */
function partWords(row: ActivityRow, part: number | null): string {
  if (part !== null) return duration(part)
  return row.duration_ms !== null && row.waited_ms === null ? m('activity.time_unknown') : ''
}

/** How long a call ran. What was refused did not run. */
export function ranWords(row: ActivityRow): string {
  return row.outcome === 'refused' ? '' : partWords(row, row.ran_ms)
}

/** How long a call waited for a person; shorter waits were nobody's. */
export function waitedWords(row: ActivityRow): string {
  if (row.waited_ms !== null && row.waited_ms < WORTH_SAYING_MS) return ''
  return partWords(row, row.waited_ms)
}

/** What the one has done on whose word a call ran, or did not. */
export function permissionLabel({ row }: ActivityDetail): string {
  return m(row.outcome === 'refused' ? 'activity.denier' : 'activity.permission')
}

/** On whose word a call ran, or did not; empty where a rule says it. */
export function permissionWords({ row, permission, refusal }: ActivityDetail): string {
  const whose = isPerson(row.approver) ? 'yours' : 'anyones'
  if (refusal?.kind === 'denied_by_person') return m(`activity.permission.denied.${whose}`)
  if (refusal?.kind === 'denied_by_token') return m('activity.permission.denied.anyones')
  if (refusal?.kind === 'denied_earlier') return m('activity.permission.denied_earlier')
  if (permission === null) return ''
  if (permission.kind === 'grant') return m('activity.permission.grant')
  if (permission.kind === 'rules') return m('activity.permission.rules')
  const reach = permission.grant === null ? 'answer' : 'answer_grant'
  return m(`activity.permission.${reach}.${whose}`)
}

/** Who approved, and where: a place of the person, or a caller as `kind:id`. */
export function approverWords(approver: string): string {
  const caller = filterOf(approver)
  if (caller !== null && caller.id !== null) return filterWords(caller)
  return maybe('activity.approver', approver) ?? approver.replaceAll('_', ' ')
}

/** How long a call waited for a person and ran, in one line; waiting that is not worth saying is left out. */
export function timesWords(row: ActivityRow): string {
  const waited = (row.waited_ms ?? 0) < WORTH_SAYING_MS ? '' : duration(row.waited_ms ?? 0)
  if (row.outcome === 'refused' || row.ran_ms === null) {
    if (waited !== '') return m('activity.times.waited', { waited })
    return ranWords(row) === '' ? '' : m('activity.times.unknown')
  }
  const ran = duration(row.ran_ms)
  return waited === ''
    ? m('activity.times.ran', { ran })
    : m('activity.times.both', { waited, ran })
}
