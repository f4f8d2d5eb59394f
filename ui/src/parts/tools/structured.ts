/** Finds the tables in structured results: lists of flat objects, at the top or under one name. */

/** A list of flat objects as a table. */
export interface StructuredTable {
  /** The name it stands under; empty if the whole result is the list. */
  name: string
  columns: string[]
  /** Text of each cell; `null` where an object has no such name. */
  rows: (string | null)[][]
}

const MOST_COLUMNS = 24

/** Every list of flat objects that a result holds directly. */
export function tablesIn(structured: unknown): StructuredTable[] {
  if (Array.isArray(structured)) return [tableOf('', structured)].filter((table) => table !== null)
  if (typeof structured !== 'object' || structured === null) return []
  return Object.entries(structured)
    .map(([name, value]: [string, unknown]) => (Array.isArray(value) ? tableOf(name, value) : null))
    .filter((table) => table !== null)
}

/** Whether a table of a result shows all of it. */
export function isOneTable(structured: unknown): boolean {
  if (tablesIn(structured).length !== 1) return false
  return Array.isArray(structured) || Object.keys(structured as object).length === 1
}

function tableOf(name: string, list: unknown[]): StructuredTable | null {
  if (list.length === 0 || !list.every(isFlat)) return null
  const columns = [...new Set(list.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0 || columns.length > MOST_COLUMNS) return null
  return {
    name,
    columns,
    rows: list.map((row) =>
      columns.map((column) => (Object.hasOwn(row, column) ? cell(row[column]) : null)),
    ),
  }
}

function isFlat(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((part) => typeof part !== 'object' || part === null)
}

function cell(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
