/** What servers logged by the protocol while this page was open. Older lines are asked for by the page that shows them. */
import { SvelteMap } from 'svelte/reactivity'
import type { HostEvent, LoggedLine, ServerId } from '../host/types.gen'

/** Lines kept of each server. */
const LINES_KEPT = 10_000

export class Logs {
  /** Lines that arrived and are in no list that was asked for, oldest first. */
  readonly came = new SvelteMap<ServerId, LoggedLine[]>()
  /** Counted up when lines may have been missed: ask again. */
  missed = $state(0)

  replace(): void {
    this.came.clear()
    this.missed += 1
  }

  onEvent(event: HostEvent): void {
    if (event.kind === 'server_logged')
      this.came.set(
        event.server,
        [...(this.came.get(event.server) ?? []), ...event.lines].slice(-LINES_KEPT),
      )
    else if (event.kind === 'server_removed') this.came.delete(event.server)
  }
}
