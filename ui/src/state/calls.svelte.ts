/** Calls that run or wait, and how far each has come. */
import { SvelteMap } from 'svelte/reactivity'
import type { CallId, HostEvent, Outcome, RunningCall, Snapshot } from '../host/types.gen'
import { random } from './hex'

/** How far a call has come, as its server says. */
export interface Progress {
  progress: number
  total: number | null
  message: string | null
}

export class Calls {
  readonly running = new SvelteMap<CallId, RunningCall>()
  readonly progress = new SvelteMap<CallId, Progress>()
  /** How calls ended while this page was open, the newest hundred. */
  readonly ended = new SvelteMap<CallId, Outcome>()

  replace(snapshot: Snapshot): void {
    this.running.clear()
    for (const call of snapshot.calls) this.running.set(call.call, call)
    for (const call of [...this.progress.keys()])
      if (!this.running.has(call)) this.progress.delete(call)
  }

  onEvent(event: HostEvent): void {
    switch (event.kind) {
      case 'call_changed':
        this.running.set(event.call.call, event.call)
        break
      case 'call_progress':
        this.progress.set(event.call, {
          progress: event.progress,
          total: event.total,
          message: event.message,
        })
        break
      case 'call_ended': {
        this.running.delete(event.call)
        this.progress.delete(event.call)
        this.ended.set(event.call, event.outcome)
        const oldest = this.ended.keys().next().value
        if (this.ended.size > 100 && oldest !== undefined) this.ended.delete(oldest)
        break
      }
    }
  }
}

/** A name for a new call, chosen by this surface so that it can follow and cancel it. */
export function newCallId(): CallId {
  return `call-${random(8)}`
}
