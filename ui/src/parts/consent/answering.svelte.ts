/**
 * Lets an answer through to the question that it was meant for, and only a moment after a person can have read it.
 *
 * Always true here: no answer is given in the first moment, or in the moment after the window came to the front or the answers
 * changed, a no as little as a yes; and none goes to another question than the one that it was made for.
 */
import type { Decision } from '../../host/types.gen'
import { Arming } from '../../kit/arming.svelte'

interface Now {
  question: string
  busy: boolean
  give: (answer: Decision) => void
}

/** Make it while a question's component is made. */
export class Answering {
  readonly #arming = new Arming()
  readonly #now: () => Now
  readonly #question: string

  constructor(now: () => Now) {
    this.#now = now
    this.#question = now().question
  }

  /** Whether an answer would be taken now. */
  get ready(): boolean {
    return this.#arming.ready && !this.#now().busy
  }

  /** What stands on the screen has moved: begins another moment. */
  again(): void {
    this.#arming.again()
  }

  give(answer: Decision): void {
    const { question, give } = this.#now()
    if (this.ready && question === this.#question) give(answer)
  }
}
