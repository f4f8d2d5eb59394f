/** Says when the assistants that were made must be asked for again. */
import type { HostEvent } from '../host/types.gen'

export class Assistants {
  /** Counted up whenever one was made, changed or removed. */
  changed = $state(0)

  replace(): void {
    this.changed += 1
  }

  onEvent(event: HostEvent): void {
    if (event.kind === 'assistants_changed') this.changed += 1
  }
}
