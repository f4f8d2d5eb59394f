/** What a host replies, for tests to write: nothing in particular, unless a test says what. */
import { hostError } from '../src/host/error'
import { grantOf } from '../src/host/fake/grants'
import type { World } from '../src/host/fake/world'
import type {
  ActivityDetail,
  ActivityPage,
  Allowed,
  Decision,
  DecisionPreview,
  ArgumentOptions,
  HostError,
  Question,
  Refusal,
  ServerId,
  ServerView,
} from '../src/host/types.gen'

/** A server of a world, with something changed. */
export function server(world: World, id: ServerId, change: Partial<ServerView> = {}): ServerView {
  return { ...world.servers.find((other) => other.id === id)!, ...change }
}

/** A server that runs. */
export const running = (world: World, id: ServerId): ServerView =>
  server(world, id, { reviewed: true, on: true, state: { kind: 'ready' } })

/** The error of a request that was refused. */
export const refused = (refusal: Refusal): HostError => ({
  ...hostError('refused', 'This was not allowed.'),
  refusal,
})

/** A reply that fails. */
export const failing = (error: HostError) => (): never => {
  throw error
}

/** A reply that waits until it is let go. */
export function held<T>(): Promise<T> & {
  finish: (value: T) => void
  fail: (error: HostError) => void
} {
  let finish: (value: T) => void = () => undefined
  let fail: (error: HostError) => void = () => undefined
  const promise = new Promise<T>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  return Object.assign(promise, { finish, fail })
}

/** A page of the log that is the last one. */
export const rows = (...details: ActivityDetail[]): ActivityPage => ({
  rows: details.map(({ row }) => row),
  next: null,
})

/** What may be chosen for each argument. */
export const optionsOf = (options: Record<string, Allowed[]>): ArgumentOptions[] =>
  Object.entries(options).map(([argument, allowed]) => ({ argument, allowed }))

/** An answer that does nothing beside answering. */
export const previewed = (more: Partial<DecisionPreview> = {}): DecisionPreview => ({
  problems: [],
  not_remembered: null,
  options: [],
  grant: null,
  settles: [],
  past: [],
  past_covered: 0,
  past_all: 0,
  ...more,
})

/** Previews of answers to a question: the grant says what is wanted, and nothing speaks against it. */
export const previewing =
  (question: Question, more: Partial<DecisionPreview> = {}) =>
  ({ answer }: { answer: Decision }): DecisionPreview =>
    previewed({
      options: question.subject.kind === 'call' ? question.subject.options : [],
      grant: grantOf(question, answer),
      ...more,
    })
