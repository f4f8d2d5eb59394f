/**
 * In which characters a name differs from another.
 *
 * Always true here: joined together, the stretches are the name.
 */
import { difference } from '../../kit/difference'

/** A stretch of a name. */
export interface Stretch {
  text: string
  differs: boolean
  /** The code points of characters that a keyboard does not write, such as `U+0430`; they can look like others. */
  codes: string
}

/** The stretches of a name beside another. */
export function differing(name: string, beside: string): Stretch[] {
  return difference([...beside], [...name])
    .filter((piece) => piece.kind !== 'removed')
    .map(({ kind, text }) => ({
      text,
      differs: kind === 'added',
      codes: kind === 'added' ? codesOf(text) : '',
    }))
}

function codesOf(text: string): string {
  return [...text]
    .filter((character) => character > '~')
    .map(
      (character) =>
        `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
    )
    .join(' ')
}
