/**
 * Reads what a server says about one thing that it offers. All of it is a claim.
 *
 * Always true here: what has another shape than MCP gives it is passed over here, and stands in the whole definition.
 */
import { isObject } from '../../kit/form/formValue'
import { isIdle } from '../terms/hints'

export type Definition = Record<string, unknown>

/** One thing that it takes. */
export interface Argument {
  /** With those above it: `options.depth`, `items[].name`. */
  name: string
  /** Where it stands, as a JSON pointer (RFC 6901) into the definition. */
  at: string
  /** In the words of JSON Schema: `string[]`, `"a" | "b"`; empty where none is said. */
  type: string
  required: boolean
  description: string
}

/** As many are laid out; further ones stand in the whole definition. */
export const MOST_ARGUMENTS = 100
const DEEPEST = 4

/** A text of a definition; nothing where there is none. */
export function textOf(definition: Definition, field: string): string {
  const text = definition[field]
  return typeof text === 'string' ? text : ''
}

/** What it takes: by its schema, or by the list of a prompt. */
export function argumentsOf(definition: Definition): Argument[] {
  const found: Argument[] = []
  collect(found, definition['inputSchema'], '', '/inputSchema', 0)
  if (Array.isArray(definition['arguments'])) {
    definition['arguments'].forEach((argument: unknown, index) => {
      if (!isObject(argument)) return
      const at = `/arguments/${index}`
      found.push({
        name: textOf(argument, 'name'),
        at,
        type: '',
        required: argument['required'] === true,
        description: textOf(argument, 'description'),
      })
    })
  }
  return found.slice(0, MOST_ARGUMENTS)
}

/** Hints that are said, by their name: `readOnlyHint` or `not_readOnlyHint`. */
export function hintsOf(definition: Definition): string[] {
  const hints = definition['annotations']
  if (!isObject(hints)) return []
  const reads = hints['readOnlyHint'] === true
  return Object.entries(hints).flatMap(([name, value]) =>
    typeof value === 'boolean' && !(reads && isIdle(name, value))
      ? [value ? name : `not_${name}`]
      : [],
  )
}

/** One step of a JSON pointer. */
export function step(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function collect(
  found: Argument[],
  schema: unknown,
  above: string,
  at: string,
  depth: number,
): void {
  if (!isObject(schema) || !isObject(schema['properties']) || depth > DEEPEST) return
  const needed = Array.isArray(schema['required']) ? schema['required'] : []
  for (const [key, property] of Object.entries(schema['properties'])) {
    if (found.length >= MOST_ARGUMENTS) return
    const name = above === '' ? key : `${above}.${key}`
    const here = `${at}/properties${step(key)}`
    const description = isObject(property) ? textOf(property, 'description') : ''
    found.push({
      name,
      at: here,
      type: typeOf(property),
      required: needed.includes(key),
      description,
    })
    if (!isObject(property)) continue
    collect(found, property, name, here, depth + 1)
    collect(found, property['items'], `${name}[]`, `${here}/items`, depth + 1)
  }
}

function typeOf(schema: unknown): string {
  if (!isObject(schema)) return ''
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema['const'])
  const type = schema['type']
  if (type === 'array') return `${typeOf(schema['items']) || '…'}[]`
  return Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : ''
}
