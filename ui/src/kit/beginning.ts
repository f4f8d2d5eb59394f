/** The beginning of a long text from outside, and what has to be said of the rest. */
import { pieces } from './visible'

/** How much of a text is shown at first. */
export interface Most {
  characters: number
  lines: number
}

export interface Beginning {
  text: string
  /** So many characters are left out. */
  more: number
  /** Whether one of them cannot be seen, and is no line break or tab. */
  hides: boolean
}

export function beginningOf(text: string, { characters, lines }: Most): Beginning {
  const few = text.split('\n', lines).join('\n')
  const begin = [...few.slice(0, characters * 2)].slice(0, characters).join('')
  const rest = text.slice(begin.length)
  return { text: begin, more: [...rest].length, hides: holdsUnseen(rest) }
}

/** Whether a text holds what cannot be seen and does not lay it out. */
export function holdsUnseen(text: string): boolean {
  return pieces(text.replace(/[\n\r\t]/g, ' ')).some(({ kind }) => kind === 'mark')
}
