/**
 * Lays a nested value out as rows of path and value, for a table.
 *
 * Always true here: every leaf of the value is in exactly one row, and an empty object or list is a leaf of its own; a number
 * that may be another one than was sent, because no number here is that long, begins with "≈".
 */

/** One leaf. */
export interface Leaf {
  /** Such as `containers[0].weight`; names that could be mistaken are quoted. */
  path: string
  /** The text of a string itself; JSON of anything else. */
  text: string
  /** Whether the value is a string, so that `"1"` and `1` can be told apart. */
  kind: 'string' | 'number' | 'boolean' | 'null' | 'empty'
}

/** Whether a number may have lost digits on its way here. */
export function isRounded(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
}

/** Whether there is such a number in a value. */
export function holdsRounded(value: unknown): boolean {
  return flatten(value).some(({ kind, text }) => kind === 'number' && text.startsWith('≈'))
}

/** The leaves of a value, in its own order. */
export function flatten(value: unknown): Leaf[] {
  const leaves: Leaf[] = []
  // A list of its own instead of recursion: nesting is a stranger's choice.
  const open: { path: string; value: unknown }[] = [{ path: '', value }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parts = partsOf(next.path, next.value)
    if (parts === null) leaves.push(leafOf(next.path, next.value))
    else for (const part of parts.reverse()) open.push(part)
  }
  return leaves
}

function partsOf(path: string, value: unknown): { path: string; value: unknown }[] | null {
  if (typeof value !== 'object' || value === null) return null
  const parts = Array.isArray(value)
    ? value.map((part: unknown, at) => ({ path: `${path}[${at}]`, value: part }))
    : Object.entries(value).map(([name, part]: [string, unknown]) => ({
        path: joined(path, name),
        value: part,
      }))
  return parts.length === 0 ? null : parts
}

/** The path of a value of an object. */
export function joined(path: string, name: string): string {
  if (!/^[\p{L}\p{N}_-]+$/u.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

function leafOf(path: string, value: unknown): Leaf {
  if (typeof value === 'string')
    return value === ''
      ? { path, text: '""', kind: 'empty' }
      : { path, text: value, kind: 'string' }
  const text = JSON.stringify(value) ?? 'null'
  if (typeof value === 'number')
    return { path, text: isRounded(value) ? `≈ ${text}` : text, kind: 'number' }
  if (typeof value === 'boolean') return { path, text, kind: 'boolean' }
  return { path, text, kind: value === null ? 'null' : 'empty' }
}
