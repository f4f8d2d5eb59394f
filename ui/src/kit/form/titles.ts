/**
 * What a schema calls the values of a call, for a table of them. Pure; the words are a stranger's, as the schema is.
 *
 * Always true here: what the schema does not name has no title, and a title is never longer than is read at a glance.
 */
import { cut } from '../cut'
import { joined } from '../flatten'
import { asSchema, resolve, textOf, withoutNull, type Schema } from './schemaForm'

const LONGEST = 48
const DEEPEST = 8
const BETWEEN = ' › '

interface Step {
  path: string
  value: unknown
  schema: Schema
  words: string
  /** Whether any of the words is a title. */
  titled: boolean
  depth: number
}

/** The titles by the paths that `flatten` gives, with those above them: `Containers 1 › Weight`. */
export function titlesOf(schema: Schema, value: unknown): Map<string, string> {
  const titles = new Map<string, string>()
  const open: Step[] = [{ path: '', value, schema, words: '', titled: false, depth: 0 }]
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (step.titled) titles.set(step.path, step.words)
    if (step.depth < DEEPEST) for (const part of within(step, schema)) open.push(part)
  }
  return titles
}

function within(step: Step, root: Schema): Step[] {
  const { path, value, words, titled } = step
  if (typeof value !== 'object' || value === null) return []
  const depth = step.depth + 1
  const schema = known(step.schema, root)
  if (Array.isArray(value)) {
    const items = asSchema(schema['items']) ?? {}
    return value.map((part: unknown, at) => ({
      path: `${path}[${at}]`,
      value: part,
      schema: items,
      words: `${words} ${at + 1}`,
      titled,
      depth,
    }))
  }
  const properties = asSchema(schema['properties']) ?? {}
  return Object.entries(value).map(([name, part]: [string, unknown]) => {
    const said = Object.hasOwn(properties, name) ? (asSchema(properties[name]) ?? {}) : {}
    const title = textOf(said['title']) ?? textOf(known(said, root)['title'])
    const label = cut(title ?? name, LONGEST)
    return {
      path: joined(path, name),
      value: part,
      schema: said,
      words: words === '' ? label : `${words}${BETWEEN}${label}`,
      titled: titled || (title !== null && title !== name),
      depth,
    }
  })
}

/** A part of a schema with its reference followed, and without `null` as an alternative. */
function known(part: Schema, root: Schema): Schema {
  const found = resolve(part, root, [])
  return found.circular ? {} : withoutNull(found.schema, root).schema
}
