/** Which sentence of ours asks a question. */
import type { Subject } from '../../host/types.gen'
import type { Key } from '../../messages'

export function sentenceFor(subject: Subject): Key {
  if (subject.kind === 'call') return subject.touches.account === null ? `consent.sentence.${subject.caller.kind}` : `consent.sentence_as.${subject.caller.kind}`
  if (subject.kind === 'rule') return subject.removing ? 'consent.rule_sentence.remove' : 'consent.rule_sentence.add'
  return `consent.${subject.kind}_sentence`
}
