/**
 * What each server offers and how it stands to what was decided, as last asked for. Who shows it asks for it.
 *
 * Always true here: the newest answer is shown, whether it came of asking or of deciding; a late older one is dropped.
 */
import { SvelteMap } from 'svelte/reactivity'
import { asHostError } from '../host/error'
import type { HostError, FeatureDecision, FeaturesReview, ServerId } from '../host/types.gen'
import type { Ask } from './ask'

export class Reviews {
  readonly #ask: Ask
  readonly #reviews = new SvelteMap<ServerId, FeaturesReview>()
  readonly #errors = new SvelteMap<ServerId, HostError>()
  readonly #asked = new Map<ServerId, number>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** What a server offers; `undefined` until it was asked once. */
  of(server: ServerId): FeaturesReview | undefined {
    return this.#reviews.get(server)
  }

  /** Why it could not be asked. */
  errorOf(server: ServerId): HostError | undefined {
    return this.#errors.get(server)
  }

  /** Asks what a server offers now. */
  async load(server: ServerId): Promise<void> {
    const turn = this.#turn(server)
    try {
      this.#take(server, turn, await this.#ask('review_offers', { server }))
    } catch (thrown) {
      if (this.#asked.get(server) === turn) this.#errors.set(server, asHostError(thrown))
    }
  }

  /** Keeps decisions, all or none; throws a `HostError`. */
  async decide(server: ServerId, decisions: FeatureDecision[]): Promise<void> {
    const review = await this.#ask('decide_offers', { server, decisions })
    this.#take(server, this.#turn(server), review)
  }

  #turn(server: ServerId): number {
    const turn = (this.#asked.get(server) ?? 0) + 1
    this.#asked.set(server, turn)
    return turn
  }

  #take(server: ServerId, turn: number, review: FeaturesReview): void {
    if (this.#asked.get(server) !== turn) return
    this.#reviews.set(server, review)
    this.#errors.delete(server)
  }
}
