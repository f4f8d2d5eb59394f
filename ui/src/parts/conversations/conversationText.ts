/** Conversations in words. Pure. */

import type {
  AssistantView,
  BrokenReply,
  ConversationState,
  ConversationView,
  ModelCallOutcome,
  RequestPartKind,
  TurnEnd,
} from '../../host/types.gen'
import { m, number } from '../../messages'
import { errorWords, inOneText } from '../../messages/errors'

/** What a conversation is called. */
export function titleOf({
  title,
  task_of,
  assistant,
}: Pick<ConversationView, 'title' | 'task_of' | 'assistant'>): string {
  // Who reads for a model is no assistant, and has no name of its own.
  if (task_of !== null && assistant === null) return m('conversations.task.reader')
  return title === '' ? m('conversations.untitled') : title
}

/** What the assistant is called that answers in one; nothing where that is not known, and `null` where it was removed. */
export function assistantOf(
  { assistant }: Pick<ConversationView, 'assistant'>,
  assistants: AssistantView[] | undefined,
): string | null | undefined {
  if (assistant === null || assistants === undefined) return undefined
  return assistants.find(({ id }) => id === assistant)?.settings.name ?? null
}

/** What goes on in it, where something does. `waits` says whether it waits for the person. */
export function stateWords(state: ConversationState, waits: boolean): string | null {
  switch (state.kind) {
    case 'idle':
      return null
    case 'retrying':
      return m('conversations.state.retrying', { n: number(state.seconds) })
    case 'paused':
      return m(`conversations.state.${state.why}`)
    case 'calling':
      return m(waits ? 'conversations.call.waits' : 'conversations.state.calling')
    default:
      return m(`conversations.state.${state.kind}`)
  }
}

/** Ends of a turn after which there is more to say than that. */
const TOLD = [
  'broke',
  'cut',
  'refused',
  'purse_spent',
  'loops',
  'context_full',
  'model_changed',
] as const
/** Those after which it can go on with what is there. */
const GOES_ON: readonly TurnEnd[] = ['broke', 'cut', 'model_changed']

/** How a turn has ended, where it did not simply end. */
export function endWords(ended: TurnEnd | null): string | null {
  const told = TOLD.find((one) => one === ended)
  return told === undefined ? null : m(`conversations.ended.${told}`)
}

/** Whether a person can let it go on. */
export function canGoOn(state: ConversationState | undefined, ended: TurnEnd | null): boolean {
  if (state?.kind === 'paused' || state?.kind === 'left') return true
  return state?.kind === 'idle' && ended !== null && GOES_ON.includes(ended)
}

/** What a part of a request to a model is. */
export function partWords(kind: RequestPartKind): string {
  switch (kind.kind) {
    case 'definitions':
      return m('conversations.ledger.kind.definitions', { server: kind.server })
    case 'results':
      return kind.server === null
        ? m('conversations.ledger.no_tool')
        : m('conversations.ledger.kind.results', { server: kind.server })
    default:
      return m(`conversations.ledger.kind.${kind.kind}`)
  }
}

/** Why a reply did not come to its end, where the host knows what kind of failure that was. */
export function brokenWords(broke: BrokenReply): string | undefined {
  if (broke.kind !== 'failed' || broke.code === null) return undefined
  return inOneText(errorWords({ code: broke.code, message: broke.message, refusal: null }))
}

type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'brass'

/** How something stands: its word, and how it is coloured. */
export interface Standing {
  word: string
  tone: Tone
}

/** How a call stands. */
export function outcomeWords(outcome: ModelCallOutcome | null, waits: boolean): Standing {
  if (outcome === null)
    return waits
      ? { word: m('conversations.call.waits'), tone: 'brass' }
      : { word: m('conversations.call.runs'), tone: 'info' }
  switch (outcome.kind) {
    case 'answered':
      return outcome.result.is_error
        ? { word: m('conversations.call.tool_error'), tone: 'warn' }
        : { word: m('conversations.call.done'), tone: 'good' }
    case 'denied':
      return { word: m('conversations.call.denied'), tone: 'warn' }
    case 'not_run':
      return { word: m('conversations.call.not_run'), tone: 'neutral' }
    case 'unknown':
      return { word: m('conversations.call.unknown'), tone: 'bad' }
    case 'helped':
    case 'own':
      return { word: m('conversations.call.done'), tone: 'good' }
  }
}

/** Why a call or a task did not come to what was wanted, where that is known and no person has said no. */
export function reasonWords(outcome: ModelCallOutcome | null): string | null {
  switch (outcome?.kind) {
    case 'not_run':
      return outcome.why && m(`conversations.call.not_run.${outcome.why}`)
    case 'unknown':
      return outcome.why && m(`conversations.call.unknown.${outcome.why}`)
    case 'helped':
      return outcome.why && m(`conversations.task.no_answer.${outcome.why}`)
    default:
      return null
  }
}
