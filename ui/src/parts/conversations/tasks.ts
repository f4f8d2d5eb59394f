/** Tasks that models give away, in words. Pure. */
import type { CallId, ReplyItem } from '../../host/types.gen'
import { m } from '../../messages'
import type { Thread } from '../../state/conversations.svelte'
import { outcomeWords, type Standing } from './conversationText'

export type Call = Extract<ReplyItem, { kind: 'call' }>

/** A call that gives a task away. */
export type GivenTask = Call & { task: NonNullable<Call['task']> }

/** Who does it. */
export function workerWords({ helper }: GivenTask['task']): string {
  return helper ?? m('conversations.task.reader')
}

/** What is to be done, in the words of the model that gives it. */
export function orderOf({ task, arguments: given }: GivenTask): string {
  const text = given[task.helper === null ? 'question' : 'task']
  return typeof text === 'string' ? text : JSON.stringify(given)
}

/** How a task stands. */
export function taskWords({ outcome }: GivenTask, waits: boolean): Standing {
  if (outcome === null && !waits) return { word: m('conversations.task.runs'), tone: 'info' }
  if (outcome?.kind === 'helped' && outcome.is_error)
    return { word: m('conversations.task.no_answer'), tone: 'warn' }
  return outcomeWords(outcome, waits)
}

/** The calls in a conversation that have not ended. */
export function openCalls({ items, coming }: Pick<Thread, 'items' | 'coming'>): CallId[] {
  const last = items.at(-1)
  const parts = [...(last?.kind === 'reply' ? last.parts : []), ...coming]
  return parts.flatMap((part) => (part.kind === 'call' && part.outcome === null ? [part.call] : []))
}
