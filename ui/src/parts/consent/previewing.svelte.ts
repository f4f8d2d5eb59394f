/**
 * Asks what an answer would do while a person puts it together.
 *
 * Always true here: what is said belongs to the answer as it stands now; while that is not known, `now` is nothing.
 */
import { asHostError } from '../../state/errors'
import type { Decision, DecisionPreview, HostError } from '../../host/types.gen'

/** So long nothing is asked after the last change. */
const PAUSE_MS = 120

export class Previewing {
  /** What was said last, of whichever answer; kept so that nothing flickers. */
  last = $state.raw<DecisionPreview | null>(null)
  #of = $state.raw<string | null>(null)
  #failed = $state.raw<{ of: string; error: HostError } | null>(null)
  #tries = $state(0)
  readonly #read: () => string | null

  /**
   * `answer` gives what is put together now, or nothing; `beside`, what else it depends on. Make it while a component is made.
   */
  constructor(
    answer: () => Decision | null,
    ask: (answer: Decision) => Promise<DecisionPreview>,
    beside: () => readonly string[] = () => [],
  ) {
    const key = $derived.by(() => {
      const now = answer()
      return now === null ? null : JSON.stringify([now, beside()])
    })
    this.#read = () => key
    $effect(() => {
      void this.#tries
      const text = key
      if (text === null) return
      const timer = setTimeout(() => void this.#load(text, ask), PAUSE_MS)
      return () => clearTimeout(timer)
    })
  }

  /** What the answer would do as it stands now. */
  get now(): DecisionPreview | null {
    return this.#of !== null && this.#of === this.#read() ? this.last : null
  }

  /** Why that is not known. */
  get error(): HostError | null {
    return this.#failed !== null && this.#failed.of === this.#read() ? this.#failed.error : null
  }

  /** Asks once more. */
  again(): void {
    this.#tries += 1
  }

  async #load(text: string, ask: (answer: Decision) => Promise<DecisionPreview>): Promise<void> {
    try {
      const [answer] = JSON.parse(text) as [Decision]
      const preview = await ask(answer)
      if (text !== this.#read()) return
      this.last = preview
      this.#failed = null
      this.#of = text
    } catch (thrown) {
      if (text === this.#read()) this.#failed = { of: text, error: asHostError(thrown) }
    }
  }
}
