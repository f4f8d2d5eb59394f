/**
 * A form made from a JSON Schema while a person fills it in, and the same as JSON text beside it.
 *
 * Always true here: form and text are two looks at one value; what cannot be read is kept as it was typed, until it is
 * typed over.
 */
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import { problemsOf, same, type Problem } from './formProblems'
import {
  beginning,
  isObject,
  pathKey,
  read,
  shown,
  typed,
  write,
  type JsonObject,
  type Path,
} from './formValue'
import { readJson, writeJson, type JsonFault } from './jsonText'
import { fieldsOf, type Field, type Schema, type Shape } from './schemaForm'

/** Where a JSON text cannot be read, or kept; line and column count from 1. `no_object`: it can, but it is no object. */
export type Fault = { kind: JsonFault['why']; line: number; column: number } | { kind: 'no_object' }

/** Why a value is not what was meant: JSON that cannot be read was typed, or what cannot be kept. */
export type Trouble = 'unreadable' | 'rounded' | 'twice'

/** What was typed for a value, as long as the value is still the one that it meant. */
interface Typed {
  text: string
  value: unknown
  fault: JsonFault | null
}

export class FormState {
  readonly fields: Field[]
  /** Why the JSON text cannot be used now. */
  fault = $state.raw<Fault | null>(null)

  #value = $state.raw<JsonObject>({})
  #text = $state.raw<string | null>(null)
  #checked = $state(false)
  readonly #typed = new SvelteMap<string, Typed>()
  readonly #left = new SvelteSet<string>()
  readonly #problems = $derived.by(() => this.#allProblems())

  /** Begins with `value`, or with the schema's defaults. `pickFolder` lets a person pick a folder of this computer. */
  constructor(
    schema: Schema,
    value?: JsonObject,
    readonly pickFolder?: () => Promise<string | null>,
  ) {
    this.fields = fieldsOf(schema)
    this.#value = value ?? beginning(this.fields)
  }

  /** The value, as the form or the last readable text has it. */
  get value(): JsonObject {
    return this.#value
  }

  /** The value as JSON text; the person's own text while it says the same or cannot be read. */
  get text(): string {
    return this.#text ?? writeJson(this.#value)
  }

  /** Takes JSON text. */
  setText(text: string): void {
    this.#text = text
    const reading = text.trim() === '' ? ({ ok: true, value: {} } as const) : readJson(text)
    if (!reading.ok) this.fault = { kind: reading.why, line: reading.line, column: reading.column }
    else if (!isObject(reading.value)) this.fault = { kind: 'no_object' }
    else {
      this.#value = reading.value
      this.fault = null
    }
  }

  /** Replaces everything. */
  replace(value: JsonObject): void {
    this.#value = value
    this.#text = null
    this.fault = null
    this.#typed.clear()
    this.#left.clear()
    this.#checked = false
  }

  /** Why the value is not what was meant, if so. */
  get trouble(): Trouble | null {
    const kinds = [this.fault, ...this.#problems.values()].map((wrong) => wrong?.kind)
    if (kinds.includes('rounded')) return 'rounded'
    if (kinds.includes('twice')) return 'twice'
    return this.fault !== null || kinds.includes('no_json') ? 'unreadable' : null
  }

  at(path: Path): unknown {
    return read(this.#value, path)
  }

  /** Sets the value at a path; `undefined` leaves it out. */
  set(path: Path, value: unknown): void {
    this.#value = write(this.#value, path, value) as JsonObject
    this.#text = null
  }

  /** What an input shows for the value at a path. */
  textAt(path: Path, shape: Shape): string {
    const entry = this.#entryAt(path)
    if (entry !== undefined) return entry.text
    const value = this.at(path)
    if (shape.kind === 'json') return value === undefined ? '' : writeJson(value)
    return shown(value)
  }

  /** Takes what was typed into an input; `empty` is what an empty one means. */
  type(path: Path, shape: Shape, text: string, empty: unknown): void {
    const { value, fault } = text === '' ? { value: empty, fault: null } : meaning(shape, text)
    this.#typed.set(pathKey(path), { text, value, fault })
    this.set(path, value)
  }

  /** The person has left an input: what is wrong with it may be said now. */
  leave(path: Path): void {
    this.#left.add(pathKey(path))
  }

  /** What to say about the value at a path. */
  problemAt(path: Path): Problem | null {
    const key = pathKey(path)
    const problem = this.#problems.get(key) ?? null
    if (problem === null || this.#checked) return problem
    return problem.kind !== 'needed' && this.#left.has(key) ? problem : null
  }

  /** Shows every problem; whether there is none. */
  check(): boolean {
    this.#checked = true
    return this.#problems.size === 0 && this.fault === null
  }

  #entryAt(path: Path): Typed | undefined {
    const entry = this.#typed.get(pathKey(path))
    return entry !== undefined && same(entry.value, this.at(path)) ? entry : undefined
  }

  #allProblems(): Map<string, Problem> {
    const found = problemsOf(this.fields, this.#value)
    for (const [key, entry] of this.#typed) {
      const path = JSON.parse(key) as Path
      if (entry.fault !== null && this.#entryAt(path) === entry)
        found.set(key, problemFor(entry.fault))
    }
    return found
  }
}

function problemFor({ why, line, column }: JsonFault): Problem {
  if (why === 'rounded') return { kind: 'rounded' }
  return { kind: why === 'twice' ? 'twice' : 'no_json', line, column }
}

function meaning(shape: Shape, text: string): { value: unknown; fault: Typed['fault'] } {
  if (shape.kind !== 'json') return { value: typed(shape, text), fault: null }
  const reading = readJson(text)
  // Unreadable JSON is held as a text, so that it is seen in the JSON beside the form too.
  return reading.ok
    ? { value: reading.value, fault: null }
    : { value: text, fault: { why: reading.why, line: reading.line, column: reading.column } }
}
