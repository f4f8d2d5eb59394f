/**
 * What the UI may ask of Rust: one interface, whatever carries it.
 *
 * Always true here: every method is a request of `types.gen.ts`, and whatever goes wrong arrives as a `HostError`.
 */
import type {
  Decision,
  DecisionPreview,
  BatchDecision,
  BatchOutcome,
  Contract,
  HostError,
  EventEnvelope,
  Question,
  QuestionId,
  WorkspaceView,
} from './types.gen'

/** The name of a request. */
export type Method = keyof Contract

/** What goes with a request; nothing for those without parameters. */
export type Params<M extends Method> = Contract[M]['params']

/** What comes back for each request. */
export type MethodReplies = { [M in Method]: Contract[M]['reply'] }

/** The parameters as the last argument of `ask`: left out where a request has none. */
export type ParamsArgument<M extends Method> =
  Params<M> extends undefined ? [] : [params: Params<M>]

/** How the host is reached. */
export type HostKind = 'window' | 'headless' | 'fake'

/** A configuration file that a person has picked. */
export interface PickedFile {
  name: string
  text: string
}

/** Hears of events. `lost` is called when the stream breaks; events may be missing after it. */
export interface Listener {
  event(envelope: EventEnvelope): void
  lost(error: HostError): void
}

/** What the person wants to be told of while they look elsewhere, and the words for it. */
export interface NoticeWords {
  /** Whether questions that wait are told of. */
  on: boolean
  /** Whether Majordomo is to go on in the tray when its window is closed. */
  keep: boolean
  /** That one question waits. */
  one: string
  /** That several wait; `{count}` stands for how many. */
  many: string
  /** What can be done about it. */
  text: string
  /** That none waits. */
  none: string
  /** Open the window. */
  open: string
  /** Show the question. */
  next: string
  /** End the application. */
  quit: string
}

/** The one door to Rust. */
export interface Host {
  readonly kind: HostKind

  /** Asks, and answers with the result; throws a `HostError`. */
  ask<M extends Method>(method: M, ...params: ParamsArgument<M>): Promise<MethodReplies[M]>

  /** Listens to events; resolves once no later event can be missed. The function it gives ends it. */
  listen(listener: Listener): Promise<() => void>

  /** Opens the system's folder dialog; absent where there is none. `null`: the person chose nothing. */
  pickFolder?(): Promise<string | null>

  /** Lets a person pick a configuration file. */
  pickConfigFile(): Promise<PickedFile | null>

  /** Lets a person save a text; answers with where it went, as far as that is known. */
  saveText(fileName: string, text: string): Promise<string | null>

  /** Opens a web address outside; callers ask the person first. */
  openLink(url: string): Promise<void>

  /** Says how the system tells of questions that wait, and answers whether it has a tray; absent where there is no system to do so. */
  setNotices?(words: NoticeWords): Promise<boolean>

  /** Answers a question. Only the question's own window is let through. */
  answerQuestion(question: QuestionId, answer: Decision): Promise<void>

  /** Answers several questions, each as it says. Only a question's window is let through. */
  answerQuestions(answers: BatchDecision[]): Promise<BatchOutcome>

  /** What an answer would do. Only a question's window is let through. */
  previewAnswer(question: QuestionId, answer: Decision): Promise<DecisionPreview>

  /** All workspaces, for a question's window. */
  workspacesForThisWindow(): Promise<WorkspaceView[]>

  /** Brings the window of a question that waits to the front; absent where questions have no window. */
  openQuestion?(question: QuestionId): Promise<void>

  /** The question that this window was opened for, and behind it the others that wait; nothing when it is over. */
  questionsForThisWindow(): Promise<Question[]>
}
