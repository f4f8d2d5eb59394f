/** Recognises texts that are JSON, so that they can be shown as what they hold. */
import { readJson } from '../../kit/form/jsonText'

/** Longer than any result that is passed on. */
const LONGEST = 2 ** 21

/**
 * The value of a text that is an object or a list; `null` if it is none, or does not hold all of the text: a number in it
 * would lose digits, or a name stands in an object twice.
 */
export function jsonIn(text: string): { value: object } | null {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST || !/^[[{]/.test(trimmed)) return null
  const reading = readJson(trimmed)
  if (!reading.ok || namesIn(trimmed) !== countNames(reading.value)) return null
  return { value: reading.value as object }
}

/** How many names of properties a text of JSON holds. */
function namesIn(text: string): number {
  let names = 0
  for (const [string] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g))
    if (string.endsWith(':')) names++
  return names
}

/** How many properties a value has, at all depths. */
function countNames(value: unknown): number {
  let names = 0
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner: unknown[] = Object.values(next)
    if (!Array.isArray(next)) names += inner.length
    for (const one of inner) open.push(one)
  }
  return names
}
