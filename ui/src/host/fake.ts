/**
 * A host that only replays: what each request is replied with was written by a test, or for the gallery.
 *
 * Always true here: it decides nothing and changes nothing by itself; what nobody wrote is an error that names the request; no
 * built page contains it.
 */
import { hostError } from './error'
import type {
  MethodReplies,
  Host,
  HostKind,
  Listener,
  Method,
  NoticeWords,
  Params,
  ParamsArgument,
  PickedFile,
} from './host'
import type {
  Decision,
  DecisionPreview,
  BatchDecision,
  BatchOutcome,
  ErrorCode,
  HostError,
  HostEvent,
  Question,
  QuestionId,
  WorkspaceView,
} from './types.gen'

/** What a request is replied with: a value, or what a function makes of its parameters. */
export type Reply<M extends Method> =
  | MethodReplies[M]
  | ((params: Params<M>, host: FakeHost) => MethodReplies[M] | Promise<MethodReplies[M]>)

/** Replies by request. */
export type Replies = { [M in Method]?: Reply<M> }

/** A reply that a function makes. */
type Made = (params: unknown, host: FakeHost) => unknown

/** A host that replays. */
export class FakeHost implements Host {
  kind: HostKind = 'fake'
  /** Every request, in order. */
  readonly asked: { method: Method; params: unknown }[] = []
  /** Requests for which no reply was written. */
  readonly unwritten: Method[] = []
  /** Texts that were saved. */
  readonly saved: { fileName: string; text: string }[] = []
  /** Addresses that were opened. */
  readonly opened: string[] = []
  /** Questions whose window was brought to the front. */
  readonly shown: QuestionId[] = []
  /** How the system tells of questions that wait. */
  notices: NoticeWords | null = null
  hasTray = true
  /** What the person picks. */
  folder: string | null = null
  file: PickedFile | null = null
  /** What a question's window is let through with. */
  questionsHere: Question[] = []
  workspacesHere: WorkspaceView[] = []
  /** The number of the last event. */
  seq = 100

  readonly #replies: Map<Method, unknown>
  readonly #failures: { method: Method; error: HostError }[] = []
  readonly #listeners = new Set<Listener>()

  constructor(replies: Replies = {}) {
    this.#replies = new Map(Object.entries(replies) as [Method, unknown][])
  }

  async ask<M extends Method>(
    method: M,
    ...[params]: ParamsArgument<M>
  ): Promise<MethodReplies[M]> {
    this.asked.push({ method, params })
    await Promise.resolve()
    const failure = this.#failures.findIndex((failing) => failing.method === method)
    const [failed] = failure < 0 ? [] : this.#failures.splice(failure, 1)
    if (failed) throw failed.error
    const reply = this.#replies.get(method)
    if (reply === undefined) {
      this.unwritten.push(method)
      throw hostError('internal', `No reply to ${method} was written for the fake host.`)
    }
    const value = typeof reply === 'function' ? await (reply as Made)(params, this) : reply
    return structuredClone(value) as MethodReplies[M]
  }

  /** Replies with this from now on. */
  reply<M extends Method>(method: M, reply: Reply<M>): void {
    this.#replies.set(method, reply)
  }

  /** Lets the next request of this kind fail. */
  failNext(method: Method, code: ErrorCode, message: string = code): void {
    this.#failures.push({ method, error: hostError(code, message) })
  }

  listen(listener: Listener): Promise<() => void> {
    this.#listeners.add(listener)
    return Promise.resolve(() => this.#listeners.delete(listener))
  }

  /** Tells everyone of an event. */
  publish(event: HostEvent): void {
    this.seq += 1
    const envelope = structuredClone({ seq: this.seq, event })
    this.#listeners.forEach((listener) => listener.event(envelope))
  }

  /** Loses events: the next one leaves a gap. */
  loseEvents(count: number): void {
    this.seq += count
  }

  /** Breaks the stream of events. */
  breakStream(): void {
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    listeners.forEach((listener) =>
      listener.lost(hostError('connection_lost', 'The stream broke.')),
    )
  }

  pickFolder = (): Promise<string | null> => Promise.resolve(this.folder)
  pickConfigFile = (): Promise<PickedFile | null> => Promise.resolve(this.file)
  saveText(fileName: string, text: string): Promise<string | null> {
    this.saved.push({ fileName, text })
    return Promise.resolve(`/home/ada/${fileName}`)
  }
  openLink(url: string): Promise<void> {
    this.opened.push(url)
    return Promise.resolve()
  }
  setNotices(words: NoticeWords): Promise<boolean> {
    this.notices = words
    return Promise.resolve(this.hasTray)
  }
  openQuestion = (question: QuestionId): Promise<void> => {
    this.shown.push(question)
    return Promise.resolve()
  }
  questionsForThisWindow = (): Promise<Question[]> =>
    Promise.resolve(structuredClone(this.questionsHere))
  workspacesForThisWindow = (): Promise<WorkspaceView[]> =>
    Promise.resolve(structuredClone(this.workspacesHere))
  async answerQuestion(question: QuestionId, answer: Decision): Promise<void> {
    await this.ask('answer_question', { question, answer })
  }
  answerQuestions = (answers: BatchDecision[]): Promise<BatchOutcome> =>
    this.ask('answer_questions', { answers })
  previewAnswer = (question: QuestionId, answer: Decision): Promise<DecisionPreview> =>
    this.ask('preview_answer', { question, answer })
}
