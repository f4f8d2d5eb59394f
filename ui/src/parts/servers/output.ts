/**
 * Joins the lines that were asked for with those that came meanwhile.
 *
 * A line can be in both: the host tells of it before it answers. The longest end of the first that begins the second is
 * taken once.
 */
export function joined(asked: string[], came: string[]): string[] {
  for (let overlap = Math.min(asked.length, came.length); overlap > 0; overlap -= 1) {
    const start = asked.length - overlap
    if (came.slice(0, overlap).every((line, index) => line === asked[start + index]))
      return [...asked, ...came.slice(overlap)]
  }
  return [...asked, ...came]
}
