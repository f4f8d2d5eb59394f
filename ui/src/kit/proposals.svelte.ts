/**
 * Proposals for a text that is being typed.
 *
 * Always true here: asked a moment after the last key; an answer to an older text is thrown away; a failure proposes nothing.
 */

/** What was proposed. */
export interface Proposed {
  values: string[]
  more: boolean
}

/** Asks for proposals. */
export type Propose = (typed: string) => Promise<Proposed>

const MOMENT_MS = 200
const NOTHING: Proposed = { values: [], more: false }

/** The proposals of one field. */
export class Proposals {
  now = $state.raw<Proposed>(NOTHING)
  /** Which one is pointed at with the arrow keys; -1 for none. */
  at = $state(-1)

  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(readonly propose: () => Propose | undefined) {}

  /** Something was typed, or the field was opened. */
  typed(text: string): void {
    clearTimeout(this.#timer)
    const turn = ++this.#turn
    this.#timer = setTimeout(() => void this.#ask(text, turn), MOMENT_MS)
  }

  /** Puts the proposals away, and what is still on its way with them. */
  close(): void {
    clearTimeout(this.#timer)
    this.#turn += 1
    this.now = NOTHING
    this.at = -1
  }

  /** Points at the next one or the one before, around the ends. */
  move(step: 1 | -1): void {
    const count = this.now.values.length
    if (count === 0) return
    if (this.at === -1) this.at = step === 1 ? 0 : count - 1
    else this.at = (this.at + step + count) % count
  }

  async #ask(text: string, turn: number): Promise<void> {
    try {
      const found = await this.propose()?.(text)
      if (turn !== this.#turn) return
      this.now = found ?? NOTHING
    } catch {
      if (turn === this.#turn) this.now = NOTHING
    }
    this.at = -1
  }
}
