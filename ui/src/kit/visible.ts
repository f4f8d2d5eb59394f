/**
 * Splits a text into what can be seen and what cannot, so that nothing hides in it.
 *
 * Always true here: joined together, the pieces are the text; every character that has no shape of its own, changes the
 * direction of writing, or only looks like a space is a mark, and many of one in a row are one mark that says how many.
 */

/** A character that cannot be seen, or so many of it in a row. */
interface Mark {
  kind: 'mark'
  text: string
  code: string
  sign: string
  times: number
}

/** A piece of a text: plain, or what cannot be seen. */
export type Piece = { kind: 'plain'; text: string } | Mark

/** From so many in a row on, they are told once. */
const MANY = 4

const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\u00a0\u034f\u115f\u1160\u17b4\u17b5\u2000-\u200a\u202f\u205f\u2800\u3164\uffa0\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u

/** What stands for a character that is common enough to have a sign. */
const SIGNS: Record<string, string> = {
  '\n': '↵',
  '\r': '␍',
  '\t': '⇥',
  '\u0000': '␀',
  '\u001b': '␛',
  '\u00a0': '⍽',
}

/** The pieces of a text. Spaces at its ends are marked too when `ends` is set, as for an argument of a command. */
export function pieces(text: string, ends = false): Piece[] {
  // Nearly every text is plain, and one look at all of it takes less time than one at each character.
  const spaced = ends && text !== text.trim()
  if (text !== '' && !spaced && !UNSEEN.test(text)) return [{ kind: 'plain', text }]
  const found: Piece[] = []
  let plain = ''
  const inner = text.trim()
  const begin = text.length - text.trimStart().length
  const end = begin + inner.length
  let at = 0
  let before = ''
  for (const character of text) {
    const atEnds = ends && character === ' ' && (at < begin || at >= end)
    // The selector that asks for a coloured picture is part of that picture.
    const picture = character === '\ufe0f' && /\p{Extended_Pictographic}/u.test(before)
    if (atEnds || (UNSEEN.test(character) && !picture)) {
      if (plain) found.push({ kind: 'plain', text: plain })
      plain = ''
      const code = codeOf(character)
      const sign = atEnds ? '␣' : (SIGNS[character] ?? code)
      const last = found.at(-1)
      if (last?.kind === 'mark' && last.code === code) {
        last.text += character
        last.times += 1
      } else found.push({ kind: 'mark', text: character, code, sign, times: 1 })
    } else plain += character
    at += character.length
    before = character
  }
  if (plain) found.push({ kind: 'plain', text: plain })
  return found.flatMap<Piece>((piece) => (piece.kind === 'plain' ? piece : told(piece)))
}

/** Many in a row are told once; line breaks stay, for places where they break lines. */
function told(run: Mark): Mark[] {
  if (run.times >= MANY && !run.text.startsWith('\n'))
    return [{ ...run, sign: `${run.sign} × ${run.times}` }]
  return [...run.text].map((text) => ({ ...run, text, times: 1 }))
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** A text from outside for places that take plain text only, such as a label: marks are written out. */
export function revealed(text: string): string {
  return written(text, (mark) => mark === '\n')
}

/** The same for a place of one line, such as a window's title: what would break it is a mark, too. */
export function revealedInLine(text: string): string {
  return written(text, () => false)
}

function written(text: string, stays: (mark: string) => boolean): string {
  return pieces(text)
    .map((piece) => (piece.kind === 'plain' || stays(piece.text) ? piece.text : `⟨${piece.sign}⟩`))
    .join('')
}
