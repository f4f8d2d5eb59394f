/**
 * The figures behind the charts.
 *
 * Always true here: figures of an earlier filter never show under a later one.
 */
import { asHostError } from '../../state/errors'
import type { Ask } from '../../state/ask'
import type { ActivityFigures, ActivityFilter, HostError } from '../../host/types.gen'

export class Figures {
  /** Absent until they were counted once. */
  current = $state.raw<ActivityFigures | null>(null)
  error = $state.raw<HostError | null>(null)

  #turn = 0
  readonly #ask: Ask

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Counts anew. Only calls are counted, whatever part of the log the list shows. */
  async count(filter: ActivityFilter): Promise<void> {
    const turn = ++this.#turn
    try {
      const found = await this.#ask('count_activity', { filter: { ...filter, segment: 'calls' } })
      if (turn === this.#turn) [this.current, this.error] = [found, null]
    } catch (thrown) {
      if (turn === this.#turn) this.error = asHostError(thrown)
    }
  }
}
