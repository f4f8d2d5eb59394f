/** Which sentence of ours asks a question. */
import type { Caller, Subject } from '../../host/types.gen'
import { keyOf, type Key } from '../../messages'

export function sentenceFor(subject: Subject): Key {
  if (subject.kind === 'call')
    return keyOf(
      subject.touches.account === null ? 'consent.sentence' : 'consent.sentence_as',
      subject.caller.kind,
    )
  if (subject.kind === 'request')
    return keyOf(`consent.request_sentence.${subject.request}`, subject.caller.kind)
  if (subject.kind === 'change') return keyOf('consent.change_sentence', subject.change.caller.kind)
  if (subject.kind === 'rule')
    return subject.removing ? 'consent.rule_sentence.remove' : 'consent.rule_sentence.add'
  return `consent.${subject.kind}_sentence`
}

/** Who wants what is asked about, if anyone does. */
export function callerOf(subject: Subject): Caller | null {
  if (subject.kind === 'change') return subject.change.caller
  return subject.kind === 'call' || subject.kind === 'request' ? subject.caller : null
}
