/** Calls of which nobody knows what became of them, until a person has seen them. */
import type { CallId, HostEvent, Snapshot, UnknownCall } from '../host/types.gen'
import type { Ask } from './ask'

export class UnknownOutcomes {
  readonly #ask: Ask
  /** The oldest of them. */
  list = $state.raw<UnknownCall[]>([])
  /** How many more there are. */
  more = $state(0)

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** The call of this number, if its outcome is unknown and nobody has seen that. */
  of(call: CallId): UnknownCall | undefined {
    return this.list.find((other) => other.call === call)
  }

  replace(snapshot: Snapshot): void {
    this.list = snapshot.unknown
    this.more = snapshot.unknown_more
  }

  onEvent(event: HostEvent): void {
    if (event.kind !== 'unknown_changed') return
    this.list = event.unknown
    this.more = event.more
  }

  /** Notes that the person has seen it; throws a `HostError`. */
  async seen(call: CallId): Promise<void> {
    await this.#ask('note_unknown', { call })
    this.list = this.list.filter((other) => other.call !== call)
  }
}
