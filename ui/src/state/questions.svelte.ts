/** Questions that wait for a person, oldest first. */
import type { ConversationId, HostEvent, Question, Snapshot } from '../host/types.gen'

export class Questions {
  list = $state.raw<Question[]>([])

  replace(snapshot: Snapshot): void {
    this.list = snapshot.questions
  }

  /** Whether something that is wanted in a conversation waits for the person. */
  waitsIn(conversation: ConversationId): boolean {
    return this.list.some(
      ({ subject }) => 'conversation' in subject && subject.conversation === conversation,
    )
  }

  onEvent(event: HostEvent): void {
    if (event.kind === 'question_asked') {
      this.list = [...this.list.filter((other) => other.id !== event.question.id), event.question]
    } else if (event.kind === 'question_closed') {
      this.list = this.list.filter((other) => other.id !== event.question)
    }
  }
}
