/** Questions that wait for a person, oldest first. */
import type { HostEvent, Question, Snapshot } from '../host/types.gen'

export class Questions {
  list = $state.raw<Question[]>([])

  replace(snapshot: Snapshot): void {
    this.list = snapshot.questions
  }

  onEvent(event: HostEvent): void {
    if (event.kind === 'question_asked') {
      this.list = [...this.list.filter((other) => other.id !== event.question.id), event.question]
    } else if (event.kind === 'question_closed') {
      this.list = this.list.filter((other) => other.id !== event.question)
    }
  }
}
