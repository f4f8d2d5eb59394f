/**
 * The value behind a form: read, written and begun, without ever changing it in place.
 *
 * Always true here:
 * - what a person typed is in the value, fitting or not, so that the JSON beside the form loses nothing
 * - names come from a stranger's schema: only own properties are read, and `__proto__` is a name like any other.
 */
import { losesDigits } from './jsonText'
import type { Field, Shape } from './schemaForm'

export type Path = readonly (string | number)[]
export type JsonObject = Record<string, unknown>

/** A path as one word, for maps and element ids. */
export function pathKey(path: Path): string {
  return JSON.stringify(path)
}

/** What lies at `path`; `undefined` if nothing does. */
export function read(value: unknown, path: Path): unknown {
  let at = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<string | number, unknown>)[part]
  }
  return at
}

/** A copy of `value` with `next` at `path`; `undefined` takes the entry away. Objects on the way are made where they are missing. */
export function write(value: unknown, path: Path, next: unknown): unknown {
  const [head, ...rest] = path
  if (head === undefined) return next
  if (typeof head === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : []
    if (rest.length === 0 && next === undefined) list.splice(head, 1)
    else list[head] = write(list[head], rest, next)
    return list
  }
  const object: JsonObject = isObject(value) ? value : {}
  const inner =
    rest.length === 0
      ? next
      : write(Object.hasOwn(object, head) ? object[head] : undefined, rest, next)
  if (inner !== undefined) return { ...object, [head]: inner }
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== head))
}

/** What a form holds before anyone touches it: defaults, and what has only one possibility. */
export function beginning(fields: readonly Field[]): JsonObject {
  return Object.fromEntries(
    fields
      .map((field): [string, unknown] => [field.name, begun(field)])
      .filter(([, value]) => value !== undefined),
  )
}

function begun(field: Field): unknown {
  // A default of `null` for a value that may be left out says nothing that leaving it out does not.
  if (field.initial !== undefined && !(field.initial === null && !field.required))
    return structuredClone(field.initial)
  if (!field.required) return undefined
  switch (field.shape.kind) {
    case 'boolean':
      return false
    case 'group':
      return beginning(field.shape.fields)
    case 'list':
    case 'choices':
      return []
    case 'choice':
      return field.shape.options.length === 1 ? field.shape.options[0]?.value : undefined
    default:
      return undefined
  }
}

/** What a typed text means for a field; a text that means no number, or none that can be kept, stays a text and is told as a problem. */
export function typed(shape: Shape, text: string): unknown {
  if (shape.kind !== 'number') return text
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) && !losesDigits(text.trim()) ? number : text
}

/** The text that an input shows for a value. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A new last entry of a list. */
export function emptyItem(item: Shape): unknown {
  switch (item.kind) {
    case 'boolean':
      return false
    case 'group':
      return beginning(item.fields)
    case 'list':
    case 'choices':
      return []
    default:
      return ''
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
