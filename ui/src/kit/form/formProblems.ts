/**
 * What a form still lacks, so that a person sees it at its place before anything is sent.
 *
 * Always true here: this is a courtesy, not the check. The host validates against the whole schema; where this file is unsure
 * it says nothing. No pattern is run: it is a stranger's, and can take for ever here.
 */
import { isObject, pathKey, read, type Path } from './formValue'
import { losesDigits } from './jsonText'
import type { Field, Shape } from './schemaForm'

export type Problem =
  | { kind: 'needed' }
  | { kind: 'no_number' }
  | { kind: 'no_integer' }
  | { kind: 'no_text' }
  | { kind: 'no_boolean' }
  | { kind: 'no_list' }
  | { kind: 'no_object' }
  | { kind: 'no_option' }
  | { kind: 'no_json'; line: number; column: number }
  | { kind: 'rounded' }
  | { kind: 'twice'; line: number; column: number }
  | { kind: 'too_small'; limit: number }
  | { kind: 'not_above'; limit: number }
  | { kind: 'too_large'; limit: number }
  | { kind: 'not_below'; limit: number }
  | { kind: 'no_multiple'; limit: number }
  | { kind: 'too_short'; limit: number }
  | { kind: 'too_long'; limit: number }
  | { kind: 'too_few'; limit: number }
  | { kind: 'too_many'; limit: number }

/** Problems by the key of their path, in the order of the form. */
export function problemsOf(
  fields: readonly Field[],
  value: unknown,
  at: Path = [],
): Map<string, Problem> {
  const found = new Map<string, Problem>()
  for (const field of fields) {
    const path = [...at, field.name]
    const here = read(value, [field.name])
    if (here === undefined) {
      if (field.required) found.set(pathKey(path), { kind: 'needed' })
    } else if (!(here === null && field.nullable)) {
      collect(field.shape, here, path, found)
    }
  }
  return found
}

function collect(shape: Shape, value: unknown, path: Path, found: Map<string, Problem>): void {
  if (shape.kind === 'group' && isObject(value)) {
    for (const [key, problem] of problemsOf(shape.fields, value, path)) found.set(key, problem)
    return
  }
  const problem = problemOf(shape, value)
  if (problem !== null) found.set(pathKey(path), problem)
  if (shape.kind === 'list' && Array.isArray(value))
    value.forEach((item, at) => collect(shape.item, item, [...path, at], found))
}

function problemOf(shape: Shape, value: unknown): Problem | null {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? problemOfText(shape, value) : { kind: 'no_text' }
    case 'number':
      if (typeof value === 'number') return problemOfNumber(shape, value)
      return {
        kind:
          value === ''
            ? 'needed'
            : typeof value === 'string' && losesDigits(value.trim())
              ? 'rounded'
              : 'no_number',
      }
    case 'boolean':
      return typeof value === 'boolean' ? null : { kind: 'no_boolean' }
    case 'choice':
      return shape.options.some((option) => same(option.value, value))
        ? null
        : { kind: 'no_option' }
    case 'choices':
    case 'list':
      return Array.isArray(value) ? problemOfCount(shape, value.length) : { kind: 'no_list' }
    case 'group':
      return { kind: 'no_object' }
    case 'json':
      return null
  }
}

function problemOfText(shape: Shape & { kind: 'text' }, text: string): Problem | null {
  const length = [...text].length
  if (shape.minLength !== null && length < shape.minLength)
    return { kind: 'too_short', limit: shape.minLength }
  if (shape.maxLength !== null && length > shape.maxLength)
    return { kind: 'too_long', limit: shape.maxLength }
  return null
}

function problemOfNumber(shape: Shape & { kind: 'number' }, number: number): Problem | null {
  if (shape.integer && !Number.isInteger(number)) return { kind: 'no_integer' }
  if (shape.minimum !== null && number < shape.minimum)
    return { kind: 'too_small', limit: shape.minimum }
  if (shape.above !== null && number <= shape.above)
    return { kind: 'not_above', limit: shape.above }
  if (shape.maximum !== null && number > shape.maximum)
    return { kind: 'too_large', limit: shape.maximum }
  if (shape.below !== null && number >= shape.below)
    return { kind: 'not_below', limit: shape.below }
  if (shape.step !== null && !isMultiple(number, shape.step))
    return { kind: 'no_multiple', limit: shape.step }
  return null
}

/** With room for what binary fractions cannot say exactly: 0.3 is a multiple of 0.1. */
function isMultiple(number: number, step: number): boolean {
  const times = number / step
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times))
}

function problemOfCount(
  shape: { minItems: number | null; maxItems: number | null },
  count: number,
): Problem | null {
  if (shape.minItems !== null && count < shape.minItems)
    return { kind: 'too_few', limit: shape.minItems }
  if (shape.maxItems !== null && count > shape.maxItems)
    return { kind: 'too_many', limit: shape.maxItems }
  return null
}

/** Equal as JSON. */
export function same(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}
