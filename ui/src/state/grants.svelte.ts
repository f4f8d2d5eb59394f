/** Says when the list of approvals must be asked for again. */
import type { HostEvent } from '../host/types.gen'

class Grants {
  /** Counted up with every approval that was given or taken back. */
  changed = $state(0)

  hear(event: HostEvent): void {
    if (event.kind === 'grant_made' || event.kind === 'grant_revoked') this.changed += 1
  }
}

export const grants = new Grants()
