/**
 * Finds values of a form that may be secrets, by the schema and by what they are called. Pure.
 *
 * Always true here: doubt counts as a secret; a value is left out whole, and nothing else changes.
 */
import { isObject } from './formValue'
import { asSchema, resolve, type Schema } from './schemaForm'
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
    const items = { anyOf: schemas.flatMap((schema) => asSchema(schema['items']) ?? []) }
    if (!isSecret(items, root))
      return value.map((item: unknown) => cleared(name, item, items, root, left))
    left.push(name)
    return []
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const said = { anyOf: schemas.flatMap((schema) => propertyOf(schema, name)) }
      if (namesSecret(name, inner) || isSecret(said, root)) {
        left.push(name)
        return []
      }
      return [[name, cleared(name, inner, said, root, left)]]
    }),
  )
}

function propertyOf(schema: Schema, name: string): Schema[] {
  const properties = asSchema(schema['properties']) ?? {}
  const part = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties']
  return asSchema(part) === null ? [] : [part as Schema]
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

/** A part of a schema and all that may hold in its place, with references followed. */
function alternativesOf(part: Schema, root: Schema): Schema[] {
  const found: Schema[] = []
  const open = [part]
  for (let next = open.pop(); next !== undefined && found.length < MOST; next = open.pop()) {
    const { schema } = resolve(next, root, [])
    found.push(schema)
    for (const word of ['anyOf', 'oneOf', 'allOf']) {
      const others: unknown = schema[word]
      if (!Array.isArray(others)) continue
      open.push(...others.map(asSchema).filter((other) => other !== null))
    }
  }
  return found
}
