/**
 * Which rows a person chose to see, as they chose it: a link says it, it is kept under a name, and asked of the host as a filter.
 *
 * Always true here: a span such as the last hour stays one, and moves with the clock whenever it is asked for.
 */
import { filterOf, type CallerText } from '../../messages/callers'
import type { ActivityFilter, ActivitySegment, Outcome } from '../../host/types.gen'
import { OUTCOMES } from './rowText'
import { momentsOf, SPANS, type Span } from './span'

/** Parts of the log, and all of it. */
export const SEGMENTS = ['calls', 'decisions', 'system', 'all'] as const
export type Segment = ActivitySegment | 'all'

/** What was chosen. Texts are empty where everything is wanted. */
export interface FilterChoice {
  segment: Segment
  server: string
  tool: string
  outcome: Outcome | ''
  caller: CallerText
  span: Span
  /** The first and the last day, of the span `days`. */
  from: string
  to: string
  /** The first moment and the first one after it, of the span `exact`. */
  between: [from: number, to: number] | null
  text: string
}

/** What the list begins with. */
export const NO_CHOICE: FilterChoice = {
  segment: 'calls',
  server: '',
  tool: '',
  outcome: '',
  caller: '',
  span: 'any',
  from: '',
  to: '',
  between: null,
  text: '',
}

/** The filter that is asked of the host. */
export function filterFor(choice: FilterChoice, now = Date.now()): ActivityFilter {
  const { segment, server, tool, outcome, caller, span, from, to, between, text } = choice
  return {
    segment: segment === 'all' ? null : segment,
    server: server || null,
    tool: tool.trim() || null,
    outcome: outcome || null,
    caller: filterOf(caller),
    ...(span === 'exact'
      ? { from: between?.[0] ?? null, to: between?.[1] ?? null }
      : momentsOf(span, from, to, now)),
    text: text.trim() || null,
  }
}

/** Whether a choice leaves something out beside the other parts of the log. */
export function leavesOut(choice: FilterChoice): boolean {
  return (
    JSON.stringify({ ...choice, segment: 'all' }) !==
    JSON.stringify({ ...NO_CHOICE, segment: 'all' })
  )
}

/** The choice that a link says, or that was kept. What cannot be understood is as if it was not there. */
export function choiceFrom(words: Record<string, unknown>): FilterChoice {
  const said = (name: keyof FilterChoice): string => {
    const value = words[name]
    return typeof value === 'string' ? value : ''
  }
  const between = betweenIn(words['between'])
  const outcome = OUTCOMES.find((name) => name === said('outcome')) ?? ''
  const span = SPANS.find((name) => name === said('span')) ?? 'any'
  return {
    segment: SEGMENTS.find((name) => name === said('segment')) ?? segmentFor(outcome, said('text')),
    server: said('server'),
    tool: said('tool'),
    outcome,
    caller: said('caller'),
    span: span === 'exact' && between === null ? 'any' : span,
    from: said('from'),
    to: said('to'),
    between,
    text: said('text'),
  }
}

/** Where a link leads that names no part of the log: words can be anywhere, and no call is merely noted. */
function segmentFor(outcome: Outcome | '', text: string): Segment {
  return outcome === 'noted' || text !== '' ? 'all' : 'calls'
}

function betweenIn(value: unknown): FilterChoice['between'] {
  if (!Array.isArray(value) || value.length !== 2) return null
  const [from, to] = value as unknown[]
  return Number.isFinite(from) && Number.isFinite(to) ? [Number(from), Number(to)] : null
}
