/** What the question's window knows beside the question. */
import type { Decision, DecisionPreview, WorkspaceView } from '../../host/types.gen'

export interface QuestionContext {
  /** What an answer to a question would do. */
  preview: (question: string, answer: Decision) => Promise<DecisionPreview>
  /** The questions that wait now. */
  waiting: readonly string[]
  workspaces: readonly WorkspaceView[]
}
