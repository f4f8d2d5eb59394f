/** Where the turns of a conversation begin. Pure. */
import type { AttachmentView, ConversationItem } from '../../host/types.gen'

/** What began a turn. */
export interface LastTurn {
  /** Its number. */
  before: number
  text: string
  attached: AttachmentView[]
}

/** What began the last turn, where a model has answered it. */
export function lastTurn(items: ConversationItem[], from: number): LastTurn | null {
  const at = items.findLastIndex((item) => item.kind === 'said' && item.begins_turn)
  const said = items[at]
  const answered = items.slice(at + 1).some(({ kind }) => kind === 'reply')
  return said?.kind === 'said' && answered
    ? { before: from + at, text: said.text, attached: said.attached }
    : null
}
