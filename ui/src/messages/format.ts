/** Times and numbers as the language of the window writes them. */
import { language, type Language } from './language.svelte'

/** A formatter for the language in use, made once for each: making one takes longer than a row of a list may. */
export function inLanguage<T>(make: (language: Language) => T): () => T {
  const made = new Map<Language, T>()
  return () => {
    const known = made.get(language.current) ?? make(language.current)
    made.set(language.current, known)
    return known
  }
}

const times = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
  inLanguage((language) => new Intl.DateTimeFormat(language, options))
const numbers = (options: Intl.NumberFormatOptions): (() => Intl.NumberFormat) =>
  inLanguage((language) => new Intl.NumberFormat(language, options))

const toTheSecond = times({ dateStyle: 'medium', timeStyle: 'medium' })
const toTheMinute = times({ dateStyle: 'medium', timeStyle: 'short' })
const ofDay = times({ dateStyle: 'medium' })
const ofLongDay = times({ dateStyle: 'long' })
const ofFullDay = times({ dateStyle: 'full' })
const ofMonth = times({ year: 'numeric', month: 'long' })
const ofShortMonth = times({ year: 'numeric', month: 'short' })
const ofShortDay = times({ month: 'short', day: 'numeric' })
const ofTime = times({ timeStyle: 'short' })
const ofTimeToTheSecond = times({ timeStyle: 'medium' })

/** A point in time, to the second. */
export function dateTime(at: number): string {
  return toTheSecond().format(at)
}

/** The day of a point in time. */
export function dayOf(at: number): string {
  return ofLongDay().format(at)
}

/** The day of a point in time, with its name. */
export function fullDayOf(at: number): string {
  return ofFullDay().format(at)
}

/** A stretch of time: its days, and the times of day if it is shorter than one. `to` is the first moment after it. */
export function timeRange(from: number, to: number): string {
  const isShort = to - from < 20 * 3_600_000
  return isShort ? toTheMinute().formatRange(from, to) : ofDay().formatRange(from, to - 1)
}

/** How long the spans of a chart are. */
export type SpanUnit = 'hour' | 'day' | 'week' | 'month'

/** A span of a chart; `to` is the first moment after it. */
export function spanOfTime(from: number, to: number, unit: SpanUnit): string {
  if (unit !== 'month') return timeRange(from, to)
  return ofMonth().format(from)
}

/** The beginning of a span, short enough for an axis. */
export function axisTime(from: number, unit: SpanUnit): string {
  if (unit === 'hour') return timeOfDay(from)
  return (unit === 'month' ? ofShortMonth() : ofShortDay()).format(from)
}

/** The time of day of a point in time, to the minute. */
export function timeOfDay(at: number): string {
  return ofTime().format(at)
}

/** A point in time, short: the time alone if it is today. */
export function shortTime(at: number, now = Date.now()): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString()
  return (today ? ofTimeToTheSecond() : toTheMinute()).format(at)
}

const STEPS: ['day' | 'hour' | 'minute' | 'second', number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

const relatively = inLanguage(
  (language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
)

/** How long ago, such as "3 minutes ago"; days at most. */
export function ago(at: number, now: number): string {
  const past = at - now
  const [unit, length] = STEPS.find(([, size]) => Math.abs(past) >= size) ?? ['second', 1_000]
  return relatively().format(Math.round(past / length), unit)
}

const units = (
  unit: string,
  maximumFractionDigits: number,
  unitDisplay: 'long' | 'short' = 'short',
): (() => Intl.NumberFormat) => numbers({ style: 'unit', unit, unitDisplay, maximumFractionDigits })

const milliseconds = units('millisecond', 0)
const seconds = units('second', 1)
const minutes = units('minute', 1)

/** A length of time in milliseconds. */
export function duration(ms: number): string {
  if (ms < 1_000) return milliseconds().format(ms)
  return ms < 60_000 ? seconds().format(ms / 1_000) : minutes().format(ms / 60_000)
}

const whole = {
  day: units('day', 0),
  hour: units('hour', 0),
  minute: units('minute', 0),
  second: units('second', 0),
}

/** A length of time in milliseconds, in its largest unit alone; days at most. */
export function lengthOfTime(ms: number): string {
  const [unit, length] = STEPS.find(([, size]) => ms >= size) ?? ['second', 1_000]
  return whole[unit]().format(Math.floor(ms / length))
}

const percents = numbers({ style: 'percent', maximumFractionDigits: 0 })
const smallPercents = numbers({ style: 'percent', maximumFractionDigits: 1 })

/** A share, in percent; 1 is all of it. */
export function percent(share: number): string {
  return (share < 0.1 ? smallPercents() : percents()).format(share)
}

const plain = numbers({})

/** A number. */
export function number(value: number): string {
  return plain().format(value)
}

const bytes = units('byte', 1, 'long')
const kilobytes = units('kilobyte', 1)
const megabytes = units('megabyte', 1)

/** A number of bytes. */
export function size(length: number): string {
  if (length < 1_000) return bytes().format(length)
  return length < 1_000_000
    ? kilobytes().format(length / 1_000)
    : megabytes().format(length / 1_000_000)
}

const conjunction = inLanguage((language) => new Intl.ListFormat(language, { type: 'conjunction' }))

/** Names, listed as the language lists them. */
export function allOf(names: string[]): string {
  return conjunction().format(names)
}
