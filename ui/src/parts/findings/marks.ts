/**
 * Places in a text that are to be seen: what was found in it, and what was covered.
 *
 * Always true here: joined together, the stretches are the text; a place that does not lie in the text marks nothing.
 */
import type { Finding, FindingKind, Severity } from '../../host/types.gen'

/** A stretch of a text with everything that was found there, the worst first. */
export interface Stretch {
  text: string
  findings: Finding[]
}

const ORDER: Severity[] = ['critical', 'high', 'medium', 'low', 'info']
/** What the host has put a mark in the place of. */
const COVERED: FindingKind[] = ['credential', 'personal_number']
/** What the host has put in its place: `⟦credential 1⟧`. */
const MARK = /^⟦(credential|number) (\d+)⟧$/

/** What a mark of this host stands in the place of, and its number; nothing for any other stretch. */
export function coverOf(
  stretch: Stretch,
): { what: 'credential' | 'number'; n: number } | undefined {
  const mark = MARK.exec(stretch.text)
  if (!mark || !stretch.findings.some((finding) => COVERED.includes(finding.kind))) return undefined
  return { what: mark[1] as 'credential' | 'number', n: Number(mark[2]) }
}

/** The worst first; where they are equal, as they stand. */
export function worstFirst(findings: Finding[]): Finding[] {
  return [...findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
}

/** How grave a finding looks. */
export function toneOf(severity: Severity): 'bad' | 'warn' | 'neutral' {
  if (severity === 'critical' || severity === 'high') return 'bad'
  return severity === 'medium' ? 'warn' : 'neutral'
}

/** The text cut where findings begin and end. Their spans count bytes of UTF-8. */
export function stretches(text: string, findings: Finding[]): Stretch[] {
  const found = findings.filter(({ span }) => span.start < span.end)
  if (found.length === 0) return text === '' ? [] : [{ text, findings: [] }]
  const wanted = [...new Set(found.flatMap(({ span }) => [span.start, span.end]))].sort(
    (a, b) => a - b,
  )
  const places = placesOf(text, wanted)
  const whole = found.flatMap((finding) => {
    const [start, end] = [places.get(finding.span.start), places.get(finding.span.end)]
    return start === undefined || end === undefined ? [] : [{ start, end, finding }]
  })
  const cuts = [
    ...new Set([0, text.length, ...whole.flatMap(({ start, end }) => [start, end])]),
  ].sort((a, b) => a - b)
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index] ?? 0
    const here = whole
      .filter((mark) => mark.start <= start && mark.end >= end)
      .map((mark) => mark.finding)
    return { text: text.slice(start, end), findings: worstFirst(here) }
  })
}

/** Where in the string these bytes are; those between characters only. */
function placesOf(text: string, bytes: number[]): Map<number, number> {
  const places = new Map<number, number>()
  let [at, byte, next] = [0, 0, 0]
  while (next < bytes.length) {
    const wanted = bytes[next] ?? 0
    if (byte === wanted) places.set(wanted, at)
    if (byte >= wanted) {
      next += 1
      continue
    }
    if (at >= text.length) break
    const code = text.codePointAt(at) ?? 0
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    at += code < 0x10000 ? 1 : 2
  }
  return places
}
