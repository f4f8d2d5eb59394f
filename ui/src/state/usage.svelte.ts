/** What servers use of this computer, measured while somebody looks. */
import { SvelteMap } from 'svelte/reactivity'
import type { ServerId, ServerUsage } from '../host/types.gen'
import type { Ask } from './ask'

/** How often it is measured, in milliseconds: each time the host looks at every process. */
const EVERY = 3_000

export class Usage {
  /** As it was last; nothing of servers that are no process here. */
  readonly of = new SvelteMap<ServerId, ServerUsage>()
  /** When that was. */
  at = $state(Date.now())
  readonly #ask: Ask
  #looking = false

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Measures now, and again and again until the function that is returned is called. What is out of sight measures nothing. */
  watch(): () => void {
    void this.#look()
    const timer = setInterval(() => void this.#look(), EVERY)
    return () => clearInterval(timer)
  }

  async #look(): Promise<void> {
    if (document.hidden || this.#looking) return
    this.#looking = true
    try {
      const all = await this.#ask('server_usage')
      const known = new Set(all.map(({ server }) => server))
      for (const id of this.of.keys()) if (!known.has(id)) this.of.delete(id)
      for (const usage of all) this.of.set(usage.server, usage)
    } catch {
      // Nothing is shown rather than what does not hold any more; the next look may succeed.
      this.of.clear()
    } finally {
      this.at = Date.now()
      this.#looking = false
    }
  }
}
