/**
 * A text in Markdown that grows at its end, read piece by piece.
 *
 * Always true here: what was read is not read again but for the last block, so that a long text costs no more for each word
 * than a short one; read at once or as it grew, the blocks are the same, except where one block alone is longer than
 * {@link LONGEST}; a finished block stays the same object.
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
    const grows = text.startsWith(this.#text)
    const added = grows ? text.slice(this.#text.length) : text
    if (!grows) this.#finished = []
    this.#tail = (grows ? this.#tail : '') + added
    this.#text = text
    // What a line is can change until all of it is there, and with it where the block before ends.
    if (added.includes('\n')) this.#finishBefore(this.#tail.lastIndexOf('\n') + 1)
    const open = placedBlocksOf(this.#tail).map((one) => one.block)
    if (this.#tail.length <= LONGEST || open[0]?.kind === 'code')
      return [...this.#finished, ...open]
    this.#finish(open, this.#tail.length)
    return this.#finished
  }

  /** Finishes all blocks of the first characters but the last block. */
  #finishBefore(length: number): void {
    const placed = placedBlocksOf(this.#tail.slice(0, length))
    const before = placed.at(-2)
    if (before === undefined) return
    this.#finish(
      placed.slice(0, -1).map((one) => one.block),
      endOfLine(this.#tail, before.end),
    )
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
