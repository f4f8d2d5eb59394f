/**
 * Everything that the pages know, made in one place and handed down by context.
 *
 * Always true here: a page makes its stores once, before anything is shown; nothing in this folder lives longer than they do.
 */
import { getContext } from 'svelte'
import type { Host } from '../host/host'
import { Activity } from './activity.svelte'
import type { Ask } from './ask'
import { Assistants } from './assistants.svelte'
import { Bench } from './bench.svelte'
import { Callers } from './callers.svelte'
import { Calls } from './calls.svelte'
import { Clients } from './clients.svelte'
import { Conversations } from './conversations.svelte'
import { WireLogNews } from './wireLog.svelte'
import { Grants } from './grants.svelte'
import { Logs } from './logs.svelte'
import { Models } from './models.svelte'
import { Notices } from './notices.svelte'
import { Features } from './features.svelte'
import { Policy } from './policy.svelte'
import { Questions } from './questions.svelte'
import { RefusedAsks } from './refusedAsks.svelte'
import { Reviews } from './reviews.svelte'
import { Router } from './router.svelte'
import { SavedArguments } from './savedArguments'
import { SavedFilters } from './savedFilters'
import { Servers } from './servers.svelte'
import { Session } from './session.svelte'
import { Tools } from './tools.svelte'
import { UnknownOutcomes } from './unknownOutcomes.svelte'
import { Usage } from './usage.svelte'
import { Workspaces } from './workspaces.svelte'

const KEY = Symbol('stores')

/** The stores of a page. */
export type Stores = ReturnType<typeof makeStores>

/** Makes the stores of a page on this host. They are empty until `session.follow` runs. */
export function makeStores(host: Host) {
  const ask: Ask = (method, ...params) => host.ask(method, ...params)
  const following = {
    activity: new Activity(),
    assistants: new Assistants(),
    callers: new Callers(),
    calls: new Calls(),
    clients: new Clients(),
    conversations: new Conversations(ask),
    exchange: new WireLogNews(),
    grants: new Grants(),
    logs: new Logs(),
    models: new Models(),
    offers: new Features(),
    policy: new Policy(ask),
    questions: new Questions(),
    refusedAsks: new RefusedAsks(),
    servers: new Servers(),
    unknown: new UnknownOutcomes(ask),
    workspaces: new Workspaces(ask),
  }
  return {
    host,
    ask,
    ...following,
    session: new Session(host, Object.values(following)),
    bench: new Bench(ask),
    notices: new Notices(),
    reviews: new Reviews(ask),
    router: new Router(),
    savedArguments: new SavedArguments(),
    savedFilters: new SavedFilters(),
    tools: new Tools(ask),
    usage: new Usage(ask),
  }
}

/** The context that a page is mounted with. */
export function inContext(made: Stores): Map<unknown, unknown> {
  return new Map([[KEY, made]])
}

/** The stores of this page; while a component is being made only. */
export function stores(): Stores {
  return getContext<Stores>(KEY)
}
