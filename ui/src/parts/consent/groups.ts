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

/** Why a question needs an answer of its own; `other` is said elsewhere: by the worst that is known, its reason, or its sentence. */
export type WhyAlone = 'found' | 'gone' | 'consequential' | 'other'

/** Whether a question can be answered together with others: a call that nothing speaks against and somebody still waits for, of a tool that was not marked. */
export function canGoAlong(question: Question): boolean {
  return whyAlone(question) === null
}

/** What keeps a question from being answered together with others; `null` where nothing does. */
export function whyAlone({ subject }: Question): WhyAlone | null {
  if (subject.kind !== 'call' || subject.concerns.length > 0) return 'other'
  if (subject.findings.some(({ severity }) => severity !== 'info')) return 'found'
  if (subject.touches.files.some(({ granted }) => !granted)) return 'other'
  if (subject.left_over) return 'gone'
  if (subject.consequential) return 'consequential'
  return ['not_allowed_yet', 'other_arguments'].includes(subject.reason.kind) ? null : 'other'
}

/** Those that can be answered together first; among each, as they wait. */
export function alongFirst(questions: readonly Question[]): Question[] {
  return [...questions.filter(canGoAlong), ...questions.filter((question) => !canGoAlong(question))]
}
