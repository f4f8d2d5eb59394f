/**
 * Finds values of a form that may be secrets, by the schema and by what they are called. Pure.
 *
 * Always true here: doubt counts as a secret; a value is left out whole, and nothing else changes.
 */
import { isObject } from './formValue'
import { follow } from './references'
import { asSchema, type Schema } from './schemaForm'
import { soundsLikeDigits, soundsSecret } from './secretWords'

/** What a request is signed in with; a field of a form may well be called so and hold something else. */
const CARRIED = /authorization|cookie|bearer|(access|signing|encryption)[_-]?key|^(auth|key|iban)$/i

/** A value without what may be secret, and the names of what was left out. */
export interface WithoutSecrets {
  value: Record<string, unknown>
  left: string[]
}

/** The arguments of a tool without what may be secret in them, at any depth. */
export function withoutSecrets(schema: Schema, value: Record<string, unknown>): WithoutSecrets {
  const left: string[] = []
  return { value: cleared('', value, schema, schema, left) as Record<string, unknown>, left }
}

function cleared(
  name: string,
  value: unknown,
  part: Schema,
  root: Schema,
  left: string[],
): unknown {
  const schemas = alternativesOf(part, root)
  if (Array.isArray(value)) {
    const items = { anyOf: schemas.flatMap(itemsOf) }
    if (!isSecret(items, root))
      return value.map((item: unknown) => cleared(name, item, items, root, left))
    left.push(name)
    return []
  }
  if (!isObject(value)) return value
  const paired = pairedName(value)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const said = { anyOf: schemas.flatMap((schema) => propertyOf(schema, name)) }
      const inPair = name === 'value' && paired !== null && namesSecret(paired, inner)
      if (inPair || namesSecret(name, inner) || isSecret(said, root)) {
        left.push(name)
        return []
      }
      return [[name, cleared(name, inner, said, root, left)]]
    }),
  )
}

/** What the value of an object is called that is a name and a value, such as a header in a list; else `null`. */
function pairedName(value: Record<string, unknown>): string | null {
  const names = ['name', 'key', 'header'].map((word) => value[word])
  return names.find((name) => typeof name === 'string') ?? null
}

/** What may hold for a property. Which patterns its name has is not tried out: they are a stranger's. */
function propertyOf(schema: Schema, name: string): Schema[] {
  const properties = asSchema(schema['properties']) ?? {}
  const patterns = Object.values(asSchema(schema['patternProperties']) ?? {})
  const others = [schema['additionalProperties'], schema['unevaluatedProperties']]
  const own = Object.hasOwn(properties, name) ? [properties[name]] : others
  return schemasIn([...own, ...patterns])
}

/** What may hold for the items of a list, whichever. */
function itemsOf(schema: Schema): Schema[] {
  const words = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains']
  return schemasIn(words.flatMap((word) => schema[word]))
}

function schemasIn(parts: unknown[]): Schema[] {
  return parts.map(asSchema).filter((part) => part !== null)
}

function isSecret(part: Schema, root: Schema): boolean {
  return alternativesOf(part, root).some(
    (schema) => schema['format'] === 'password' || schema['writeOnly'] === true,
  )
}

/** Whether the value of this name may be a secret, as far as its name says. */
export function namesSecret(name: string, value: unknown): boolean {
  if (typeof value === 'boolean' || value === null) return false
  // `max_tokens` counts some.
  if (typeof value === 'number') return soundsLikeDigits(name)
  return soundsSecret(name) || CARRIED.test(name)
}

/** More of them are not looked at; a schema is a stranger's. */
const MOST = 200

/** Stands for what was not looked at: it may be marked, and so may all within it. */
const UNSEEN: Schema = {
  writeOnly: true,
  additionalProperties: { writeOnly: true },
  items: { writeOnly: true },
}

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf', 'if', 'then', 'else']
const DEPENDENT = ['dependentSchemas', 'dependencies']
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']

/** A part of a schema and all that may hold in its place, with references followed. */
function alternativesOf(part: Schema, root: Schema): Schema[] {
  const found = new Set<Schema>()
  const open = [part]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // A part that leads back to itself says nothing new.
    if (found.has(next)) continue
    if (found.size >= MOST) return [...found, UNSEEN]
    found.add(next)
    const inner = ALTERNATIVES.flatMap((word) => next[word])
    const dependent = DEPENDENT.flatMap((word) => Object.values(asSchema(next[word]) ?? {}))
    // What a reference leads to holds as well as what stands beside it.
    const targets = REFERENCES.filter((word) => Object.hasOwn(next, word)).flatMap((word) =>
      targetsOf(next[word], root),
    )
    for (const other of schemasIn([...inner, ...dependent, ...targets])) open.push(other)
  }
  return [...found]
}

/** What a reference may lead to, and so what cannot be looked at where it leads nowhere. */
function targetsOf(reference: unknown, root: Schema): Schema[] {
  const targets = typeof reference === 'string' ? follow(reference, root) : []
  return targets.length === 0 ? [UNSEEN] : targets
}
