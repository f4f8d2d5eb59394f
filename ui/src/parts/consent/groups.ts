/** Questions that wait, by who asks of which server. */
import type { Caller, Question } from '../../host/types.gen'

export interface Group {
  key: string
  server: string | null
  /** Who wants to run tools; absent for what servers ask for themselves. */
  caller: Caller | null
  questions: Question[]
}

/** The groups, the one whose question waits longest first. */
export function grouped(questions: readonly Question[]): Group[] {
  const groups = new Map<string, Group>()
  for (const question of questions) {
    const caller = question.subject.kind === 'call' ? question.subject.caller : null
    const key = JSON.stringify([question.server, caller?.kind, caller?.id])
    const group = groups.get(key) ?? { key, server: question.server, caller, questions: [] }
    group.questions.push(question)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Whether a question can be answered together with others: a call that nothing speaks against and somebody still waits for, of a tool that was not marked. */
export function canGoAlong({ subject }: Question): boolean {
  if (subject.kind !== 'call') return false
  const outside = subject.touches.files.some(({ granted }) => !granted)
  const found = subject.findings.some(({ severity }) => severity !== 'info')
  return (
    subject.concerns.length === 0 &&
    !subject.consequential &&
    !subject.left_over &&
    !outside &&
    !found &&
    ['not_allowed_yet', 'other_arguments'].includes(subject.reason.kind)
  )
}
