/** The beginning of a long text from outside, and what has to be said of the rest. */
import { pieces } from './visible'

/** How much of a text is shown at first; what cannot be seen counts as its mark is wide. */
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
  const begin = asWideAs(characters, [...few.slice(0, characters * 4)].slice(0, characters * 2))
  const rest = text.slice(begin.length)
  return { text: begin, more: [...rest].length, hides: holdsUnseen(rest) }
}

/** As many of these characters as take that much place. */
function asWideAs(most: number, characters: string[]): string {
  let begin = ''
  let left = most
  for (const piece of pieces(characters.join(''))) {
    const shown = piece.kind === 'plain' ? [...piece.text] : [piece.text]
    const width = piece.kind === 'plain' ? 1 : piece.sign.length
    const fits = shown.slice(0, Math.floor(left / width))
    begin += fits.join('')
    left -= fits.length * width
    if (fits.length < shown.length) break
  }
  return begin
}

/** Whether a text holds what cannot be seen and does not lay it out. */
export function holdsUnseen(text: string): boolean {
  return pieces(text.replace(/[\n\r\t]/g, ' ')).some(({ kind }) => kind === 'mark')
}
