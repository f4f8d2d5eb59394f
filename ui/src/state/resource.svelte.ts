/**
 * What a page asks the host for, and asks for again.
 *
 * Always true here: an older answer that comes late never takes the place of a newer one.
 */
import { asHostError } from '../host/error'
import type { HostError } from '../host/types.gen'

/** A value that is asked for: there, on its way, or why it is not there. */
export class Resource<T> {
  value = $state.raw<T | undefined>(undefined)
  error = $state.raw<HostError | null>(null)
  busy = $state(false)
  #asked = 0
  #answered = 0

  /** Asks; what was there stays until the answer has come. */
  async load(question: () => Promise<T>): Promise<void> {
    const turn = ++this.#asked
    this.busy = true
    try {
      const value = await question()
      if (!this.#isNews(turn)) return
      this.value = value
      this.error = null
    } catch (thrown) {
      if (!this.#isNews(turn)) return
      this.error = asHostError(thrown)
    }
    this.busy = turn !== this.#asked
  }

  #isNews(turn: number): boolean {
    if (turn < this.#answered) return false
    this.#answered = turn
    return true
  }
}
