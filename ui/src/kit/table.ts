/** Which rows of a long table are drawn: those in sight and a few around them. */

/** A column of a table. */
export interface Column {
  key: string
  label: string
  /** A track of the grid, such as `2fr` or `120px`. */
  width?: string
  align?: 'start' | 'end'
  /** What stands in it is part of what a row is called, as what stands in the first column always is. */
  names?: boolean
  /** Left out where there is little room; `first`: sooner than the others. */
  spare?: boolean | 'first'
}

const AROUND = 8
/** Assumed before the table was measured. */
const HEIGHT_AT_FIRST = 640

/** The first row to draw, and the one after the last. */
export function rowsInSight(
  count: number,
  rowHeight: number,
  scrolled: number,
  height: number,
): [first: number, end: number] {
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - AROUND)
  const end = Math.min(
    count,
    Math.ceil((scrolled + (height || HEIGHT_AT_FIRST)) / rowHeight) + AROUND,
  )
  return [Math.min(first, end), end]
}
