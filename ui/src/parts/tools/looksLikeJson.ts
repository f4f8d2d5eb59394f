/** Recognises texts that are JSON, so that they can be laid out. */

const LONGEST = 1_000_000

/** The text laid out, or `null` if it is no object or list, or would lose something by being read and written. */
export function prettyJson(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST || !/^[[{]/.test(trimmed)) return null
  // Numbers with more digits than a double holds would come out changed.
  if (/\d{16}/.test(trimmed)) return null
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2)
  } catch {
    return null
  }
}
