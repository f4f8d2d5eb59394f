/**
 * What a text can be picked with, beside being typed, as far as its schema says; and moments of time as forms write them.
 * Pure. A guess that is wrong costs nothing: the text can hold anything.
 */
import type { Schema } from './schemaForm'

/** How a text can be picked: a folder of this computer, a day, a time of the day, or a moment. */
export type Picker = 'folder' | 'day' | 'time' | 'moment'

const BY_FORMAT: Record<string, Picker> = {
  date: 'day',
  time: 'time',
  'date-time': 'moment',
  path: 'folder',
  'file-path': 'folder',
  'directory-path': 'folder',
  'uri-reference': 'folder',
}
const FOLDER = /(?:^|[\s_.-])(?:file)?(?:paths?|dirs?|folders?|director(?:y|ies)|cwd)$/i

/** What the text of a schema with this name can be picked with. */
export function pickerOf(schema: Schema, name: string): Picker | null {
  const { format, title } = schema
  if (typeof format === 'string')
    return Object.hasOwn(BY_FORMAT, format) ? (BY_FORMAT[format] ?? null) : null
  return [name, title].some((said) => typeof said === 'string' && namesFolder(said))
    ? 'folder'
    : null
}

function namesFolder(said: string): boolean {
  return FOLDER.test(said.replace(/([a-z\d])([A-Z])/g, '$1_$2'))
}

/** A moment as a day and a time of this computer; both empty where the text is no moment. */
export function dayAndTime(text: string): { day: string; time: string } {
  const at = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/i.test(text) ? new Date(text) : null
  if (at === null || Number.isNaN(at.getTime())) return { day: '', time: '' }
  return {
    day: `${padded(at.getFullYear(), 4)}-${padded(at.getMonth() + 1)}-${padded(at.getDate())}`,
    time: `${padded(at.getHours())}:${padded(at.getMinutes())}`,
  }
}

/** The moment of a day and a time of this computer, such as `2026-11-27T14:30:00+01:00`. */
export function momentText(day: string, time: string): string {
  const offset = -new Date(`${day}T${time}`).getTimezoneOffset()
  const sign = offset < 0 ? '-' : '+'
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return `${day}T${time}:00${sign}${padded(hours)}:${padded(minutes)}`
}

/** Today, as this computer has it. */
export function today(): string {
  const now = new Date()
  return `${padded(now.getFullYear(), 4)}-${padded(now.getMonth() + 1)}-${padded(now.getDate())}`
}

function padded(number: number, digits = 2): string {
  return String(number).padStart(digits, '0')
}
