/**
 * The connection to the host: one per page. The other stores learn of events from here.
 *
 * Always true here: after a gap or a lost connection every store is replaced by a snapshot.
 */
import { follow } from '../host/follow'
import type { Host } from '../host/host'
import type { HostError, HostEvent, HostInfo, QuestionId, Snapshot } from '../host/types.gen'

/** A store that follows the host. */
export interface Following {
  /** Takes everything as it is now. */
  replace?(snapshot: Snapshot): void
  /** Takes the next event. */
  onEvent(event: HostEvent): void
}

export class Session {
  /** What kind of host this is; absent until it has answered. */
  info = $state<HostInfo | null>(null)
  /** Why there is no connection now; absent while there is one. */
  error = $state<HostError | null>(null)

  readonly #host: Host
  readonly #stores: readonly Following[]

  constructor(host: Host, stores: readonly Following[]) {
    this.#host = host
    this.#stores = stores
  }

  /** Whether questions have windows of their own here. */
  get opensQuestions(): boolean {
    return this.info?.approver === 'question_window' && this.#host.openQuestion !== undefined
  }

  /** Brings the window of a question to the front. One that does not wait any more has gone from every list meanwhile. */
  async openQuestion(question: QuestionId): Promise<void> {
    await this.#host.openQuestion?.(question).catch(() => undefined)
  }

  /** Follows the host. The function it gives ends that. */
  follow(): () => void {
    return follow(this.#host, {
      snapshot: (snapshot) => {
        this.info = snapshot.info
        this.error = null
        for (const store of this.#stores) store.replace?.(snapshot)
      },
      event: (event) => {
        for (const store of this.#stores) store.onEvent(event)
      },
      lost: (error) => {
        this.error = error
      },
    })
  }
}
