/**
 * Follows a host without missing anything: a snapshot, then every event above it, in order.
 *
 * Always true here: no event is given twice or out of order; a gap in the numbers, or a broken stream, ends in a new
 * snapshot, and until that has come nothing older is given.
 */
import { asHostError } from './error'
import type { Host } from './host'
import type { HostError, HostEvent, EventEnvelope, Snapshot } from './types.gen'

/** Who follows. */
export interface Follower {
  /** Everything as it is now; replaces all that was known. */
  snapshot(snapshot: Snapshot): void
  /** The next event. */
  event(event: HostEvent): void
  /** The host does not answer; tried again until it does. */
  lost(error: HostError): void
}

const RETRY_AFTER_MS = 1_000

/** Begins to follow. The function it gives ends it. */
export function follow(host: Host, follower: Follower, retryAfter = RETRY_AFTER_MS): () => void {
  let stopped = false
  let last: number | null = null
  let early: EventEnvelope[] = []
  let unlisten: (() => void) | null = null
  let refreshing = false

  function take(envelope: EventEnvelope): void {
    if (stopped) return
    if (last === null) {
      early.push(envelope)
      return
    }
    if (envelope.seq <= last) return
    if (envelope.seq !== last + 1) {
      early = [envelope]
      last = null
      void refresh()
      return
    }
    last = envelope.seq
    follower.event(envelope.event)
  }

  async function refresh(): Promise<void> {
    if (refreshing) return
    refreshing = true
    try {
      const snapshot = await host.ask('snapshot')
      if (stopped) return
      follower.snapshot(snapshot)
      last = snapshot.seq
      const waiting = early.sort((a, b) => a.seq - b.seq)
      early = []
      refreshing = false
      waiting.forEach(take)
    } catch (thrown) {
      refreshing = false
      restart(asHostError(thrown))
    }
  }

  function restart(error: HostError): void {
    if (stopped) return
    unlisten?.()
    unlisten = null
    last = null
    early = []
    follower.lost(error)
    setTimeout(() => void start(), retryAfter)
  }

  async function start(): Promise<void> {
    if (stopped) return
    try {
      // Listening comes first: an event between the snapshot and the listening would be lost otherwise.
      const end = await host.listen({ event: take, lost: restart })
      if (stopped) end()
      else {
        unlisten = end
        await refresh()
      }
    } catch (thrown) {
      restart(asHostError(thrown))
    }
  }

  void start()
  return () => {
    stopped = true
    unlisten?.()
  }
}
