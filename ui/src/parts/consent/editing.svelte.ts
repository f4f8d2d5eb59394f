/**
 * The arguments of a call while a person changes them.
 *
 * Always true here: while nothing was changed, or all of it was changed back, nothing is sent in place of what was asked for.
 */
import { FormState } from '../../kit'
import { orderedJson } from '../../kit/difference'

type Args = Record<string, unknown>

/** From here on a text gets several lines to be written in. */
const LONG = 80

export class Editing {
  open = $state(false)
  readonly form: FormState
  readonly #asked: Args

  constructor(schema: Args, asked: Args) {
    this.#asked = asked
    this.form = new FormState(schemaFor(schema, asked), asked)
  }

  /** What would be sent. */
  get value(): Args {
    return this.form.value
  }

  get changed(): boolean {
    return orderedJson(this.form.value) !== orderedJson(this.#asked)
  }

  /** What to send in place of what was asked for. */
  get answer(): Args | null {
    return this.changed ? this.value : null
  }

  reset(): void {
    this.form.replace(this.#asked)
  }
}

/** The tool's schema with a field for every argument that is sent, and room for those that need it. */
function schemaFor(schema: Args, asked: Args): Args {
  const declared = isObject(schema['properties']) ? schema['properties'] : {}
  const properties = { ...declared }
  for (const [name, value] of Object.entries(asked)) {
    const part = Object.hasOwn(declared, name) ? declared[name] : {}
    const roomy = typeof value === 'string' && (value.length > LONG || /[\r\n]/.test(value))
    properties[name] = roomy && isObject(part) && part['enum'] === undefined ? { ...part, type: 'string', format: undefined, contentMediaType: 'text/plain' } : part
  }
  return { ...schema, properties }
}

function isObject(value: unknown): value is Args {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
