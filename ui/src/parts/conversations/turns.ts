/** Where the turns of a conversation begin, and what can be said again there. Pure. */
import type { ConversationItem } from '../../host/types.gen'

type Said = Extract<ConversationItem, { kind: 'said' }>

/** Whether it can be said again in a branch: a turn begins with it, and it is words alone, since nothing else goes along. */
export function canSayAgain({ begins_turn, attached }: Said): boolean {
  return begins_turn && attached.length === 0
}

/** What began the last turn, with its number, where a model has answered it and it can be said again. */
export function lastTurn(
  items: ConversationItem[],
  from: number,
): { before: number; text: string } | null {
  const at = items.findLastIndex((item) => item.kind === 'said' && item.begins_turn)
  const said = items[at]
  const answered = items.slice(at + 1).some(({ kind }) => kind === 'reply')
  return said?.kind === 'said' && canSayAgain(said) && answered
    ? { before: from + at, text: said.text }
    : null
}
