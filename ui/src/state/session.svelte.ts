/**
 * The connection to the host: one per page. Everything else in `state` hears events from here.
 *
 * Always true here: after a gap or a lost connection every part of the state is replaced by a snapshot.
 */
import { follow } from '../host/follow'
import type { Answers, Host, Method, ParamsArgument } from '../host/host'
import type { HostError, HostInfo, QuestionId } from '../host/types.gen'
import { activity } from './activity.svelte'
import { calls } from './calls.svelte'
import { exchange } from './exchange.svelte'
import { grants } from './grants.svelte'
import { logs } from './logs.svelte'
import { offers } from './offers.svelte'
import { policy } from './policy.svelte'
import { questions } from './questions.svelte'
import { refusedAsks } from './refusedAsks.svelte'
import { servers } from './servers.svelte'
import { unknown } from './unknown.svelte'
import { workspaces } from './workspaces.svelte'

class Session {
  /** What kind of host this is; absent until it has answered. */
  info = $state<HostInfo | null>(null)
  /** Why there is no connection now; absent while there is one. */
  error = $state<HostError | null>(null)

  #host: Host | null = null
  #end: (() => void) | null = null

  /** The host. Only after `connect`. */
  get host(): Host {
    if (!this.#host) throw new Error('asked before connecting')
    return this.#host
  }

  /** Makes this the page's host without following its events (the question's window needs no more). */
  use(host: Host): void {
    this.#host = host
  }

  /** Whether questions have windows of their own here. */
  get opensQuestions(): boolean {
    return this.info?.approver === 'question_window' && this.#host?.openQuestion !== undefined
  }

  /** Brings the window of a question to the front. One that does not wait any more has gone from every list meanwhile. */
  async openQuestion(question: QuestionId): Promise<void> {
    await this.#host?.openQuestion?.(question).catch(() => undefined)
  }

  /** Connects to a host and follows it. */
  connect(host: Host): void {
    this.#end?.()
    this.#host = host
    this.#end = follow(host, {
      snapshot: (snapshot) => {
        this.info = snapshot.info
        this.error = null
        for (const part of [servers, questions, calls, offers, logs, exchange, unknown, workspaces]) part.replace(snapshot)
        grants.changed += 1
        activity.changed += 1
        policy.changed += 1
      },
      event: (event) => {
        for (const part of [servers, questions, calls, grants, activity, offers, logs, exchange, policy, unknown, workspaces, refusedAsks]) part.hear(event)
      },
      lost: (error) => {
        this.error = error
      },
    })
  }

  /** Ends the connection and forgets everything. */
  leave(): void {
    this.#end?.()
    this.#end = null
    this.#host = null
    this.info = null
    this.error = null
    servers.clear()
    questions.clear()
    calls.clear()
    activity.clear()
    offers.clear()
    logs.clear()
    exchange.clear()
    policy.clear()
    unknown.clear()
    refusedAsks.clear()
    workspaces.clear()
  }
}

export const session = new Session()

/** Asks the page's host; throws a `HostError`. */
export function ask<M extends Method>(method: M, ...params: ParamsArgument<M>): Promise<Answers[M]> {
  return session.host.ask(method, ...params)
}
