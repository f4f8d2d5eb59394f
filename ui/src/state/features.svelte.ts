/** When the resources and prompts of a server must be asked for again. Who shows them asks. */
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { HostEvent, ServerId, Snapshot } from '../host/types.gen'

export class Features {
  /** Counted up whenever what a server offers may have changed. */
  readonly changed = new SvelteMap<ServerId, number>()
  /** Addresses of watched resources that changed since they were last read here. */
  readonly updated = new SvelteMap<ServerId, SvelteSet<string>>()

  replace(snapshot: Snapshot): void {
    for (const server of snapshot.servers) this.#count(server.id)
  }

  onEvent(event: HostEvent): void {
    switch (event.kind) {
      case 'offers_changed':
        this.#count(event.server)
        break
      case 'resource_updated': {
        const updated = this.updated.get(event.server) ?? new SvelteSet()
        updated.add(event.uri)
        this.updated.set(event.server, updated)
        break
      }
      case 'server_removed':
        this.changed.delete(event.server)
        this.updated.delete(event.server)
        break
    }
  }

  /** Whether a resource changed since it was last read here. */
  isUpdated(server: ServerId, uri: string): boolean {
    return this.updated.get(server)?.has(uri) ?? false
  }

  /** A resource is being read: what comes later is news again. */
  seen(server: ServerId, uri: string): void {
    this.updated.get(server)?.delete(uri)
  }

  #count(id: ServerId): void {
    this.changed.set(id, (this.changed.get(id) ?? 0) + 1)
  }
}
