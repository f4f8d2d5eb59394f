/** How long an answer can be remembered, narrowest first. */
import type { Lasting } from '../../host/types.gen'

export const LENGTHS = ['times', 'hour', 'today', 'week', 'date', 'conversation', 'workspace', 'always'] as const

/** One length, as it stands in a list. */
export type Length = (typeof LENGTHS)[number]

const HOUR = 3_600_000

/** What a length means now; nothing where what was typed for it means nothing. */
export function lastingOf(length: Length, typed: { times: string; date: string }, now = Date.now()): Lasting | null {
  switch (length) {
    case 'times': {
      const times = Number(typed.times)
      return Number.isInteger(times) && times >= 1 && times <= 100_000 ? { kind: 'times', times } : null
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
