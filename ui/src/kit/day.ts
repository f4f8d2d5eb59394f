/** Days as a person picks them, in the time of this computer. */

/** The first moment of a day such as `2026-11-22`; `null` if there is no such day. */
export function firstMomentOf(day: string): number | null {
  return momentOf(day, 0)
}

/** The first moment after a day such as `2026-11-22`; `null` if there is no such day. */
export function firstMomentAfter(day: string): number | null {
  return momentOf(day, 1)
}

function momentOf(day: string, later: number): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!parts) return null
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const at = new Date(year, month - 1, date)
  // A day need not have 24 hours.
  return at.getMonth() === month - 1 && at.getDate() === date
    ? new Date(year, month - 1, date + later).getTime()
    : null
}
