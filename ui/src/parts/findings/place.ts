/** Places in a definition, in words. */
import { revealed } from '../../kit/visible'
import { m, maybe } from '../../messages'

/** Fields of a definition that have a name of ours. */
const FIELDS = new Map([
  ['name', 'name'],
  ['title', 'title'],
  ['description', 'description'],
  ['instructions', 'instructions'],
  ['inputSchema', 'input_schema'],
  ['outputSchema', 'output_schema'],
  ['annotations', 'annotations'],
  ['arguments', 'arguments'],
  ['uriTemplate', 'uri_template'],
  ['mimeType', 'mime_type'],
  ['icons', 'icons'],
  ['websiteUrl', 'website'],
  ['_meta', 'meta'],
])

/** A step on the way to a place: in our words, or in the server's. */
export type PlaceStep = { words: string } | { theirs: string }

/** The way to a place in a definition: the field in our words, then what lies within it in the server's. */
export function placeSteps(at: string): PlaceStep[] {
  const [field, ...within] = steps(at)
  if (field === undefined) return [{ words: m('place.whole') }]
  const words = maybe('place', FIELDS.get(field) ?? '')
  // Between a schema and an argument's name stands a word that says nothing to a reader.
  const way = within.filter((name, index) => !(name === 'properties' && index % 2 === 0))
  return [
    words ? { words } : { theirs: field },
    ...way.map((name): PlaceStep =>
      name === 'description' ? { words: m('place.description') } : { theirs: name },
    ),
  ]
}

/** A place in a definition, as one text. */
export function placeWords(at: string): string {
  return placeSteps(at)
    .map((part) => ('words' in part ? part.words : revealed(part.theirs)))
    .join(' › ')
}

/** The steps of a JSON pointer. */
function steps(at: string): string[] {
  return at
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
