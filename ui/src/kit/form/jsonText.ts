/**
 * Reads JSON that a person types, and says where it breaks, or holds a number that would lose digits.
 *
 * The place is looked for here because engines disagree: WebKit's error names none.
 */

export type Reading =
  | { ok: true; value: unknown }
  | { ok: false; why: 'broken' | 'rounded'; line: number; column: number }

/** The value of a text, or line and column (both from 1) of the first character that cannot stand there, or be kept. */
export function readJson(text: string): Reading {
  try {
    const value = JSON.parse(text) as unknown
    const at = firstRounded(text)
    return at === null ? { ok: true, value } : { ok: false, why: 'rounded', ...placeOf(text, at) }
  } catch {
    return { ok: false, why: 'broken', ...placeOf(text, firstFault(text)) }
  }
}

/** Whether a whole number, as it is written, is longer than a number can be here. */
export function losesDigits(written: string): boolean {
  if (!/^-?\d{16,}$/.test(written)) return false
  const number = Number(written)
  return !Number.isFinite(number) || BigInt(written) !== BigInt(number)
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') }
}

/** The offset of the first number that would lose digits, in a text that is JSON. */
function firstRounded(text: string): number | null {
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0]
    if (token === undefined) return null
    if (losesDigits(token)) return at
  }
  return null
}

/** A value as a person reads it. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null'
}

const TOKEN =
  /[ \t\r\n]+|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y

type Wanted =
  'value' | 'value_or_end' | 'name' | 'name_or_end' | 'colon' | 'comma_or_end' | 'nothing'

/** The offset of the first fault of a text that is no JSON. */
function firstFault(text: string): number {
  const open: ('{' | '[')[] = []
  let wanted: Wanted = 'value'
  let at = 0
  const closed = (): Wanted => (open.length === 0 ? 'nothing' : 'comma_or_end')
  while (at < text.length) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0]
    if (token === undefined) return at
    const next: Wanted | null = /^\s/.test(token) ? wanted : step(token, wanted, open, closed)
    if (next === null) return at
    wanted = next
    at += token.length
  }
  return at
}

function step(
  token: string,
  wanted: Wanted,
  open: ('{' | '[')[],
  closed: () => Wanted,
): Wanted | null {
  if (token === '}' || token === ']') {
    const fits = token === '}' ? ['name_or_end', 'comma_or_end'] : ['value_or_end', 'comma_or_end']
    if (!fits.includes(wanted) || open.pop() !== (token === '}' ? '{' : '[')) return null
    return closed()
  }
  if (token === ',')
    return wanted === 'comma_or_end' ? (open.at(-1) === '{' ? 'name' : 'value') : null
  if (token === ':') return wanted === 'colon' ? 'value' : null
  if (wanted === 'name' || wanted === 'name_or_end') return token.startsWith('"') ? 'colon' : null
  if (wanted !== 'value' && wanted !== 'value_or_end') return null
  if (token === '{' || token === '[') {
    open.push(token)
    return token === '{' ? 'name_or_end' : 'value_or_end'
  }
  return closed()
}
