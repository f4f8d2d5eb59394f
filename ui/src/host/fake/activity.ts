/** Pages of the pretended log. */
import type { Params } from '../host'
import type { ActivityDetail, ActivityPage } from '../types.gen'

/** The rows that a filter lets through, newest first. */
export function activityPage(all: ActivityDetail[], { filter, before, limit }: Params<'list_activity'>): ActivityPage {
  const words = (filter.text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const rows = all
    .filter(({ row }) => before === null || row.seq < before)
    .filter(({ row }) => filter.server === null || row.server === filter.server)
    .filter(({ row }) => filter.tool === null || row.tool === filter.tool)
    .filter(({ row }) => filter.outcome === null || row.outcome === filter.outcome)
    .filter(({ row }) => filter.caller === null || row.caller?.kind === filter.caller.kind)
    .filter(({ row }) => (filter.from === null || row.at >= filter.from) && (filter.to === null || row.at < filter.to))
    .filter((detail) => words.every((word) => JSON.stringify(detail).toLowerCase().includes(word)))
    .map(({ row }) => row)
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null }
}
