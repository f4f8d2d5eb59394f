/**
 * Reads JSON that a person types, and says where it breaks, or holds what its value would not: a number that would lose
 * digits, or a name that stands in one object twice.
 *
 * The place is looked for here because engines disagree: WebKit's error names none.
 */

/** Why a text is not taken, and where; line and column count from 1. */
export interface JsonFault {
  why: 'broken' | 'rounded' | 'twice'
  line: number
  column: number
}

export type Reading = { ok: true; value: unknown } | ({ ok: false } & JsonFault)

/** The value of a text, or the place of the first character that cannot stand there, or be kept. */
export function readJson(text: string): Reading {
  try {
    const value = JSON.parse(text) as unknown
    const loss = firstLoss(text)
    if (loss === null) return { ok: true, value }
    return { ok: false, why: loss.why, ...placeOf(text, loss.at) }
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

/** The first number or name of a text that is JSON of which its value would not hold all. */
function firstLoss(text: string): { why: 'rounded' | 'twice'; at: number } | null {
  /** The names so far in every object that is open; nothing for a list. */
  const open: (Set<string> | null)[] = []
  let before = ''
  let at = 0
  for (let token = tokenAt(text, at); token !== null; token = tokenAt(text, at)) {
    const here = at
    at += token.length
    if (/^\s/.test(token)) continue
    if (losesDigits(token)) return { why: 'rounded', at: here }
    const names = open.at(-1)
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (names && (before === '{' || before === ',')) {
      // One name can be written in several ways.
      const name = JSON.parse(token) as string
      if (names.has(name)) return { why: 'twice', at: here }
      names.add(name)
    }
    before = token
  }
  return null
}

/** A value as a person reads it. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null'
}

/** A token that is no string, or the beginning of a string. */
const TOKEN = /[ \t\r\n]+|"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y
const PIECE_OF_STRING = /[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The token that begins at an offset; `null` if none does. */
function tokenAt(text: string, at: number): string | null {
  TOKEN.lastIndex = at
  const token = TOKEN.exec(text)?.[0] ?? null
  if (token !== '"') return token
  // Piece by piece: an expression for the whole of a long string overflows the stack.
  let end = at + 1
  PIECE_OF_STRING.lastIndex = end
  while (PIECE_OF_STRING.test(text)) end = PIECE_OF_STRING.lastIndex
  return text[end] === '"' ? text.slice(at, end + 1) : null
}

type Wanted =
  'value' | 'value_or_end' | 'name' | 'name_or_end' | 'colon' | 'comma_or_end' | 'nothing'

/** The offset of the first fault of a text that is no JSON. */
function firstFault(text: string): number {
  const open: ('{' | '[')[] = []
  let wanted: Wanted = 'value'
  let at = 0
  const closed = (): Wanted => (open.length === 0 ? 'nothing' : 'comma_or_end')
  while (at < text.length) {
    const token = tokenAt(text, at)
    if (token === null) return at
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
