/**
 * Turns a JSON Schema into the fields of a form.
 *
 * Always true here:
 * - pure: no document, no host, and the schema is a stranger's, so nothing in it is trusted to have the right type
 * - every property becomes a field; what a form cannot express becomes a field of kind `json`, never nothing
 * - references are followed inside the schema only, and never in a circle.
 */

import { isObject, type JsonObject } from './formValue'
import { pickerOf, type Picker } from './pickers'
import { follow } from './references'

export type Schema = JsonObject

/** One value that a field can have, and the words for it. */
export interface Option {
  value: unknown
  label: string
}

/** What kind of input a value needs, with its bounds. */
export type Shape =
  | {
      kind: 'text'
      multiline: boolean
      format: string | null
      /** What it can be picked with. */
      picker: Picker | null
      /** Is not to be seen by whoever looks on. */
      secret: boolean
      minLength: number | null
      maxLength: number | null
    }
  | {
      kind: 'number'
      integer: boolean
      minimum: number | null
      maximum: number | null
      above: number | null
      below: number | null
      step: number | null
    }
  | { kind: 'boolean' }
  | { kind: 'choice'; options: Option[] }
  | { kind: 'choices'; options: Option[]; minItems: number | null; maxItems: number | null }
  | { kind: 'list'; item: Shape; minItems: number | null; maxItems: number | null }
  | { kind: 'group'; fields: Field[] }
  | { kind: 'json' }

/** A named value of an object. */
export interface Field {
  name: string
  label: string
  description: string | null
  required: boolean
  /** `null` may be sent in place of a value. */
  nullable: boolean
  /** Absent if the schema gives none; `undefined` is no JSON value. */
  initial: unknown
  shape: Shape
}

/** From here on a text gets several lines to be written in. */
const LONG_TEXT = 200
const DEEPEST = 8

/** The fields of an object schema, in its order, the needed ones first; `[]` for a schema without properties. */
export function fieldsOf(schema: Schema): Field[] {
  return fieldsAt(schema, schema, 0, [])
}

function fieldsAt(schema: Schema, root: Schema, depth: number, trail: readonly string[]): Field[] {
  const properties = asSchema(schema.properties)
  if (properties === null) return []
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const fields = Object.entries(properties).map(([name, part]) =>
    fieldAt(name, part, required.has(name), root, depth, trail),
  )
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)]
}

function fieldAt(
  name: string,
  part: unknown,
  required: boolean,
  root: Schema,
  depth: number,
  trail: readonly string[],
): Field {
  const found = resolve(asSchema(part) ?? {}, root, trail)
  const { schema, nullable } = withoutNull(found.schema, root)
  const said = { ...schema, ...onlyTexts(asSchema(part)) }
  const title = textOf(said.title)
  return {
    name,
    label: title ?? name,
    description: textOf(said.description),
    required,
    nullable,
    initial: Object.hasOwn(said, 'default')
      ? said.default
      : Object.hasOwn(found.schema, 'default')
        ? found.schema.default
        : undefined,
    shape:
      found.circular || depth >= DEEPEST
        ? { kind: 'json' }
        : shapeOf(schema, root, depth, found.trail, name),
  }
}

function shapeOf(
  schema: Schema,
  root: Schema,
  depth: number,
  trail: readonly string[],
  name: string,
): Shape {
  const options = optionsOf(schema)
  if (options !== null) return { kind: 'choice', options }
  switch (schema.type) {
    case 'string':
      return textShape(schema, name)
    case 'integer':
    case 'number':
      return numberShape(schema)
    case 'boolean':
      return { kind: 'boolean' }
    case 'array':
      return listShape(schema, root, depth, trail, name)
    case 'object':
      return groupShape(schema, root, depth, trail)
    default:
      return asSchema(schema.properties) === null
        ? { kind: 'json' }
        : groupShape(schema, root, depth, trail)
  }
}

function textShape(schema: Schema, name: string): Shape {
  const maxLength = numberOf(schema.maxLength)
  const format = textOf(schema.format)
  const long =
    textOf(schema.contentMediaType) !== null || (maxLength !== null && maxLength > LONG_TEXT)
  return {
    kind: 'text',
    multiline: long && format === null,
    format,
    picker: long ? null : pickerOf(schema, name),
    secret: format === 'password' || schema.writeOnly === true,
    minLength: numberOf(schema.minLength),
    maxLength,
  }
}

function numberShape(schema: Schema): Shape {
  // Draft 4 wrote `exclusiveMinimum: true` beside `minimum`; later drafts write the bound itself.
  const minimum = numberOf(schema.minimum)
  const maximum = numberOf(schema.maximum)
  const step = numberOf(schema.multipleOf)
  return {
    kind: 'number',
    integer: schema.type === 'integer',
    minimum: schema.exclusiveMinimum === true ? null : minimum,
    maximum: schema.exclusiveMaximum === true ? null : maximum,
    above: schema.exclusiveMinimum === true ? minimum : numberOf(schema.exclusiveMinimum),
    below: schema.exclusiveMaximum === true ? maximum : numberOf(schema.exclusiveMaximum),
    step: step !== null && step > 0 ? step : null,
  }
}

function listShape(
  schema: Schema,
  root: Schema,
  depth: number,
  trail: readonly string[],
  name: string,
): Shape {
  const items = asSchema(schema.items)
  if (items === null || Array.isArray(schema.prefixItems) || depth >= DEEPEST)
    return { kind: 'json' }
  const found = resolve(items, root, trail)
  if (found.circular) return { kind: 'json' }
  const bounds = { minItems: numberOf(schema.minItems), maxItems: numberOf(schema.maxItems) }
  const options = optionsOf(found.schema)
  if (options !== null) return { kind: 'choices', options, ...bounds }
  const item = shapeOf(found.schema, root, depth + 1, found.trail, name)
  return item.kind === 'json' ? item : { kind: 'list', item, ...bounds }
}

function groupShape(schema: Schema, root: Schema, depth: number, trail: readonly string[]): Shape {
  // Alternatives beside the properties cannot be told by fields alone.
  if (Array.isArray(schema.oneOf) || Array.isArray(schema.anyOf)) return { kind: 'json' }
  const fields = fieldsAt(schema, root, depth + 1, trail)
  return fields.length === 0 ? { kind: 'json' } : { kind: 'group', fields }
}

/** `enum`, `const`, or alternatives that are all constants. */
function optionsOf(schema: Schema): Option[] | null {
  if (Array.isArray(schema.enum) && schema.enum.length > 0) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : []
    return schema.enum.map((value, at) => ({ value, label: textOf(names[at]) ?? wordFor(value) }))
  }
  if (Object.hasOwn(schema, 'const'))
    return [{ value: schema.const, label: textOf(schema.title) ?? wordFor(schema.const) }]
  const parts = alternatives(schema)
  if (parts === null || parts.length === 0) return null
  const options = parts.map((part) =>
    Object.hasOwn(part, 'const')
      ? { value: part.const, label: textOf(part.title) ?? wordFor(part.const) }
      : null,
  )
  return options.every((option) => option !== null) ? options : null
}

/** Takes `null` out of a schema: `type: [T, 'null']`, or alternatives of which one is `null`. */
export function withoutNull(schema: Schema, root: Schema): { schema: Schema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null')
    const nullable = types.length < schema.type.length
    return { schema: { ...schema, type: types.length === 1 ? types[0] : undefined }, nullable }
  }
  const parts = alternatives(schema)
  if (parts === null) return { schema, nullable: false }
  const others = parts.filter((part) => part.type !== 'null')
  if (others.length === parts.length || others.length === 0) return { schema, nullable: false }
  const rest = without(schema, 'anyOf', 'oneOf')
  if (others.length > 1) return { schema: { ...rest, anyOf: others }, nullable: true }
  const only = resolve(others[0] ?? {}, root, [])
  return { schema: only.circular ? rest : { ...only.schema, ...rest }, nullable: true }
}

function alternatives(schema: Schema): Schema[] | null {
  const parts = Array.isArray(schema.anyOf)
    ? schema.anyOf
    : Array.isArray(schema.oneOf)
      ? schema.oneOf
      : null
  return parts === null ? null : parts.map((part) => asSchema(part) ?? {})
}

/** Follows `$ref` inside the schema and flattens a single `allOf`. */
export function resolve(
  schema: Schema,
  root: Schema,
  trail: readonly string[],
): { schema: Schema; circular: boolean; trail: readonly string[] } {
  let at = schema
  let seen = trail
  for (;;) {
    const only = Array.isArray(at.allOf) && at.allOf.length === 1 ? asSchema(at.allOf[0]) : null
    if (only !== null) {
      at = { ...only, ...without(at, 'allOf') }
      continue
    }
    const reference = textOf(at.$ref)
    if (reference === null) return { schema: at, circular: false, trail: seen }
    const [target] = follow(reference, root)
    if (target === undefined) return { schema: {}, circular: false, trail: seen }
    if (seen.includes(reference)) return { schema: {}, circular: true, trail: seen }
    seen = [...seen, reference]
    at = { ...target, ...without(at, '$ref') }
  }
}

function onlyTexts(part: Schema | null): Schema {
  const texts: Schema = {}
  for (const key of ['title', 'description', 'default'])
    if (part !== null && Object.hasOwn(part, key)) texts[key] = part[key]
  return texts
}

function without(schema: Schema, ...keys: string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)))
}

export function asSchema(value: unknown): Schema | null {
  return isObject(value) ? value : null
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function wordFor(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
