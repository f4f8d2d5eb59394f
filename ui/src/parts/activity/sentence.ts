/**
 * A row of the log as a sentence: who did what to what.
 *
 * Always true here:
 * - names are parts of their own, never inside our words: they may be a stranger's;
 * - a sentence that a row lacks a name for is not used; what kind of thing happened can always be said;
 * - whoever calls themselves by a word of ours is said with their kind.
 */
import { formOf, isKey, m, maybe, number, type Key } from '../../messages'
import { callerWords, filterOf, filterWords } from '../../messages/callers'
import { pieces, type SentencePiece } from '../../messages/pieces'
import type { ActivityRow, Caller } from '../../host/types.gen'
import { isPerson } from './rowText'

/** Words of ours, or a name, which may be a stranger's. */
export type SentencePart = { words: string } | { name: string; isCode: boolean }

type Values = Record<string, SentencePart | null>

/** The sentence of a row. */
export function sentenceOf(row: ActivityRow): SentencePart[] {
  const values = valuesOf(row)
  const said = keyOf(row, values)
  if (said !== undefined) return filled(said, values) ?? []
  const what = { words: maybe('what', row.what) ?? row.what.replaceAll('_', ' ') }
  const about = values['tool'] ?? values['subject'] ?? values['server'] ?? null
  return (about && filled('activity.about', { what, name: about })) ?? [what]
}

/** Whether the sentence of a row already says who stands behind it. */
export function saysWho(row: ActivityRow): boolean {
  const key = keyOf(row, valuesOf(row))
  if (key === undefined) return false
  const names = (piece: SentencePiece): boolean =>
    'parameter' in piece && ['who', 'whom'].includes(piece.parameter)
  return OWN.test(key) || pieces(key).some(names)
}

/** Sentences about the person at this window begin with "You". */
const OWN = /[._]own(\.bare)?$/

/** A sentence as a plain text. */
export function sentenceText(parts: readonly SentencePart[]): string {
  return parts.map((part) => ('words' in part ? part.words : part.name)).join('')
}

/** How a question was answered. What is not known is no yes. */
function saidIn({ reason }: ActivityRow): 'yes' | 'no' | 'unanswered' {
  if (reason === 'allowed' || reason === 'allowed_earlier') return 'yes'
  return reason === 'denied' ? 'no' : 'unanswered'
}

/** What became of a call, as far as it is another sentence. */
function ranOrNot({ outcome, reason, approver, caller }: ActivityRow): string {
  const own = caller?.kind === 'window' ? '_own' : ''
  if (outcome === 'refused') {
    const byPerson = reason === 'denied_earlier' || (reason === 'denied' && isPerson(approver))
    return `${byPerson ? 'denied' : 'refused'}${own}`
  }
  // Of these nobody can say that the tool ran to its end.
  return outcome === 'running' || outcome === 'cancelled' || outcome === 'interrupted'
    ? 'started'
    : 'done'
}

/** How a sentence goes on beside what happened. */
function variantsOf(row: ActivityRow): string[] {
  if (row.what === 'call') return [ranOrNot(row)]
  if (row.what === 'question_answered') return [saidIn(row)]
  if (row.what === 'request_refused') return row.caller?.kind === 'window' ? ['own'] : ['']
  return row.choice === null ? [''] : [row.choice, '']
}

/** Sentences that a row could be, the most exact first. */
function keysOf(row: ActivityRow): Key[] {
  return variantsOf(row)
    .map((variant) => ['did', row.what, variant].filter(Boolean).join('.'))
    .flatMap((base) => [
      ...(row.count === null ? [] : [`${base}_${formOf(row.count)}`]),
      base,
      `${base}.bare`,
    ])
    .filter(isKey)
}

/** The most exact sentence that the row has all names for. */
function keyOf(row: ActivityRow, values: Values): Key | undefined {
  return keysOf(row).find((key) => filled(key, values) !== null)
}

/** A text with its parameters; `null` if one of them is missing. */
function filled(key: Key, values: Values): SentencePart[] | null {
  const parts = pieces(key).map((piece) =>
    'words' in piece ? piece : (values[piece.parameter] ?? null),
  )
  return parts.includes(null) ? null : spaced(parts as SentencePart[])
}

/** Between Chinese and other letters there is a space. Of names it is not known before where they stand. */
function spaced(parts: SentencePart[]): SentencePart[] {
  return parts.map((part, at) => {
    if ('name' in part) return part
    const [before, after] = [parts[at - 1], parts[at + 1]]
    const opens = before && 'name' in before && HAN.test(part.words[0] ?? '')
    const closes = after && 'name' in after && HAN.test(part.words.at(-1) ?? '')
    return { words: `${opens ? ' ' : ''}${part.words}${closes ? ' ' : ''}` }
  })
}

const HAN = /\p{Script=Han}/u

function valuesOf(row: ActivityRow): Values {
  const name = (text: string | null, isCode = false): SentencePart | null =>
    text === null ? null : { name: text, isCode }
  const isOffer = row.what.startsWith('offer_')
  const tool = name(row.tool, true)
  return {
    who: whoOf(row, 'who'),
    whom: whoOf(row, 'whom'),
    server: name(row.server),
    tool,
    subject:
      row.subject === null && isOffer ? tool : name(subjectOf(row), row.what.startsWith('rule_')),
    n: row.count === null ? null : { words: number(row.count) },
  }
}

function subjectOf({ what, subject }: ActivityRow): string | null {
  if (subject === null || !what.startsWith('application_')) return subject
  return maybe('application', subject) ?? subject
}

/** What callers did; all else was decided by whoever approved it. */
const CALLERS_OWN = ['call', 'request_refused', 'resource_read', 'prompt_got', 'client_answered']

function whoOf({ what, caller, approver }: ActivityRow, family: 'who' | 'whom'): SentencePart {
  const decided = !CALLERS_OWN.includes(what)
  if (approver !== null && (decided || caller === null)) return approverPart(approver)
  return caller === null ? { words: m('who.nobody') } : callerPart(caller, family)
}

function approverPart(approver: string): SentencePart {
  if (isPerson(approver)) return { words: m('who.window') }
  const known = maybe('who', approver)
  if (known !== undefined) return { words: known }
  const caller = filterOf(approver)
  if (caller === null || caller.id === null) return { words: approver.replaceAll('_', ' ') }
  return isOurs(caller.id)
    ? { name: filterWords(caller), isCode: false }
    : { name: caller.id, isCode: false }
}

function callerPart(caller: Caller, family: 'who' | 'whom'): SentencePart {
  const single = isSingle(caller) ? maybe(family, caller.kind) : undefined
  return single === undefined ? { name: callerName(caller), isCode: false } : { words: single }
}

/** A caller by its name alone, where a drawing beside it says its kind. */
export function callerName(caller: Caller): string {
  if (isSingle(caller)) return maybe('who', caller.kind) ?? callerWords(caller)
  return isOurs(caller.name) ? callerWords(caller) : caller.name
}

/** Whether there is one of this kind only, for whom there is a word. */
function isSingle({ kind }: Caller): boolean {
  return maybe('whom', kind) !== undefined
}

/** Words that we use for somebody. */
const OURS = ['who.window', 'who.terminal', 'who.majordomo', 'who.nobody'] as const

/** Whether a name is a word that we use for somebody else. */
function isOurs(name: string): boolean {
  return OURS.some((key) => m(key).toLowerCase() === name.trim().toLowerCase())
}
