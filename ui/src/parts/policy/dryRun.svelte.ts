/**
 * Asks what would become of a call that is only thought of, and again whenever the call, a rule or an approval changes.
 *
 * Always true here: an answer about an earlier call never shows beside a later one.
 */
import { asHostError } from '../../state/errors'
import type { Ask } from '../../state/ask'
import type { HostError, DryRun, DryRunResult } from '../../host/types.gen'

/** How long typing has to rest before the host is asked. */
const PAUSE_MS = 200

export class DryRunning {
  answer = $state.raw<DryRunResult | null>(null)
  error = $state.raw<HostError | null>(null)

  #of: string | null = null
  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #ask: Ask

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Asks about a call once typing rests; `null`: there is none yet. */
  about(call: DryRun | null): void {
    clearTimeout(this.#timer)
    const turn = ++this.#turn
    const of = call === null ? null : JSON.stringify(call)
    if (of !== this.#of) this.answer = this.error = null
    this.#of = of
    if (call !== null) this.#timer = setTimeout(() => void this.#load(call, turn), PAUSE_MS)
  }

  /** Ends what is still to come. */
  leave(): void {
    clearTimeout(this.#timer)
    this.#turn += 1
  }

  async #load(call: DryRun, turn: number): Promise<void> {
    try {
      const answer = await this.#ask('test_policy', { call })
      if (turn === this.#turn) [this.answer, this.error] = [answer, null]
    } catch (thrown) {
      if (turn === this.#turn) [this.answer, this.error] = [null, asHostError(thrown)]
    }
  }
}
