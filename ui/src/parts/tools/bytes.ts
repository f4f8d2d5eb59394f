/** Sizes in words. */
import { language, m, number } from '../../messages'

/** A number of bytes as a person says it. */
export function bytesWords(bytes: number): string {
  if (bytes < 1_000) return m('answer.bytes', { n: number(bytes) })
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte']
  return new Intl.NumberFormat(language.current, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value)
}

/** A name for a file that is made from an address or a tool's name: letters, digits, dots and dashes only. */
export function fileName(from: string, fallback: string, ending: string): string {
  const last = (/([^/\\?#]+)[?#]?[^/\\]*$/.exec(from)?.[1] ?? fallback).replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')
  const name = last.slice(0, 80) || 'result'
  return name.includes('.') && ending === '' ? name : `${name}${ending}`
}
