/** The tools of each server, as last listed. Who shows them asks for them, and asks again when they change. */
import { SvelteMap } from 'svelte/reactivity'
import { asHostError } from '../host/error'
import type { HostError, ToolFlags, ServerId, ToolName, ToolView } from '../host/types.gen'
import type { Ask } from './ask'

export class Tools {
  readonly #ask: Ask
  readonly #lists = new SvelteMap<ServerId, ToolView[]>()
  readonly #errors = new SvelteMap<ServerId, HostError>()
  readonly #asked = new Map<ServerId, number>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** The tools of a server; `undefined` until they were listed once. */
  of(server: ServerId): ToolView[] | undefined {
    return this.#lists.get(server)
  }

  /** Why they could not be listed. */
  errorOf(server: ServerId): HostError | undefined {
    return this.#errors.get(server)
  }

  /** Asks for the tools of a server. */
  async load(server: ServerId): Promise<void> {
    const turn = (this.#asked.get(server) ?? 0) + 1
    this.#asked.set(server, turn)
    try {
      const list = await this.#ask('list_tools', { server })
      // An older answer that comes late says less than the newer one.
      if (this.#asked.get(server) !== turn) return
      this.#lists.set(server, list)
      this.#errors.delete(server)
    } catch (thrown) {
      if (this.#asked.get(server) === turn) this.#errors.set(server, asHostError(thrown))
    }
  }

  /** Switches a tool on or off; throws a `HostError`. */
  async switchTo(server: ServerId, tool: ToolName, on: boolean): Promise<void> {
    this.#put(await this.#ask('set_tool', { server, tool, on }))
  }

  /** Always shows models a tool, or not any more; throws a `HostError`. */
  async showAlways(server: ServerId, tool: ToolName, on: boolean): Promise<void> {
    this.#put(await this.#ask('show_tool_always', { server, tool, on }))
  }

  /** Keeps what the person says about a tool; throws a `HostError`. */
  async mark(server: ServerId, tool: ToolName, mark: ToolFlags): Promise<void> {
    this.#put(await this.#ask('mark_tool', { server, tool, mark }))
  }

  #put(view: ToolView): void {
    const list = this.#lists.get(view.server) ?? []
    this.#lists.set(
      view.server,
      list.map((other) => (other.spec.name === view.spec.name ? view : other)),
    )
  }
}
