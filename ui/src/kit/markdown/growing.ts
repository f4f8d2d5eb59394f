/**
 * A text in Markdown that grows at its end, read piece by piece.
 *
 * Always true here: what was read is not read again but for the last block, so that a long text costs no more for each word
 * than a short one; read at once or as it grew, the blocks are the same, except where one block alone is longer than
 * {@link LONGEST}.
 */
import { placedBlocksOf, type Block } from './tree'

/** How many characters the last block may have before it is taken as it is, and another one begun. */
export const LONGEST = 8_192

/** The blocks of a text so far. */
export class Growing {
  #finished: Block[] = []
  /** What is behind the finished blocks. */
  #tail = ''
  /** All that was read. */
  #text = ''
  /** The blocks of a text that begins with the one before; of another one, all is read anew. */
  read(text: string): Block[] {
    if (text.startsWith(this.#text)) this.#tail += text.slice(this.#text.length)
    else {
      this.#finished = []
      this.#tail = text
    }
    this.#text = text
    const placed = placedBlocksOf(this.#tail)
    const last = placed.length - 1
    const before = placed[last - 1]
    if (before !== undefined) {
      this.#finish(
        placed.slice(0, last).map((one) => one.block),
        endOfLine(this.#tail, before.end),
      )
    }
    const open = placed.slice(Math.max(last, 0)).map((one) => one.block)
    if (this.#tail.length <= LONGEST || open[0]?.kind === 'code')
      return [...this.#finished, ...open]
    this.#finish(open, this.#tail.length)
    return this.#finished
  }

  #finish(blocks: Block[], length: number): void {
    this.#finished = [...this.#finished, ...blocks]
    this.#tail = this.#tail.slice(length)
  }
}

/** Where so many lines of a text end. */
function endOfLine(text: string, lines: number): number {
  let at = 0
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', at)
    if (next < 0) return text.length
    at = next + 1
  }
  return at
}
