/** Where one can go from a row. Pure. */
import { textOf } from '../../messages/callers'
import { to } from '../../state/router.svelte'
import type { ActivityDetail, GrantId, QuestionId, RuleId } from '../../host/types.gen'

/** What a row is about, beside what `OnWhoseWord` says of a call. */
export interface Jumps {
  question: QuestionId | null
  grant: GrantId | null
  rule: RuleId | null
}

/** What refuses a call on somebody's word, or by a rule; for other refusals nobody stands. */
const DECIDED = ['denied_by_person', 'denied_by_token', 'denied_earlier', 'forbidden']

/** Whether it is said on whose word a call ran or did not, with its question, approval and rules. */
export function hasWord({ row, permission, refusal }: ActivityDetail): boolean {
  if (row.what !== 'call') return false
  return permission !== null || (refusal !== null && DECIDED.includes(refusal.kind))
}

/** The question, the approval and the rule of a row that are not said elsewhere. */
export function jumpsOf(detail: ActivityDetail): Jumps {
  const { row, permission, refusal } = detail
  const said = hasWord(detail) ? permission : null
  const saysGrant =
    said?.kind === 'grant' ||
    (said?.kind === 'answer' && said.grant !== null) ||
    (row.what === 'call' && refusal?.kind === 'denied_earlier')
  const saysRule = said?.kind === 'rules' || (row.what === 'call' && refusal?.kind === 'forbidden')
  return {
    question: said?.kind === 'answer' ? null : row.question,
    grant: saysGrant ? null : row.grant,
    rule: saysRule ? null : row.rule,
  }
}

/** The way to all calls of the same tool by the same one; nothing for what is about no tool. */
export function likeThis({ row: { server, tool, what, caller } }: ActivityDetail): string | null {
  if (server === null || tool === null) return null
  const own = what === 'call' && caller !== null ? { caller: textOf(caller) } : {}
  return to('activity', [], { segment: 'calls', server, tool, ...own })
}
