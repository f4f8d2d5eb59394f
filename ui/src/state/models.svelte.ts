/** Says when the models that were set up must be asked for again. */
import type { HostEvent } from '../host/types.gen'

export class Models {
  /** Counted up whenever one was set up, changed or removed. */
  changed = $state(0)

  replace(): void {
    this.changed += 1
  }

  onEvent(event: HostEvent): void {
    if (event.kind === 'models_changed') this.changed += 1
  }
}
