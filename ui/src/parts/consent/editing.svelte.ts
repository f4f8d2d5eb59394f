/**
 * The arguments of a call while a person changes them.
 *
 * Always true here: while nothing was changed, or all of it was changed back, nothing is sent in place of what was asked for;
 * arguments with a number that did not arrive whole are not changed at all, for the number would be changed with them.
 */
import { FormState, type Trouble } from '../../kit'
import { orderedJson } from '../../kit/difference'
import { flatten, holdsRounded } from '../../kit/flatten'
import { isObject } from '../../kit/form/formValue'

type Args = Record<string, unknown>

/** From here on a text gets several lines to be written in. */
const LONG = 80

export class Editing {
  open = $state(false)
  readonly form: FormState
  /** Whether it can be changed without changing more than is seen. */
  readonly exact: boolean
  readonly #asked: Args

  constructor(schema: Args, asked: Args) {
    this.#asked = asked
    this.exact = !holdsRounded(asked)
    this.form = new FormState(schemaFor(schema, asked), asked)
  }

  /** What would be sent. */
  get value(): Args {
    return this.form.value
  }

  get changed(): boolean {
    return orderedJson(this.form.value) !== orderedJson(this.#asked)
  }

  /** Why what was typed is not what would be sent, if so. */
  get trouble(): Trouble | null {
    return this.form.trouble ?? (this.changed && holdsRounded(this.value) ? 'rounded' : null)
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
    if (
      typeof value === 'object' &&
      value !== null &&
      flatten(value).some(({ kind, text }) => kind === 'string' && /[\r\n]/.test(text))
    ) {
      // A field of one line would lose the breaks inside it; JSON keeps them.
      properties[name] = isObject(part)
        ? { title: part['title'], description: part['description'] }
        : {}
      continue
    }
    const roomy = typeof value === 'string' && (value.length > LONG || /[\r\n]/.test(value))
    properties[name] =
      roomy && isObject(part) && part['enum'] === undefined
        ? { ...part, type: 'string', format: undefined, contentMediaType: 'text/plain' }
        : part
  }
  return { ...schema, properties }
}
