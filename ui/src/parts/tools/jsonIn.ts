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
  return reading.ok ? { value: reading.value as object } : null
}
