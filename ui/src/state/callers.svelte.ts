/** Everyone who can ask for something, or has: for lists to choose from. */
import { isSame } from '../host/callers'
import type { Caller, HostEvent, Snapshot } from '../host/types.gen'

export { holdsFor } from '../host/callers'

export class Callers {
  list = $state.raw<Caller[]>([])

  replace(snapshot: Snapshot): void {
    this.list = snapshot.callers
  }

  onEvent(event: HostEvent): void {
    if (event.kind !== 'call_changed') return
    const { caller } = event.call
    if (!this.list.some((known) => isSame(known, caller))) this.list = [...this.list, caller]
  }
}
