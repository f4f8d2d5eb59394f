/** Says when the other applications, and who of them is here, must be asked for again. */
import type { HostEvent } from '../host/types.gen'

export class Clients {
  /** Counted up whenever one came, went, or was changed. */
  changed = $state(0)

  replace(): void {
    this.changed += 1
  }

  onEvent(event: HostEvent): void {
    if (event.kind === 'clients_changed') this.changed += 1
  }
}
