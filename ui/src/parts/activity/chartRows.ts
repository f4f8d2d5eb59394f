/**
 * Figures as the rows of charts and tables: what each is called, how many, and what it is filtered by when it is pointed at. Pure.
 */
import { axisTime, m, number, plural, spanOfTime } from '../../messages'
import { callerWords, textOf } from '../../messages/callers'
import type { IconName } from '../../kit'
import type { ActivityFigures, Outcome, TimeFigures } from '../../host/types.gen'
import { callerIcon } from './callerMark'
import { markOf } from './rowText'
import { callerName } from './sentence'
import type { Pointed } from './pointed'

/** How calls ended, as far as bars tell it apart. */
export const PARTS = ['done', 'failed', 'refused'] as const
export type Part = (typeof PARTS)[number]

/** So many calls, by how they ended. */
export interface CountRow extends Record<Part, number> {
  key: string
  /** May be a stranger's words. */
  name: string
  /** Shorter, for where there is little room. */
  short?: string
  icon?: IconName
  /** What its bar says, where that is not how many failed. */
  words?: string
  calls: number
  chosen: Pointed
}

/** What a bar says. */
export function countWords({ name, words, calls, failed, refused }: CountRow): string {
  return (
    words ?? plural('charts.bar', calls, { name, failed: number(failed), refused: number(refused) })
  )
}

/** How long something takes. */
export interface TimeRow {
  key: string
  name: string
  time: TimeFigures
  /** Nothing where it is about all. */
  chosen: Pointed | null
}

interface Counted {
  calls: number
  failed: number
  refused: number
}

const parts = ({ calls, failed, refused }: Counted): Record<Part, number> & { calls: number } => ({
  calls,
  done: Math.max(0, calls - failed - refused),
  failed,
  refused,
})

/** Stretches of time, in order. */
export function spanRows({ spans, unit }: ActivityFigures): CountRow[] {
  return spans.map(({ from, to, done, failed, refused }) => ({
    key: String(from),
    name: spanOfTime(from, to, unit),
    short: axisTime(from, unit),
    ...parts({ calls: done + failed + refused, failed, refused }),
    chosen: { segment: 'calls', span: 'exact', between: [from, to] },
  }))
}

/** Servers, most calls first. */
export function serverRows({ servers }: ActivityFigures): CountRow[] {
  return servers.map(({ server, ...counts }) => ({
    key: server,
    name: server,
    ...parts(counts),
    chosen: { segment: 'calls', server },
  }))
}

/** Those who asked, most calls first. */
export function callerRows({ callers }: ActivityFigures): CountRow[] {
  return callers.map(({ caller, ...counts }) => ({
    key: textOf(caller),
    name: callerWords(caller),
    short: callerName(caller),
    icon: callerIcon(caller.kind),
    ...parts(counts),
    chosen: { segment: 'calls', caller: textOf(caller) },
  }))
}

const FAILED: readonly Outcome[] = ['failed', 'tool_error', 'interrupted']
const REFUSED: readonly Outcome[] = ['refused', 'cancelled']

/** How calls ended, most first. */
export function outcomeRows({ outcomes }: ActivityFigures): CountRow[] {
  return outcomes
    .map(({ outcome, calls }) => ({
      key: outcome,
      name: m(`outcome.${outcome}`),
      icon: markOf(outcome).icon,
      words: plural('charts.outcome', calls, { name: m(`outcome.${outcome}`) }),
      ...parts({
        calls,
        failed: FAILED.includes(outcome) ? calls : 0,
        refused: REFUSED.includes(outcome) ? calls : 0,
      }),
      chosen: { segment: 'calls' as const, outcome },
    }))
    .sort((one, other) => other.calls - one.calls)
}

/** How long calls ran, all and by server, and how long they waited. */
export function timeRows({ ran, waited, servers }: ActivityFigures): TimeRow[] {
  const all = (key: 'ran_all' | 'waited_all', time: TimeFigures | null): TimeRow[] =>
    time === null ? [] : [{ key, name: m(`charts.${key}`), time, chosen: null }]
  return [
    ...all('ran_all', ran),
    ...all('waited_all', waited),
    ...servers.flatMap(({ server, ran: time }): TimeRow[] =>
      time === null
        ? []
        : [{ key: `of ${server}`, name: server, time, chosen: { segment: 'calls', server } }],
    ),
  ]
}
