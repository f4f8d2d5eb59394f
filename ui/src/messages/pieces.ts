/** A text cut at its parameters, for sentences in which a name has a look of its own. */
import { m, type Key } from '.'

/** Words of ours, or the place of a parameter. */
export type SentencePiece = { words: string } | { parameter: string }

/** The pieces of a text in the order of the language. */
export function pieces(key: Key): SentencePiece[] {
  return m(key)
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{\w+\}$/.test(part) ? { parameter: part.slice(1, -1) } : { words: part }))
}
