/** Says when the list of approvals must be asked for again. */
import type { HostEvent } from '../host/types.gen'

export class Grants {
  /** Counted up with every approval that was given, taken back, or has lapsed. */
  changed = $state(0)

  replace(): void {
    this.changed += 1
  }

  onEvent(event: HostEvent): void {
    if (
      event.kind === 'grant_made' ||
      event.kind === 'grant_revoked' ||
      event.kind === 'grant_lapsed'
    )
      this.changed += 1
  }
}
