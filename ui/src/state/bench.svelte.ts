/**
 * Calls made by hand on the tool bench, and what came of them, as long as this page is open.
 *
 * Always true here: a call goes on when the person looks elsewhere, and its result is there when they come back.
 */
import { SvelteMap } from 'svelte/reactivity'
import { asHostError } from '../host/error'
import type { CallResult, CallId, HostError, ServerId, ToolName } from '../host/types.gen'
import { newCallId } from './calls.svelte'
import type { Ask } from './ask'

/** Results kept of each tool. */
const RUNS_KEPT = 20

/** One call by hand. */
export interface Run {
  call: CallId
  arguments: Record<string, unknown>
  began: number
  ended: number | null
  /** What the tool answered. */
  answer: CallResult | null
  /** Why it did not. */
  error: HostError | null
}

export class Bench {
  readonly #ask: Ask
  readonly #runs = new SvelteMap<string, Run[]>()
  readonly #drafts = new Map<string, Record<string, unknown>>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** The calls of a tool, the newest first. */
  runsOf(server: ServerId, tool: ToolName): Run[] {
    return this.#runs.get(keyOf(server, tool)) ?? []
  }

  /** Arguments that were being written when the person left. */
  draftOf(server: ServerId, tool: ToolName): Record<string, unknown> | undefined {
    return this.#drafts.get(keyOf(server, tool))
  }

  /** Keeps arguments that are being written. */
  keepDraft(server: ServerId, tool: ToolName, draft: Record<string, unknown>): void {
    this.#drafts.set(keyOf(server, tool), draft)
  }

  /** Calls a tool; the result arrives in `runsOf`. */
  async run(server: ServerId, tool: ToolName, args: Record<string, unknown>): Promise<void> {
    const begun: Run = {
      call: newCallId(),
      arguments: args,
      began: Date.now(),
      ended: null,
      answer: null,
      error: null,
    }
    const key = keyOf(server, tool)
    this.#runs.set(key, [begun, ...this.runsOf(server, tool)].slice(0, RUNS_KEPT))
    try {
      const answer = await this.#ask('call_tool', {
        call: begun.call,
        server,
        tool,
        arguments: args,
      })
      this.#end(key, { ...begun, answer, ended: Date.now() })
    } catch (thrown) {
      this.#end(key, { ...begun, error: asHostError(thrown), ended: Date.now() })
    }
  }

  /** Cancels a call, or withdraws it while its question waits. */
  async cancel(call: CallId): Promise<void> {
    await this.#ask('cancel_call', { call })
  }

  #end(key: string, ended: Run): void {
    const runs = this.#runs.get(key) ?? []
    this.#runs.set(
      key,
      runs.map((run) => (run.call === ended.call ? ended : run)),
    )
  }
}

function keyOf(server: ServerId, tool: ToolName): string {
  return JSON.stringify([server, tool])
}
