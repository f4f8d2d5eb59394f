/** Rows with the days that they fell on. */
import { fullDayOf, m } from '../../messages'
import type { ActivityRow } from '../../host/types.gen'

/** A row, or the day of those below it. */
export type Line = { key: number; row: ActivityRow } | { key: string; day: number }

/** The rows, each day's first below a line with the day. */
export function inDays(rows: readonly ActivityRow[]): Line[] {
  let day = ''
  return rows.flatMap((row): Line[] => {
    const line = { key: row.seq, row }
    const its = new Date(row.at).toDateString()
    if (its === day) return [line]
    day = its
    return [{ key: `day-${row.seq}`, day: row.at }, line]
  })
}

/** What a day is called: today, yesterday, or its date. */
export function dayWords(at: number, now: number): string {
  const day = new Date(at).toDateString()
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === new Date(now).toDateString()) return m('activity.today')
  return day === yesterday.toDateString() ? m('activity.yesterday') : fullDayOf(at)
}
