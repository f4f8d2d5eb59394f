import type { Decision, HostError, Question, Subject } from '../../host/types.gen'

/** What every question is shown with, whatever it is about. */
export interface QuestionProps<Kind extends Subject['kind']> {
  question: Question
  subject: Extract<Subject, { kind: Kind }>
  /** Which of the waiting questions it is, from 1, and of how many. */
  at: number
  of: number
  /** An answer is on its way. */
  busy: boolean
  error: HostError | null
  onanswer: (answer: Decision) => void
  onall?: (() => void) | undefined
}
