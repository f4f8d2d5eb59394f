/** Calls of which nobody knows what became of them, until a person has seen them. */
import type { CallId, HostEvent, Snapshot, UnknownCall } from '../host/types.gen'
import { ask } from './session.svelte'

class Unknown {
  list = $state.raw<UnknownCall[]>([])

  /** The call of this number, if its outcome is unknown and nobody has seen that. */
  of(call: CallId): UnknownCall | undefined {
    return this.list.find((other) => other.call === call)
  }

  replace(snapshot: Snapshot): void {
    this.list = snapshot.unknown
  }

  hear(event: HostEvent): void {
    if (event.kind === 'unknown_changed') this.list = event.unknown
  }

  /** Notes that the person has seen it; throws a `HostError`. */
  async seen(call: CallId): Promise<void> {
    await ask('note_unknown', { call })
    this.list = this.list.filter((other) => other.call !== call)
  }

  clear(): void {
    this.list = []
  }
}

export const unknown = new Unknown()
