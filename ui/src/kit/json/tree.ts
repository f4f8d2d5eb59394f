/**
 * A JSON value as the rows of a tree. Pure.
 *
 * Always true here:
 * - the path of a row is its JSONPath (RFC 9535), and no other row has it
 * - nesting is a stranger's choice: nothing here calls itself.
 */
import { isRounded } from '../flatten'

/** One value of the tree, as it is drawn. */
export interface TreeRow {
  /** Such as `$.items[3].name`. */
  path: string
  /** The path of what it is a part of. */
  parent: string | null
  /** What it is called there; `null` for the whole. */
  name: string | number | null
  value: unknown
  /** The whole is on level 1. */
  level: number
  /** Its place among the parts of its parent that are shown, from 1, and how many these are. */
  place: number
  siblings: number
  /** How many parts it has; 0 for a plain value. */
  parts: number
  open: boolean
}

/** Where a search found something. */
export interface Found {
  /** Paths of values whose name or text holds what was searched for. */
  matches: Set<string>
  /** Paths of what these are parts of. */
  above: Set<string>
}

/** A stretch of a text, and whether it is what was searched for. */
export interface Stretch {
  text: string
  hit: boolean
}

interface Step {
  path: string
  parent: Step | null
  name: string | number | null
  value: unknown
}

/** The path of a part. */
export function pathTo(parent: string, name: string | number): string {
  if (typeof name === 'number') return `${parent}[${name}]`
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)
    ? `${parent}.${name}`
    : `${parent}[${JSON.stringify(name)}]`
}

/** The rows that are seen: parts of what is open, and after a search only what was found and what leads to it. */
export function rowsOf(
  value: unknown,
  isOpen: (path: string) => boolean,
  found: Found | null = null,
): TreeRow[] {
  type Open = Omit<TreeRow, 'parts' | 'open'> & { all: boolean }
  const rows: TreeRow[] = []
  const whole = { path: '$', parent: null, name: null, value, level: 1, place: 1, siblings: 1 }
  const left: Open[] = [{ ...whole, all: found === null }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { all, ...row } = next
    const parts = partsOf(row)
    const open = parts.length > 0 && isOpen(row.path)
    rows.push({ ...row, parts: parts.length, open })
    if (!open) continue
    // What was found by its own name is shown with all its parts.
    const whole = all || (found?.matches.has(row.path) === true && !found.above.has(row.path))
    const shown = whole
      ? parts
      : parts.filter(({ path }) => found?.matches.has(path) === true || found?.above.has(path))
    const siblings = shown.length
    for (let at = siblings - 1; at >= 0; at -= 1) {
      const part = shown[at]
      if (part === undefined) continue
      const { path, name, value } = part
      const [parent, level, place] = [row.path, row.level + 1, at + 1]
      left.push({ path, parent, name, value, level, place, siblings, all: whole })
    }
  }
  return rows
}

/** What is open before anyone touches it: level by level, for as long as no more than so many rows are drawn. */
export function openAtFirst(value: unknown, most: number): Set<string> {
  const open = new Set<string>()
  let rows = 1
  const queue: { path: string; value: unknown }[] = [{ path: '$', value }]
  for (let at = 0; at < queue.length; at += 1) {
    const here = queue[at]
    const parts = here === undefined ? [] : partsOf(here)
    if (here === undefined || parts.length === 0 || rows + parts.length > most) continue
    rows += parts.length
    open.add(here.path)
    queue.push(...parts)
  }
  return open
}

/** Looks for a text in every name and every plain value, in small or capital letters alike. */
export function searchIn(value: unknown, text: string): Found {
  const wanted = text.toLowerCase()
  const found: Found = { matches: new Set(), above: new Set() }
  const left: Step[] = [{ path: '$', parent: null, name: null, value }]
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    const { path, name } = step
    const said = typeof step.value === 'object' && step.value !== null ? '' : textOf(step.value)
    if (
      said.toLowerCase().includes(wanted) ||
      (typeof name === 'string' && name.toLowerCase().includes(wanted))
    ) {
      found.matches.add(path)
      for (let up = step.parent; up !== null && !found.above.has(up.path); up = up.parent)
        found.above.add(up.path)
    }
    for (const part of partsOf(step)) left.push({ ...part, parent: step })
  }
  return found
}

/** The parts of a value, with their names and paths; none of a plain value. */
export function partsOf(of: {
  path: string
  value: unknown
}): { path: string; name: string | number; value: unknown }[] {
  const { path, value } = of
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value))
    return value.map((part: unknown, name) => ({ path: pathTo(path, name), name, value: part }))
  return Object.entries(value).map(([name, part]: [string, unknown]) => ({
    path: pathTo(path, name),
    name,
    value: part,
  }))
}

/** A plain value in one text: a string itself, anything else as JSON; a number that was rounded begins with "≈". */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const text = JSON.stringify(value) ?? 'null'
  return isRounded(value) ? `≈ ${text}` : text
}

/** A text in stretches that are and are not what was searched for. */
export function stretchesOf(text: string, search: string): Stretch[] {
  if (search === '') return [{ text, hit: false }]
  const wanted = search.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return text
    .split(new RegExp(`(${wanted})`, 'iu'))
    .flatMap((part, at) => (part === '' ? [] : [{ text: part, hit: at % 2 === 1 }]))
}
