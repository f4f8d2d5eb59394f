/** How long an answer can be remembered, narrowest first. */
import type { Lasting } from '../../host/types.gen'

export const LENGTHS = [
  'times',
  'hour',
  'today',
  'week',
  'date',
  'conversation',
  'workspace',
  'always',
] as const

/** One length, as it stands in a list. */
export type Length = (typeof LENGTHS)[number]

/** For so many calls at most, as the host has it. */
export const MOST_TIMES = 1_000

const HOUR = 3_600_000

/** What a length means now; nothing where what was typed for it means nothing. */
export function lastingOf(
  length: Length,
  typed: { times: string; date: string },
  now = Date.now(),
): Lasting | null {
  switch (length) {
    case 'times': {
      // Only digits: what is written otherwise is not meant as a count.
      const times = /^\s*\d{1,9}\s*$/.test(typed.times) ? Number(typed.times) : 0
      return times >= 1 && times <= MOST_TIMES ? { kind: 'times', times } : null
    }
    case 'hour':
      return { kind: 'until', at: now + HOUR }
    case 'today':
      return { kind: 'until', at: new Date(now).setHours(24, 0, 0, 0) }
    case 'week':
      return { kind: 'until', at: now + 7 * 24 * HOUR }
    case 'date': {
      const at = new Date(typed.date).getTime()
      return Number.isFinite(at) && at > now ? { kind: 'until', at } : null
    }
    default:
      return { kind: length }
  }
}
