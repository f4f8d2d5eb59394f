/** What came of a call as one text, so that two can be compared line by line. Pure. */
import type { Content } from '../../host/types.gen'
import { orderedJson } from '../../kit/difference'
import type { Run } from '../../state/bench.svelte'
import { jsonIn } from './jsonIn'

/** So much of each is compared. */
export const LONGEST = 200_000

/** The text of a run: its parts one after another, JSON with its names in order, and bytes only by their length and sum. */
export function comparable(run: Run): string {
  if (run.answer === null) return `${run.error?.code ?? ''}\n${run.error?.message ?? ''}`
  const { structured } = run.answer
  const said = structured === null || structured === undefined ? null : orderedJson(structured)
  // Many tools say the same twice, as JSON and as a text.
  const parts = run.answer.content.map(textOfPart).filter((text) => text !== said)
  return [...parts, ...(said === null ? [] : [said])].join('\n\n')
}

/** The arguments of a run as a text. */
export function comparableArguments(run: Run): string {
  return orderedJson(run.arguments)
}

function textOfPart(part: Content): string {
  switch (part.kind) {
    case 'text': {
      const json = jsonIn(part.text)
      return json === null ? part.text : orderedJson(json.value)
    }
    case 'image':
    case 'audio':
      return orderedJson({ ...part, data: summed(part.data) })
    case 'resource':
      return orderedJson({ ...part, blob: part.blob === null ? null : summed(part.blob) })
    default:
      return orderedJson(part)
  }
}

/** A long text by its length and a sum over it (FNV-1a): nobody reads Base64. */
function summed(text: string): string {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0
  return `${text.length} · ${sum.toString(16).padStart(8, '0')}`
}
