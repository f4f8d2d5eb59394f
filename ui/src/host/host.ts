/**
 * What the UI may ask of Rust: one interface, whatever carries it.
 *
 * Always true here: every method is a request of `types.gen.ts`, and whatever goes wrong arrives as a `HostError`.
 */
import type {
  ActivityDetail,
  ActivityPage,
  AnchorCheck,
  AnchorExport,
  Answer,
  AnswerPreview,
  Answered,
  BatchAnswer,
  BatchOutcome,
  Compacted,
  Completion,
  DoctorReport,
  Exchange,
  Export,
  FoundConfiguration,
  Grant,
  HostError,
  ImportOutcome,
  ImportPreview,
  LogExport,
  LogReport,
  Numbered,
  OffersReview,
  PolicyView,
  PromptAnswer,
  PromptSpec,
  ProtocolLog,
  Question,
  QuestionId,
  Request,
  ResourceAnswer,
  ResourceList,
  Review,
  Rule,
  SamplingView,
  ServerLog,
  ServerView,
  Snapshot,
  Supposition,
  TelemetryView,
  Tightening,
  ToolAnswer,
  ToolView,
  WorkspaceView,
} from './types.gen'

/** The name of a request. */
export type Method = Request['method']

/** What goes with a request; nothing for those without parameters. */
export type Params<M extends Method> = Extract<Request, { method: M }> extends { params: infer P } ? P : undefined

/** What comes back for each request. */
export interface Answers {
  snapshot: Snapshot
  review_draft: Review
  add_server: ServerView
  edit_server: ServerView
  review_server: Review
  accept_review: ServerView
  enable_server: ServerView
  disable_server: ServerView
  restart_server: ServerView
  remove_server: null
  server_log: ServerLog
  find_configurations: FoundConfiguration[]
  preview_import: ImportPreview
  import_servers: ImportOutcome
  add_root: ServerView
  remove_root: ServerView
  review_offers: OffersReview
  decide_offers: OffersReview
  list_tools: ToolView[]
  set_tool: ToolView
  mark_tool: ToolView
  call_tool: Answered
  cancel_call: null
  reveal_answer: ToolAnswer
  full_answer: Export
  list_resources: ResourceList
  read_resource: ResourceAnswer
  watch_resource: ResourceList
  list_prompts: PromptSpec[]
  get_prompt: PromptAnswer
  complete: Completion
  list_logs: ProtocolLog
  set_log_level: ProtocolLog
  list_exchange: Exchange
  set_era: ServerView
  sign_in: ServerView
  finish_sign_in: ServerView
  cancel_sign_in: ServerView
  sign_out: ServerView
  use_account: ServerView
  set_client: ServerView
  diagnose: DoctorReport
  list_questions: Question[]
  answer_question: null
  answer_questions: BatchOutcome
  preview_answer: AnswerPreview
  list_grants: Grant[]
  list_tightenings: Tightening[]
  tighten: Grant
  show_policy: PolicyView
  preview_rule: Rule
  add_rule: PolicyView
  remove_rule: PolicyView
  test_policy: Supposition
  list_workspaces: WorkspaceView[]
  add_workspace: WorkspaceView
  rename_workspace: WorkspaceView
  remove_workspace: null
  switch_workspace: WorkspaceView
  note_unknown: null
  show_sampling: SamplingView
  set_sampling: SamplingView
  export_anchor: AnchorExport
  check_anchor: AnchorCheck
  compact_log: Compacted
  show_telemetry: TelemetryView
  set_telemetry: TelemetryView
  revoke_grant: Grant
  list_activity: ActivityPage
  show_activity: ActivityDetail
  verify_log: LogReport
  export_log: LogExport
}

/** The parameters as the last argument of `ask`: left out where a request has none. */
export type ParamsArgument<M extends Method> = Params<M> extends undefined ? [] : [params: Params<M>]

/** How the host is reached. */
export type HostKind = 'window' | 'headless' | 'fake'

/** A configuration file that a person has picked. */
export interface PickedFile {
  name: string
  text: string
}

/** Hears of events. `lost` is called when the stream breaks; events may be missing after it. */
export interface Listener {
  event(numbered: Numbered): void
  lost(error: HostError): void
}

/** What the person wants to be told of while they look elsewhere, and the words for it. */
export interface NoticeWords {
  /** Whether questions that wait are told of. */
  on: boolean
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
  ask<M extends Method>(method: M, ...params: ParamsArgument<M>): Promise<Answers[M]>

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

  /** Says how the system tells of questions that wait; absent where there is no system to do so. */
  setNotices?(words: NoticeWords): Promise<void>

  /** Answers a question. Only the question's own window is let through. */
  answerQuestion(question: QuestionId, answer: Answer): Promise<void>

  /** Answers several questions, each as it says. Only a question's window is let through. */
  answerQuestions(answers: BatchAnswer[]): Promise<BatchOutcome>

  /** What an answer would do. Only a question's window is let through. */
  previewAnswer(question: QuestionId, answer: Answer): Promise<AnswerPreview>

  /** All workspaces, for a question's window. */
  workspacesForThisWindow(): Promise<WorkspaceView[]>

  /** Brings the window of a question that waits to the front; absent where questions have no window. */
  openQuestion?(question: QuestionId): Promise<void>

  /** The question that this window was opened for, and behind it the others that wait; nothing when it is over. */
  questionsForThisWindow(): Promise<Question[]>
}
