/**
 * Keeps a list of activity rows, newest first, right while pages and live changes arrive.
 *
 * Always true here: rows are in falling order of `seq`, each once.
 */
import { holdsFor } from '../../state/callers.svelte'
import type { ActivityFilter, ActivityRow } from '../../host/types.gen'

export const NO_FILTER: ActivityFilter = {
  server: null,
  tool: null,
  outcome: null,
  caller: null,
  from: null,
  to: null,
  text: null,
  segment: null,
}

/** Whether a row passes a filter, as far as this side can tell; `null`: only the host can search texts. */
function passes(row: ActivityRow, filter: ActivityFilter): boolean | null {
  if (filter.segment !== null && row.segment !== filter.segment) return false
  if (filter.server !== null && row.server !== filter.server) return false
  if (filter.tool !== null && row.tool !== filter.tool) return false
  if (filter.outcome !== null && row.outcome !== filter.outcome) return false
  if (!holdsFor(filter.caller, row.caller)) return false
  if (filter.from !== null && row.at < filter.from) return false
  if (filter.to !== null && row.at >= filter.to) return false
  return filter.text === null ? true : null
}

/** Adds a page of older or newer rows; a row that is there already is replaced. */
export function merged(rows: readonly ActivityRow[], page: readonly ActivityRow[]): ActivityRow[] {
  const [newest, oldest] = [rows[0], rows.at(-1)]
  const last = page.at(-1)
  // The usual cases, next page and new row, cost no sorting.
  if (oldest === undefined || newest === undefined) return [...page]
  if (page[0] !== undefined && page[0].seq < oldest.seq) return [...rows, ...page]
  if (last !== undefined && last.seq > newest.seq) return [...page, ...rows]
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  for (const row of page) bySeq.set(row.seq, row)
  return [...bySeq.values()].sort((left, right) => right.seq - left.seq)
}

/** Takes a live change in. `complete`: the oldest row of all is in the list. */
export function changed(
  rows: readonly ActivityRow[],
  row: ActivityRow,
  filter: ActivityFilter,
  complete: boolean,
): ActivityRow[] {
  const at = rows.findIndex((other) => other.seq === row.seq)
  const fits = passes(row, filter)
  if (fits === false) return at === -1 ? [...rows] : rows.filter((other) => other.seq !== row.seq)
  if (at !== -1) return rows.with(at, row)
  const oldest = rows.at(-1)
  // Older than what was loaded: it comes with its page.
  if (fits === null || (oldest !== undefined && row.seq < oldest.seq && !complete)) return [...rows]
  return merged(rows, [row])
}
