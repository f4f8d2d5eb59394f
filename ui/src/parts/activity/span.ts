/** Stretches of time that rows are looked for in. */
import type { ActivityFilter } from '../../host/types.gen'
import { firstMomentAfter, firstMomentOf } from '../../kit'

/** What can be chosen. `exact` is a stretch that was pointed at, such as a bar of a chart. */
export const SPANS = ['any', 'hour', 'day', 'week', 'month', 'days', 'exact'] as const
export type Span = (typeof SPANS)[number]

const HOUR = 3_600_000
const LENGTHS: Partial<Record<Span, number>> = {
  hour: HOUR,
  day: 24 * HOUR,
  week: 7 * 24 * HOUR,
  month: 30 * 24 * HOUR,
}

/** The first moment of a stretch and the first one after it. `from` and `to` are days, both included. */
export function momentsOf(
  span: Span,
  from: string,
  to: string,
  now = Date.now(),
): Pick<ActivityFilter, 'from' | 'to'> {
  if (span === 'days') return { from: firstMomentOf(from), to: firstMomentAfter(to) }
  const length = LENGTHS[span]
  return { from: length === undefined ? null : now - length, to: null }
}
