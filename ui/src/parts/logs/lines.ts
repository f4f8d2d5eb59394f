/** Lines of a server's log: which are grave enough, and how the ones that were asked for and the ones that came fit together. */
import type { LoggedLine, LogLevel } from '../../host/types.gen'

/** Least grave first (RFC 5424). */
export const LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

/** The tone of a level; its word says the same. */
export function toneOf(level: LogLevel): 'neutral' | 'info' | 'warn' | 'bad' {
  const gravity = LEVELS.indexOf(level)
  return gravity < 2 ? 'neutral' : gravity === 2 ? 'info' : gravity === 3 ? 'warn' : 'bad'
}

/** Whether a line is at least this grave. */
export function atLeast(line: LoggedLine, level: LogLevel): boolean {
  return LEVELS.indexOf(line.line.level) >= LEVELS.indexOf(level)
}

/** What a line says, as text. */
export function textOf(data: unknown): string {
  return typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null')
}

/** More than that does not come between a question and its answer. */
const MOST_TWICE = 500

/** A line with a number that it keeps while it is shown. */
export interface NumberedLine extends LoggedLine {
  number: number
}

/**
 * Joins the lines that were asked for with those that came meanwhile, and numbers them.
 *
 * A line can be in both: the host tells of it before it answers. The longest end of the first that begins the second is
 * taken once.
 */
export function joined(asked: LoggedLine[], came: LoggedLine[], dropped: number): NumberedLine[] {
  let overlap = Math.min(asked.length, came.length, MOST_TWICE)
  const [before, after] = [
    asked.slice(asked.length - overlap).map(keyOf),
    came.slice(0, overlap).map(keyOf),
  ]
  while (
    overlap > 0 &&
    !after.slice(0, overlap).every((key, at) => key === before[before.length - overlap + at])
  )
    overlap -= 1
  return [...asked, ...came.slice(overlap)].map((line, at) => ({ ...line, number: dropped + at }))
}

function keyOf(line: LoggedLine): string {
  return JSON.stringify(line)
}
