/** Rows of the log in words. */
import { duration, m, maybe } from '../../messages'
import { filterOf, filterWords } from '../../messages/callers'
import type {
  ActivityDetail,
  ActivityReason,
  ActivityRow,
  ConfinementSettings,
  Outcome,
} from '../../host/types.gen'

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

/** What happened: the tool that was called, how a question was answered, or the kind of change. */
export function whatWords(row: ActivityRow): string {
  if (row.what === 'question_answered') return m(`activity.answered.${saidIn(row.reason)}`)
  return maybe('what', row.what) ?? row.what.replaceAll('_', ' ')
}

/** What happened, where its details are known: that a call was denied by the person, and how a question was answered. */
export function headingWords({ row, refusal }: ActivityDetail): string {
  if (row.what === 'call' && row.reason === 'denied' && isPerson(row.approver))
    return m('activity.denied_by_you')
  if (row.what === 'call' && refusal?.kind === 'denied_earlier') return m('activity.denied_by_you')
  return whatWords(row)
}

/** What the approver of a row has done: only what ran, or was changed, was approved. */
export function approverLabel({ row, permission }: ActivityDetail): string {
  const answered = row.what === 'question_answered' || (row.what === 'call' && permission === null)
  return m(answered ? 'activity.answerer' : 'activity.approver')
}

/** How a question was answered. What is not known is no yes. */
function saidIn(reason: ActivityReason | null): 'yes' | 'no' | 'unanswered' {
  if (reason === 'allowed' || reason === 'allowed_earlier') return 'yes'
  return reason === 'denied' ? 'no' : 'unanswered'
}

const PERSON = ['question_window', 'window', 'terminal', 'browser']

/** Whether this is a place that only the person answers from. */
function isPerson(approver: string | null): boolean {
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
export function partWords(row: ActivityRow, part: number | null): string {
  if (part !== null) return duration(part)
  return row.duration_ms !== null && row.waited_ms === null ? m('activity.time_unknown') : ''
}

/** How long a call ran. What was refused did not run. */
export function ranWords(row: ActivityRow): string {
  return row.outcome === 'refused' ? '' : partWords(row, row.ran_ms)
}

/** On whose word a call ran, or did not. */
export function permissionWords({ row, permission, refusal }: ActivityDetail): string {
  const whose = isPerson(row.approver) ? 'yours' : 'anyones'
  if (refusal?.kind === 'denied_by_person') return m(`activity.permission.denied.${whose}`)
  if (permission === null) return m('activity.permission.none')
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

/** What a person chose that a server can access; nothing in the record of anything else. */
export function chosenIn({ row, records }: ActivityDetail): ConfinementSettings | null {
  if (row.what !== 'confinement_chosen') return null
  try {
    // A record is a line of our own log, with the event's fields as the host has written them.
    return (JSON.parse(records[0] ?? '') as { settings?: ConfinementSettings }).settings ?? null
  } catch {
    return null
  }
}
