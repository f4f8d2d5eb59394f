/** Rows of the log in words. */
import { language, m, maybe } from '../../messages'
import type { ActivityRow, Outcome, Permission } from '../../host/types.gen'

export const OUTCOMES: readonly Outcome[] = ['running', 'done', 'tool_error', 'failed', 'refused', 'cancelled', 'interrupted', 'noted']

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

/** On whose word a call ran. */
export function permissionWords(permission: Permission | null): string {
  if (permission === null) return m('activity.permission.none')
  if (permission.kind === 'grant') return m('activity.permission.grant')
  if (permission.kind === 'rules') return m('activity.permission.rules')
  return m(permission.grant === null ? 'activity.permission.answer' : 'activity.permission.answer_grant')
}

/** Who approved, and where. */
export function approverWords(approver: string): string {
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
  return new Intl.RelativeTimeFormat(language.current, { numeric: 'auto' }).format(Math.round(past / length), unit)
}
