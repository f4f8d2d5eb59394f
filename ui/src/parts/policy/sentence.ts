/**
 * Rules as sentences, in the language of the window.
 *
 * Always true here: names and addresses are kept apart from our own words, because others have chosen them.
 */
import type { CallerFilter, Condition, Rule, RuleDraft } from '../../host/types.gen'
import { revealed } from '../../kit/visible'
import { keyOf, maybe, m, type Key } from '../../messages'
import { pieces } from '../../messages/pieces'

/** Words of ours, or a name that others have chosen. */
export type Token = { words: string } | { name: string }

/** What a sentence is made of: the draft, or for a rule without one what little is known. */
export type Said = Pick<Rule, 'effect' | 'hooks' | 'layer' | 'draft' | 'id'>

/** The draft of a rule as a sentence. */
export function draftSentence(draft: RuleDraft): Token[] {
  const key: Key =
    draft.hook === 'call' ? `policy.says.${draft.effect}` : `policy.says.${draft.hook}`
  return filled(key, { what: whatOf(draft), by: byOf(draft.caller), when: whenOf(draft.when) })
}

/** Any rule as a sentence. What somebody else wrote is only sorted; its text says the rest. */
export function ruleSentence(rule: Said): Token[] {
  if (rule.draft !== null) return draftSentence(rule.draft)
  const own = rule.layer === 'built_in' ? maybe('policy.built_in', rule.id) : undefined
  return [{ words: own ?? m(writtenKey(rule)) }]
}

function writtenKey({ hooks, effect }: Said): Key {
  const [hook] = hooks
  if (hook === undefined || hooks.length > 1) return 'policy.written.several'
  return hook === 'call' ? `policy.written.${effect}` : `policy.written.${hook}`
}

/** A sentence as plain text, for what is heard and searched. What cannot be seen in a name is written out. */
export function plain(tokens: Token[]): string {
  return tokens.map((token) => ('words' in token ? token.words : revealed(token.name))).join('')
}

function whatOf({ server, tool }: RuleDraft): Token[] {
  if (server === null) return [{ words: m('policy.what.any') }]
  if (tool === null) return filled('policy.what.server', { server: [{ name: server }] })
  return filled('policy.what.tool', { server: [{ name: server }], tool: [{ name: tool }] })
}

function byOf(caller: CallerFilter | null): Token[] {
  if (caller === null) return []
  const { kind, id } = caller
  const key = keyOf(id === null ? 'policy.caller' : 'policy.caller_one', kind)
  const who = filled(key, { kind: [{ name: kind }], name: [{ name: id ?? kind }] })
  return filled('policy.by', { caller: who })
}

function whenOf(conditions: Condition[]): Token[] {
  if (conditions.length === 0) return []
  const all = conditions.flatMap((condition, at) => [
    ...(at === 0 ? [] : [{ words: m('policy.and') }]),
    ...conditionWords(condition),
  ])
  return filled('policy.when', { conditions: all })
}

function conditionWords(condition: Condition): Token[] {
  switch (condition.kind) {
    case 'to_hosts':
      return filled('condition.to_hosts', { hosts: listed(condition.hosts) })
    case 'in_folder':
      return filled('condition.in_folder', { folder: listed([condition.folder].filter(Boolean)) })
    case 'found':
      return [{ words: m(`condition.found.${condition.what}`) }]
    default:
      return [{ words: m(`condition.${condition.kind}`) }]
  }
}

function listed(names: string[]): Token[] {
  // Of a draft that does not say it yet.
  if (names.length === 0) return [{ words: '…' }]
  return names.flatMap((name, at) => [...(at === 0 ? [] : [{ words: m('policy.or') }]), { name }])
}

function filled(key: Key, about: Record<string, Token[]>): Token[] {
  return pieces(key).flatMap((piece) =>
    'words' in piece ? [piece] : (about[piece.parameter] ?? []),
  )
}
