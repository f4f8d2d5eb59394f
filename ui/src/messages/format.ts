/** Times and numbers as the language of the window writes them. */
import { formatOf } from './formats'

/** A point in time, to the second. */
export function dateTime(at: number): string {
  return formatOf(Intl.DateTimeFormat, {
    dateStyle: 'medium',
    timeStyle: 'medium',
  }).format(at)
}

/** The day of a point in time. */
export function dayOf(at: number): string {
  return formatOf(Intl.DateTimeFormat, { dateStyle: 'long' }).format(at)
}

/** The day of a point in time, with its name. */
export function fullDayOf(at: number): string {
  return formatOf(Intl.DateTimeFormat, { dateStyle: 'full' }).format(at)
}

/** A stretch of time: its days, and the times of day if it is shorter than one. `to` is the first moment after it. */
export function timeRange(from: number, to: number): string {
  const isShort = to - from < 20 * 3_600_000
  return formatOf(Intl.DateTimeFormat, {
    dateStyle: 'medium',
    ...(isShort && { timeStyle: 'short' }),
  }).formatRange(from, isShort ? to : to - 1)
}

/** How long the spans of a chart are. */
export type SpanUnit = 'hour' | 'day' | 'week' | 'month'

/** A span of a chart; `to` is the first moment after it. */
export function spanOfTime(from: number, to: number, unit: SpanUnit): string {
  if (unit !== 'month') return timeRange(from, to)
  return formatOf(Intl.DateTimeFormat, { year: 'numeric', month: 'long' }).format(from)
}

/** The beginning of a span, short enough for an axis. */
export function axisTime(from: number, unit: SpanUnit): string {
  if (unit === 'hour') return timeOfDay(from)
  return formatOf(Intl.DateTimeFormat, {
    month: 'short',
    ...(unit === 'month' ? { year: 'numeric' } : { day: 'numeric' }),
  }).format(from)
}

/** The time of day of a point in time, to the minute. */
export function timeOfDay(at: number): string {
  return formatOf(Intl.DateTimeFormat, { timeStyle: 'short' }).format(at)
}

/** A point in time, short: the time alone if it is today. */
export function shortTime(at: number, now = Date.now()): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString()
  return formatOf(
    Intl.DateTimeFormat,
    today ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' },
  ).format(at)
}

const STEPS: ['day' | 'hour' | 'minute' | 'second', number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

/** How long ago, such as "3 minutes ago"; days at most. */
export function ago(at: number, now: number): string {
  const past = at - now
  const [unit, length] = STEPS.find(([, size]) => Math.abs(past) >= size) ?? ['second', 1_000]
  return formatOf(Intl.RelativeTimeFormat, { numeric: 'auto' }).format(
    Math.round(past / length),
    unit,
  )
}

/** A length of time in milliseconds. */
export function duration(ms: number): string {
  const unit = (value: number, name: string, digits: number): string =>
    formatOf(Intl.NumberFormat, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value)
  if (ms < 1_000) return unit(ms, 'millisecond', 0)
  if (ms < 60_000) return unit(ms / 1_000, 'second', 1)
  return unit(ms / 60_000, 'minute', 1)
}

/** A length of time in milliseconds, in its largest unit alone; days at most. */
export function lengthOfTime(ms: number): string {
  const [unit, length] = STEPS.find(([, size]) => ms >= size) ?? ['second', 1_000]
  return formatOf(Intl.NumberFormat, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
  }).format(Math.floor(ms / length))
}

/** A share, in percent; 1 is all of it. */
export function percent(share: number): string {
  return formatOf(Intl.NumberFormat, {
    style: 'percent',
    maximumFractionDigits: share < 0.1 ? 1 : 0,
  }).format(share)
}

/** A number. */
export function number(value: number): string {
  return formatOf(Intl.NumberFormat).format(value)
}

/** A number of bytes. */
export function size(bytes: number): string {
  const unit = (value: number, name: string, unitDisplay: 'long' | 'short'): string =>
    formatOf(Intl.NumberFormat, {
      style: 'unit',
      unit: name,
      unitDisplay,
      maximumFractionDigits: 1,
    }).format(value)
  if (bytes < 1_000) return unit(bytes, 'byte', 'long')
  return bytes < 1_000_000
    ? unit(bytes / 1_000, 'kilobyte', 'short')
    : unit(bytes / 1_000_000, 'megabyte', 'short')
}

/** Names, listed as the language lists them. */
export function allOf(names: string[]): string {
  return formatOf(Intl.ListFormat, { type: 'conjunction' }).format(names)
}
