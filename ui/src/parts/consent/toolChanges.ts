/** What is different between a tool as it was allowed and as it is now, part by part. */
import { differenceOfLines, differenceOfWords, orderedJson, type Piece } from '../../kit/difference'
import type { ToolPart, ToolSpec } from '../../host/types.gen'

/** One changed part. */
export interface ToolChange {
  part: ToolPart
  /** Prose is compared by words, JSON by lines. */
  json: boolean
  pieces: Piece[]
}

/** The named parts with their differences. */
export function toolChanges(
  parts: readonly ToolPart[],
  before: ToolSpec,
  now: ToolSpec,
): ToolChange[] {
  return parts.map((part) => {
    const [old, fresh] = [before[part], now[part]]
    if (isText(old) && isText(fresh))
      return { part, json: false, pieces: differenceOfWords(old ?? '', fresh ?? '') }
    return { part, json: true, pieces: differenceOfLines(jsonOf(old), jsonOf(fresh)) }
  })
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function jsonOf(value: unknown): string {
  return value === null ? '' : orderedJson(value)
}
