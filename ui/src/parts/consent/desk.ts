/** What the question's window knows beside the question. */
import type { Answer, AnswerPreview, WorkspaceView } from '../../host/types.gen'

export interface Desk {
  /** What an answer to a question would do. */
  preview: (question: string, answer: Answer) => Promise<AnswerPreview>
  /** The questions that wait now. */
  waiting: readonly string[]
  workspaces: readonly WorkspaceView[]
}
