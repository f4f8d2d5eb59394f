/** Which sentence of ours asks a question. */
import type { Caller, Question, Subject, ToolSpec } from '../../host/types.gen'
import { revealedInLine } from '../../kit/visible'
import { keyOf, type Key } from '../../messages'
import { callerWords } from '../../messages/callers'
import { pieces } from '../../messages/pieces'
import { toolTitle } from '../terms/toolTitle'

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
  if (subject.kind === 'form' && subject.form.codex !== null) return 'codex.sentence'
  return `consent.${subject.kind}_sentence`
}

/** Who wants what is asked about, if anyone does. */
export function callerOf(subject: Subject): Caller | null {
  if (subject.kind === 'change') return subject.change.caller
  return subject.kind === 'call' || subject.kind === 'request' ? subject.caller : null
}

/** The sentence of a question as one line, for whoever hears it: what is hidden in names is written out. */
export function sentenceLine({ subject, server }: Question): string {
  const caller = callerOf(subject)
  const names: Record<string, string | null> = {
    tool: subject.kind === 'call' ? toolWords(subject.tool) : null,
    account: subject.kind === 'call' ? subject.touches.account : null,
    caller: caller && callerWords(caller),
  }
  return pieces(sentenceFor(subject))
    .map((piece) =>
      'words' in piece ? piece.words : revealedInLine(names[piece.parameter] ?? server ?? ''),
    )
    .join('')
}

function toolWords(tool: ToolSpec): string {
  const title = toolTitle(tool)
  return title === null ? tool.name : `${title} (${tool.name})`
}
