/** When there are new messages between Majordomo and a server. The page that shows them asks for them. */
import { SvelteMap } from 'svelte/reactivity'
import type { HostEvent, ServerId, Snapshot } from '../host/types.gen'

export class WireLogNews {
  /** Counted up with new messages of a server. */
  readonly grew = new SvelteMap<ServerId, number>()

  replace(snapshot: Snapshot): void {
    for (const server of snapshot.servers) this.#count(server.id)
  }

  onEvent(event: HostEvent): void {
    if (event.kind === 'exchange_grew') this.#count(event.server)
    else if (event.kind === 'server_removed') this.grew.delete(event.server)
  }

  #count(id: ServerId): void {
    this.grew.set(id, (this.grew.get(id) ?? 0) + 1)
  }
}
