/** Rows of the log in words. */
import { duration, language, m, maybe } from '../../messages'
import { filterOf, filterWords } from '../../messages/callers'
import type { ActivityDetail, ActivityRow, Outcome, Permission } from '../../host/types.gen'

export const OUTCOMES: readonly Outcome[] = [
  'running',
  'done',
  'tool_error',
  'failed',
  'refused',
  'cancelled',
  'interrupted',
  'noted',
]

/** The tone of an outcome; its word says the same. */
export function toneOf(outcome: Outcome): 'neutral' | 'good' | 'warn' | 'bad' | 'info' {
  switch (outcome) {
    case 'done':
      return 'good'
    case 'running':
      return 'info'
    case 'refused':
    case 'cancelled':
    case 'tool_error':
      return 'warn'
    case 'failed':
    case 'interrupted':
      return 'bad'
    case 'noted':
      return 'neutral'
  }
}

/** What happened: the tool that was called, or the kind of change. */
export function whatWords(row: ActivityRow): string {
  return maybe('what', row.what) ?? row.what.replaceAll('_', ' ')
}

/** What happened, where its details are known: by whom a call was denied, and how a question was answered. */
export function headingWords({ row, refusal, records }: ActivityDetail): string {
  if (
    row.what === 'call' &&
    (refusal?.kind === 'denied_by_person' || refusal?.kind === 'denied_earlier')
  )
    return m('activity.denied_by_you')
  if (row.what !== 'question_answered') return whatWords(row)
  const said = records.map(answerIn).findLast((answer) => answer !== null)
  return said == null ? whatWords(row) : m(`activity.answered.${said}`)
}

const YES = [
  'allow_once',
  'allow_remembered',
  'use_model',
  'send_reply',
  'change_rule',
  'open_url',
  'form_accept',
]
const NO = ['deny', 'deny_remembered', 'decline', 'form_decline', 'form_cancel']

/** How a question was answered, as a record of the log has it. A word that is not known here is no yes. */
function answerIn(record: string): 'yes' | 'no' | 'unanswered' | null {
  let entry: unknown
  try {
    entry = JSON.parse(record)
  } catch {
    return null
  }
  if (typeof entry !== 'object' || entry === null || !('answer' in entry)) return null
  if (YES.includes(String(entry.answer))) return 'yes'
  return NO.includes(String(entry.answer)) ? 'no' : 'unanswered'
}

/** What the approver of a row has done: only what ran, or was changed, was approved. */
export function approverLabel({ row, permission }: ActivityDetail): string {
  const answered = row.what === 'question_answered' || (row.what === 'call' && permission === null)
  return m(answered ? 'activity.answerer' : 'activity.approver')
}

/** One part of the time that a call took. Of a call of which it was not kept, that is said. */
export function partWords(row: ActivityRow, part: number | null): string {
  if (part !== null) return duration(part)
  return row.duration_ms !== null && row.waited_ms === null ? m('activity.time_unknown') : ''
}

/** How long a call ran. What was refused did not run. */
export function ranWords(row: ActivityRow): string {
  return row.outcome === 'refused' ? '' : partWords(row, row.ran_ms)
}

/** On whose word a call ran. */
export function permissionWords(permission: Permission | null): string {
  if (permission === null) return m('activity.permission.none')
  if (permission.kind === 'grant') return m('activity.permission.grant')
  if (permission.kind === 'rules') return m('activity.permission.rules')
  return m(
    permission.grant === null ? 'activity.permission.answer' : 'activity.permission.answer_grant',
  )
}

/** Who approved, and where: a place of the person, or a caller as `kind:id`. */
export function approverWords(approver: string): string {
  const caller = filterOf(approver)
  if (caller !== null && caller.id !== null) return filterWords(caller)
  return maybe('activity.approver', approver) ?? approver.replaceAll('_', ' ')
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

/** How long ago, such as "3 minutes ago"; days at most. */
export function ago(at: number, now: number): string {
  const past = at - now
  const [unit, length] = STEPS.find(([, size]) => Math.abs(past) >= size) ?? ['second', 1_000]
  return new Intl.RelativeTimeFormat(language.current, { numeric: 'auto' }).format(
    Math.round(past / length),
    unit,
  )
}
