/**
 * The servers, as the host last told of them, with the newest lines each wrote.
 *
 * Always true here: what is older than what is known already says nothing, whether an answer or an event brings it.
 */
import { SvelteMap } from 'svelte/reactivity'
import type { HostEvent, ServerId, ServerView, Snapshot } from '../host/types.gen'

/** Lines kept of each server's standard error. */
const LINES_KEPT = 2_000

export class Servers {
  /** By name. */
  list = $state.raw<ServerView[]>([])
  /** Lines that arrived while this page was open, oldest first. */
  readonly wrote = new SvelteMap<ServerId, string[]>()
  /** Counted up whenever a server's tools, or their switches, change. */
  readonly toolsChanged = new SvelteMap<ServerId, number>()
  /** Of those that were removed, the revision that was known last. */
  readonly #removed = new Map<ServerId, number>()

  /** The server of this name. */
  get(id: ServerId): ServerView | undefined {
    return this.list.find((server) => server.id === id)
  }

  replace(snapshot: Snapshot): void {
    this.#removed.clear()
    this.list = sorted(snapshot.servers)
    this.wrote.clear()
    for (const server of snapshot.servers) this.#countTools(server.id)
  }

  onEvent(event: HostEvent): void {
    switch (event.kind) {
      case 'server_changed':
        this.put(event.server)
        break
      case 'server_removed':
        this.#remember(event.server)
        this.list = this.list.filter((server) => server.id !== event.server)
        this.wrote.delete(event.server)
        this.toolsChanged.delete(event.server)
        break
      case 'tools_changed':
        this.#countTools(event.server)
        break
      case 'server_wrote':
        this.wrote.set(
          event.server,
          [...(this.wrote.get(event.server) ?? []), ...event.lines].slice(-LINES_KEPT),
        )
        break
    }
  }

  /** Takes a server as an answer gave it. Its event may have come before, and later ones. */
  put(server: ServerView): void {
    const known = this.get(server.id)?.revision ?? 0
    const removed = this.#removed.get(server.id) ?? -1
    if (known > server.revision || removed >= server.revision) return
    this.list = sorted([...this.list.filter((other) => other.id !== server.id), server])
  }

  #remember(id: ServerId): void {
    const known = this.get(id)
    if (known) this.#removed.set(id, known.revision)
  }

  #countTools(id: ServerId): void {
    this.toolsChanged.set(id, (this.toolsChanged.get(id) ?? 0) + 1)
  }
}

function sorted(servers: ServerView[]): ServerView[] {
  return [...servers].sort((a, b) => a.id.localeCompare(b.id, 'en'))
}
