/** Names for files that a person saves. */

/** A name for a file that is made from an address or a tool's name: letters, digits, dots and dashes only. */
export function fileName(from: string, fallback: string, ending: string): string {
  const last = (/([^/\\?#]+)[?#]?[^/\\]*$/.exec(from)?.[1] ?? fallback)
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
  const name = last.slice(0, 80) || 'result'
  return name.includes('.') && ending === '' ? name : `${name}${ending}`
}
