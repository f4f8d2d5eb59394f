/**
 * What servers asked for and were refused without a question, since the person last put that away.
 *
 * Always true here: the same of one server is one entry, however often it asks, so that asking cannot flood the window.
 */
import type { AskRefusal, HostEvent, ServerId } from '../host/types.gen'

/** Something that a server asked for and was refused. */
export interface RefusedAsk {
  server: ServerId
  why: AskRefusal
  /** How often. */
  times: number
}

export class RefusedAsks {
  /** Newest first. */
  list = $state.raw<RefusedAsk[]>([])

  onEvent(event: HostEvent): void {
    if (event.kind !== 'ask_refused') return
    const { server, why, times } = event
    const before = this.list.find((other) => other.server === server && other.why === why)
    this.list = [
      { server, why, times: (before?.times ?? 0) + times },
      ...this.list.filter((other) => other !== before),
    ]
  }

  /** The person has put it away. */
  dismiss(): void {
    this.list = []
  }
}
