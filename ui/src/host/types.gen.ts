// Written from Rust (src-tauri/api) by its test. Do not edit: run `UPDATE_TYPES=1 cargo test -p api types`.

/** Every request by its method: what goes with it, and what comes back. */
export interface Contract {
  snapshot: { params: undefined; reply: Snapshot }
  review_draft: { params: ReviewDraft; reply: Review }
  add_server: { params: AddServer; reply: ServerView }
  edit_server: { params: EditServer; reply: ServerView }
  review_server: { params: ReviewServer; reply: Review }
  accept_review: { params: AcceptReview; reply: ServerView }
  enable_server: { params: EnableServer; reply: ServerView }
  disable_server: { params: DisableServer; reply: ServerView }
  restart_server: { params: RestartServer; reply: ServerView }
  remove_server: { params: RemoveServer; reply: null }
  server_log: { params: ReadServerLog; reply: ServerLog }
  server_usage: { params: undefined; reply: Array<ServerUsage> }
  find_configurations: { params: undefined; reply: Array<FoundConfiguration> }
  preview_import: { params: PreviewImport; reply: ImportPreview }
  import_servers: { params: ImportServers; reply: ImportOutcome }
  add_root: { params: AddRoot; reply: ServerView }
  remove_root: { params: RemoveRoot; reply: ServerView }
  list_tools: { params: ListTools; reply: Array<ToolView> }
  search_tools: { params: SearchTools; reply: Array<ToolsFound> }
  set_tool: { params: SetTool; reply: ToolView }
  show_tool_always: { params: ShowToolAlways; reply: ToolView }
  mark_tool: { params: MarkTool; reply: ToolView }
  review_offers: { params: ReviewOffers; reply: FeaturesReview }
  decide_offers: { params: DecideOffers; reply: FeaturesReview }
  call_tool: { params: CallTool; reply: CallResult }
  cancel_call: { params: CancelCall; reply: null }
  reveal_answer: { params: RevealAnswer; reply: ToolResult }
  full_answer: { params: ReadFullAnswer; reply: FullResult }
  list_resources: { params: ListResources; reply: ResourceList }
  read_resource: { params: ReadResource; reply: ResourceResult }
  watch_resource: { params: WatchResource; reply: ResourceList }
  list_prompts: { params: ListPrompts; reply: Array<PromptSpec> }
  get_prompt: { params: GetPrompt; reply: PromptResult }
  complete: { params: Complete; reply: Completion }
  list_logs: { params: ListLogs; reply: ProtocolLog }
  set_log_level: { params: SetLogLevel; reply: ProtocolLog }
  list_exchange: { params: ListExchange; reply: WireLog }
  set_era: { params: SetEra; reply: ServerView }
  set_runs: { params: SetRuns; reply: ServerView }
  review_confinement: { params: ReviewConfinement; reply: ConfinementView }
  set_confinement: { params: SetConfinement; reply: ConfinementView }
  sign_in: { params: SignIn; reply: ServerView }
  finish_sign_in: { params: FinishSignIn; reply: ServerView }
  cancel_sign_in: { params: CancelSignIn; reply: ServerView }
  sign_out: { params: SignOut; reply: ServerView }
  use_account: { params: UseAccount; reply: ServerView }
  set_oauth_client: { params: SetOauthClient; reply: ServerView }
  diagnose: { params: Diagnose; reply: DoctorReport }
  list_questions: { params: undefined; reply: Array<Question> }
  answer_question: { params: AnswerQuestion; reply: null }
  answer_questions: { params: AnswerQuestions; reply: BatchOutcome }
  preview_answer: { params: PreviewAnswer; reply: DecisionPreview }
  list_grants: { params: undefined; reply: Array<Grant> }
  list_tightenings: { params: undefined; reply: Array<Tightening> }
  tighten: { params: Tighten; reply: Grant }
  list_clients: { params: undefined; reply: GatewayView }
  add_client: { params: AddClient; reply: ClientView }
  set_client_token: { params: SetClientToken; reply: ClientView }
  change_client: { params: ChangeClient; reply: ClientView }
  disconnect_client: { params: DisconnectClient; reply: ClientView }
  remove_client: { params: RemoveClient; reply: null }
  list_models: { params: undefined; reply: Array<ModelView> }
  find_models: { params: undefined; reply: Array<LocalModels> }
  add_model: { params: AddModel; reply: ModelView }
  change_model: { params: ChangeModel; reply: ModelView }
  test_model: { params: TestModel; reply: ModelCheck }
  remove_model: { params: RemoveModel; reply: null }
  list_assistants: { params: undefined; reply: Array<AssistantView> }
  save_assistant: { params: SaveAssistant; reply: AssistantView }
  remove_assistant: { params: RemoveAssistant; reply: null }
  export_assistant: { params: ExportAssistant; reply: AssistantExport }
  read_assistant: { params: ReadAssistant; reply: AssistantSettings }
  list_conversations: { params: ListConversations; reply: Array<ConversationView> }
  read_conversation: { params: ReadConversation; reply: ConversationPage }
  read_attachment: { params: ReadAttachment; reply: AttachmentContent }
  start_conversation: { params: StartConversation; reply: ConversationView }
  set_reader: { params: SetReader; reply: ConversationView }
  branch_conversation: { params: BranchConversation; reply: ConversationView }
  read_ledger: { params: ReadLedger; reply: RequestLedger }
  check_link: { params: CheckLink; reply: Array<Concern> }
  say_in_conversation: { params: SayInConversation; reply: ConversationView }
  stop_conversation: { params: StopConversation; reply: null }
  go_on: { params: GoOn; reply: ConversationView }
  rename_conversation: { params: RenameConversation; reply: ConversationView }
  pin_conversation: { params: PinConversation; reply: ConversationView }
  delete_conversation: { params: DeleteConversation; reply: null }
  export_conversation: { params: ExportConversation; reply: ConversationExport }
  import_conversation: { params: ImportConversation; reply: ConversationView }
  list_applications: { params: undefined; reply: Array<ApplicationView> }
  preview_connection: { params: PreviewConnection; reply: ConnectionPreview }
  connect_application: { params: ConnectApplication; reply: ApplicationView }
  preview_disconnection: { params: PreviewDisconnection; reply: ConnectionPreview }
  disconnect_application: { params: DisconnectApplication; reply: ApplicationView }
  list_bypasses: { params: undefined; reply: Array<Bypass> }
  show_policy: { params: undefined; reply: PolicyView }
  preview_rule: { params: PreviewRule; reply: Rule }
  add_rule: { params: AddRule; reply: PolicyView }
  remove_rule: { params: RemoveRule; reply: PolicyView }
  test_policy: { params: TestPolicy; reply: DryRunResult }
  list_workspaces: { params: undefined; reply: Array<WorkspaceView> }
  add_workspace: { params: AddWorkspace; reply: WorkspaceView }
  rename_workspace: { params: RenameWorkspace; reply: WorkspaceView }
  remove_workspace: { params: RemoveWorkspace; reply: null }
  switch_workspace: { params: SwitchWorkspace; reply: WorkspaceView }
  note_unknown: { params: NoteUnknown; reply: null }
  show_sampling: { params: ShowSampling; reply: SamplingView }
  set_sampling: { params: SetSampling; reply: SamplingView }
  export_anchor: { params: undefined; reply: AnchorExport }
  check_anchor: { params: CheckAnchor; reply: AnchorCheck }
  compact_log: { params: CompactLog; reply: Compacted }
  show_telemetry: { params: undefined; reply: TelemetryView }
  set_telemetry: { params: SetTelemetry; reply: TelemetryView }
  question_time: { params: undefined; reply: number }
  set_question_time: { params: SetQuestionTime; reply: number }
  revoke_grant: { params: RevokeGrant; reply: Grant }
  list_activity: { params: ListActivity; reply: ActivityPage }
  count_activity: { params: CountActivity; reply: ActivityFigures }
  show_activity: { params: ShowActivity; reply: ActivityDetail }
  show_call: { params: ShowCall; reply: ActivityDetail }
  verify_log: { params: undefined; reply: LogReport }
  export_log: { params: ExportLog; reply: LogExport }
}

/** What the pages refuse before they ask: things by their number, all else in bytes. */
export const BOUNDS = {
  text: 32768,
  attachments: 8,
  attached: 5242880,
  imported: 33554432,
} as const

/**
 * Notes that a person has seen the review of a server as it is now.
 */
export type AcceptReview = { 
/**
 * Which one.
 */
server: ServerId, 
/**
 * The fingerprint of the review that was shown.
 */
reviewed: Fingerprint, };

/**
 * What a tool does to the world, or a person asks to be done.
 */
export type Act = "remove" | "give" | "secure" | "pay" | "send" | "post" | "endorse" | "schedule" | "change" | "make" | "bring" | "publish" | "run";

/**
 * One call, or change, in full.
 */
export type ActivityDetail = { 
/**
 * The row.
 */
row: ActivityRow, 
/**
 * Which call it is, or belongs to.
 */
call: CallId | null, 
/**
 * Whether the whole text of its answer is kept, because only a part was passed on. Filled in
 * by whoever asks for the detail.
 */
whole_kept: boolean, 
/**
 * What was sent; values of held secrets are covered.
 */
arguments: Record<string, unknown> | null, 
/**
 * On whose word it ran.
 */
permission: Permission | null, 
/**
 * Who gave that word, and where: `question_window`, `terminal`, … For a call that a grant let
 * through, who made the grant.
 */
approver: string | null, 
/**
 * Why it did not run.
 */
refusal: Refusal | null, 
/**
 * What failed.
 */
error: string | null, 
/**
 * Its records in the log as they stand there, first to last.
 */
records: Array<string>, };

/**
 * The calls that fit a filter, in figures.
 */
export type ActivityFigures = { 
/**
 * How many calls fit.
 */
calls: number, 
/**
 * How long a span is.
 */
unit: SpanUnit, 
/**
 * All spans from the first call to the last, or as the filter says, in order; at most 92.
 */
spans: Array<SpanFigures>, 
/**
 * By server, most calls first; at most 20.
 */
servers: Array<ServerFigures>, 
/**
 * By who asked, most calls first; at most 20.
 */
callers: Array<CallerFigures>, 
/**
 * How they ended, most first.
 */
outcomes: Array<OutcomeCount>, 
/**
 * How long they ran; absent where none did.
 */
ran: TimeFigures | null, 
/**
 * How long those waited for a person of which somebody was asked something.
 */
waited: TimeFigures | null, };

/**
 * Which rows of the activity list.
 */
export type ActivityFilter = { 
/**
 * Only this part.
 */
segment: ActivitySegment | null, 
/**
 * Only this server.
 */
server: ServerId | null, 
/**
 * Only this tool.
 */
tool: ToolName | null, 
/**
 * Only this outcome.
 */
outcome: Outcome | null, 
/**
 * Only what these callers asked for.
 */
caller: CallerFilter | null, 
/**
 * Only what happened at this time or later.
 */
from: Timestamp | null, 
/**
 * Only what happened before this time.
 */
to: Timestamp | null, 
/**
 * Only rows that hold all these words.
 */
text: string | null, };

/**
 * Rows of the activity list.
 */
export type ActivityPage = { 
/**
 * Newest first.
 */
rows: Array<ActivityRow>, 
/**
 * Give this as `before` for the next page; absent at the end.
 */
next: number | null, };

/**
 * Why a row ended as it did. On whose word stands beside it, in `approver`.
 */
export type ActivityReason = "allowed" | "allowed_earlier" | "allowed_by_rule" | "denied" | "denied_earlier" | "forbidden_by_rule" | "unanswered" | "not_approved" | "outside_folders" | "unfit_arguments" | "too_often" | "changed" | "needs_person" | "cannot_check" | "ended_in_log" | "not_in_log" | "unlike_log";

/**
 * One row of the activity list: a call, or something a person changed.
 */
export type ActivityRow = { 
/**
 * The number of its first record in the log.
 */
seq: number, 
/**
 * When it began.
 */
at: Timestamp, 
/**
 * What happened: `call`, or the kind of change, such as `server_added`, `grant_made`,
 * `question_answered`.
 */
what: string, 
/**
 * In which part of the activity it stands.
 */
segment: ActivitySegment, 
/**
 * What it is about besides the server and the tool: a folder, the name of an offer, a
 * workspace, a model, an assistant, an application, an account, the address of a resource, the
 * text of a rule; at most 200 characters. May be a stranger's words.
 */
subject: string | null, 
/**
 * What was chosen, as a word: `on`, `off`; of offers `approve`, `keep_off`, `block`, absent
 * where they differ; of a grant `allow`, `deny`.
 */
choice: string | null, 
/**
 * Of how many things it speaks, where that can be more than one.
 */
count: number | null, 
/**
 * The question that it belongs to.
 */
question: QuestionId | null, 
/**
 * The grant that it is about, or that let it through or kept it away.
 */
grant: GrantId | null, 
/**
 * The rule that it is about, or the first of those that let it through or kept it away.
 */
rule: RuleId | null, 
/**
 * Who asked.
 */
caller: Caller | null, 
/**
 * Which server.
 */
server: ServerId | null, 
/**
 * Which tool.
 */
tool: ToolName | null, 
/**
 * How it ended.
 */
outcome: Outcome, 
/**
 * Why it ended so; absent where nothing was decided.
 */
reason: ActivityReason | null, 
/**
 * On whose word: `question_window`, `terminal`, …, or a caller as `kind:id`. Of a call that was
 * asked about, who answered; absent where nobody decided.
 */
approver: string | null, 
/**
 * Milliseconds from beginning to end, the person's thinking included.
 */
duration_ms: number | null, 
/**
 * Milliseconds of these in which a person was asked something; absent where it is unknown.
 */
waited_ms: number | null, 
/**
 * Milliseconds that it ran, without the person's thinking; absent where it did not run, or it
 * is unknown.
 */
ran_ms: number | null, };

/**
 * A part of the activity, by what its rows are about.
 */
export type ActivitySegment = "calls" | "decisions" | "system";

/**
 * Lets another application come in. Nothing is allowed to it yet.
 */
export type AddClient = { 
/**
 * What to call it.
 */
name: string, };

/**
 * Sets a model up. Nothing is sent to it yet.
 */
export type AddModel = { 
/**
 * The form as filled in.
 */
draft: ModelDraft, };

/**
 * Gives a server a folder. Fails with `protected_path` if it is protected, or holds something
 * that is, and that was not accepted.
 */
export type AddRoot = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * An absolute path of a folder.
 */
path: string, 
/**
 * Whether the person accepts that it is protected, or holds something that is.
 */
accept_protected: boolean, };

/**
 * Makes a rule. One that lets more happen is a question first, and this waits for the answer.
 */
export type AddRule = { 
/**
 * What was clicked together.
 */
draft: RuleDraft, };

/**
 * Keeps a new server, off and not reviewed.
 */
export type AddServer = { 
/**
 * The form as filled in.
 */
draft: ServerDraft, };

/**
 * Makes a workspace; it is not in use yet.
 */
export type AddWorkspace = { 
/**
 * What to call it.
 */
name: string, 
/**
 * Begins with the servers, folders and tool switches of this one, but never with its
 * grants; none begins empty.
 */
like: WorkspaceId | null, };

/**
 * A file or folder that a call names.
 */
export type AffectedFile = { 
/**
 * The text in the arguments that names it.
 */
of: string, 
/**
 * Where it really lies, links followed as far as they exist.
 */
path: string, 
/**
 * Whether it lies in a folder that the server was given.
 */
granted: boolean, };

/**
 * What a call touches, as far as its arguments tell.
 */
export type AffectedResources = { 
/**
 * Files and folders, where they really lie.
 */
files: Array<AffectedFile>, 
/**
 * Hosts of web addresses in the arguments, and the server's own if it is reached over the
 * network.
 */
hosts: Array<string>, 
/**
 * The account in whose name the server acts, by the name a person gave it.
 */
account: string | null, 
/**
 * How the server is held back.
 */
confinement: Confinement, 
/**
 * Code of the server that could not be read, and that nobody has reviewed.
 */
unread: Array<Unread>, };

/**
 * In what two tools are alike.
 */
export type Alike = { "kind": "name", 
/**
 * How.
 */
likeness: Likeness, } | { "kind": "purpose", 
/**
 * How much, from 0 to 100.
 */
percent: number, };

/**
 * What an argument may be.
 */
export type Allowed = { "kind": "anything" } | { "kind": "same", 
/**
 * The fingerprint of that value.
 */
fingerprint: Fingerprint, 
/**
 * As it was shown; values of held secrets are covered.
 */
shown: unknown, } | { "kind": "one_of", 
/**
 * The texts.
 */
values: Array<string>, } | { "kind": "under", 
/**
 * The folder's absolute path, as it really lies on the disk.
 */
folder: string, } | { "kind": "hosts", 
/**
 * The hosts, as an address has them.
 */
hosts: Array<string>, } | { "kind": "at_most", 
/**
 * The largest.
 */
number: number, };

/**
 * How the log stands to an anchor that was kept elsewhere.
 */
export type AnchorCheck = { "kind": "continues", 
/**
 * The record up to which the anchor covers it.
 */
seq: number, 
/**
 * When the anchor was made.
 */
at: Timestamp, 
/**
 * Records since.
 */
since: number, } | { "kind": "rolled_back", 
/**
 * The record that the anchor names.
 */
anchor: number, 
/**
 * The last record that is there.
 */
records: number, } | { "kind": "differs", 
/**
 * The record that the anchor names.
 */
seq: number, } | { "kind": "moved_out", 
/**
 * The record that the anchor names.
 */
seq: number, 
/**
 * The first record that is still in the log.
 */
first: number, } | { "kind": "other_log" };

/**
 * What is to be kept elsewhere, so that a log that was exchanged as a whole is noticed.
 */
export type AnchorExport = { 
/**
 * One line of text.
 */
text: string, 
/**
 * The same as a QR code: an SVG image.
 */
qr: string, 
/**
 * A name for a file.
 */
file_name: string, 
/**
 * The last record that it covers.
 */
seq: number, 
/**
 * When it was made.
 */
at: Timestamp, };

/**
 * Where the head of the log is noted outside of the log.
 */
export type AnchorPlace = "keyring" | "database" | "nowhere";

/**
 * Answers a question. Only an approver may.
 */
export type AnswerQuestion = { 
/**
 * Which one.
 */
question: QuestionId, 
/**
 * The answer.
 */
answer: Decision, };

/**
 * Answers several questions at once. Only an approver may.
 */
export type AnswerQuestions = { 
/**
 * The answers.
 */
answers: Array<BatchDecision>, };

/**
 * A kind of answer.
 */
export type AnswerType = { "kind": "text" } | { "kind": "boolean" } | { "kind": "integer" } | { "kind": "number" } | { "kind": "date" } | { "kind": "one_of", 
/**
 * What there is to choose from.
 */
choices: Array<string>, } | { "kind": "json" };

/**
 * An application whose configuration can be imported.
 */
export type Application = "claude_desktop" | "claude_code" | "cursor" | "vs_code" | "codex" | "windsurf" | "zed" | "gemini_cli" | "lm_studio" | "goose" | "opencode" | "cline" | "copilot" | "kiro" | "antigravity" | "junie" | "roo_code" | "warp" | "amp" | "continue";

/**
 * An application on this computer that can start `majordomoctl bridge`, and whether it does.
 */
export type ApplicationView = { 
/**
 * Which one. One of which several editions are installed is listed once for each.
 */
application: Application, 
/**
 * The file in which it keeps its servers. It need not be there yet.
 */
path: string, 
/**
 * Where that file really lies, if a link leads there.
 */
leads_to: string | null, 
/**
 * Whether it leads here.
 */
connection: ConnectionState, 
/**
 * As which client it comes in, if it does.
 */
client: CallerId | null, 
/**
 * The copy of its file from before it was connected, if there was one.
 */
backup: string | null, 
/**
 * How it takes up a change of its file.
 */
takes_up: TakesUp, };

/**
 * How something that is offered stands to what was decided.
 */
export type ApprovalStatus = { "kind": "approved" } | { "kind": "new" } | { "kind": "changed" } | { "kind": "renamed", 
/**
 * The name before.
 */
from: string, } | { "kind": "gone" } | { "kind": "kept_off" } | { "kind": "blocked" };

/**
 * Who may answer questions.
 */
export type ApproverKind = "question_window" | "terminal";

/**
 * A folder that an argument names, and that can become one of the server's.
 */
export type ArgumentFolder = { 
/**
 * Which argument, from 1 on.
 */
argument: number, 
/**
 * The folder, as it is to be listed.
 */
path: string, };

/**
 * What a remembered answer may say about one argument of a call.
 */
export type ArgumentOptions = { 
/**
 * The argument's name.
 */
argument: string, 
/**
 * What may be chosen beside "the same" and "anything", narrowest first.
 */
allowed: Array<Allowed>, };

/**
 * For which arguments an answer is remembered.
 */
export type ArgumentScope = { "kind": "any" } | { "kind": "exactly" } | { "kind": "within", 
/**
 * The limits; an argument without one is not covered.
 */
limits: Array<LimitChoice>, };

/**
 * Why something that a server asked for was refused without a question to a person.
 */
export type AskRefusal = "password" | "card" | "token" | "one_time_code" | "key" | "bad_address" | "secret_in_address" | "rule" | "model_off" | "model_tools" | "model_budget" | "too_large" | "unbidden";

/**
 * An assistant, written out.
 */
export type AssistantExport = { 
/**
 * A name for the file.
 */
file_name: string, 
/**
 * Its text.
 */
text: string, };

/**
 * A text that says how an assistant is set up.
 */
export type AssistantFile = { 
/**
 * The text.
 */
text: string, };

/**
 * An assistant that a person has made.
 */
export type AssistantId = string;

/**
 * How an assistant is set up. What it may do is never more than what models may do without one.
 */
export type AssistantSettings = { 
/**
 * What it is called.
 */
name: string, 
/**
 * What it is for: what the person reads, and what a model reads that may give it a task.
 */
description: string, 
/**
 * How it is to go about its tasks.
 */
instructions: string, 
/**
 * Which model it is; none means the one that is in use where it works.
 */
model: ModelId | null, 
/**
 * Which tools of servers it is shown.
 */
tools: AssistantTools, 
/**
 * Whether it can calculate with a tool of this application.
 */
calculates: boolean, 
/**
 * Other assistants that it may give tasks to in its conversations.
 */
helpers: Array<AssistantId>, 
/**
 * Whether models may give it tasks in conversations without an assistant.
 */
is_helper: boolean, 
/**
 * What it answers to a task that it is given by a model.
 */
answer: AnswerType, };

/**
 * Which tools of servers an assistant is shown: of those that models may use, never others.
 */
export type AssistantTools = { "kind": "all" } | { "kind": "chosen", 
/**
 * Which ones; none means no tools of servers.
 */
tools: Array<ChosenTool>, };

/**
 * An assistant.
 */
export type AssistantView = { 
/**
 * Its number.
 */
id: AssistantId, 
/**
 * How it is set up.
 */
settings: AssistantSettings, 
/**
 * When it was added.
 */
added_at: Timestamp, };

/**
 * What is in an attachment, as the model gets it.
 */
export type AttachmentContent = { 
/**
 * Texts and pictures, with everything covered that is to be.
 */
content: Array<Content>, };

/**
 * What kind of thing is attached.
 */
export type AttachmentKind = { "kind": "text" } | { "kind": "picture", 
/**
 * Its media type.
 */
mime_type: string, 
/**
 * How large it is, where that can be read.
 */
size: PictureSize | null, };

/**
 * What a person attached, without what is in it: that is read on its own ([`crate::ReadAttachment`]).
 */
export type AttachmentView = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it is.
 */
kind: AttachmentKind, 
/**
 * How much is in it, in bytes.
 */
bytes: number, 
/**
 * From whom it is, how far it may be believed, and who may read it.
 */
label: Label, };

/**
 * An answer to one of several questions that are answered together.
 */
export type BatchDecision = { 
/**
 * Which question.
 */
question: QuestionId, 
/**
 * The answer.
 */
answer: Decision, };

/**
 * What became of each of several answers.
 */
export type BatchOutcome = { 
/**
 * Questions that were answered.
 */
answered: Array<QuestionId>, 
/**
 * Questions that did not wait any more, or whose answer did not fit.
 */
failed: Array<QuestionId>, 
/**
 * Grants that were made.
 */
grants: Array<GrantId>, };

/**
 * Begins a conversation with all that was said in another one before a turn: the other one
 * stays as it is. Fails with `bad_request` where no turn begins.
 */
export type BranchConversation = { 
/**
 * Which one.
 */
conversation: ConversationId, 
/**
 * The number of what the person said, with which the turn begins.
 */
before: number, };

/**
 * Why a reply did not come to its end.
 */
export type BrokenReply = { "kind": "stopped" } | { "kind": "application_ended" } | { "kind": "failed", 
/**
 * What kind of failure it is, where it is one that a person knows a way out of.
 */
code: ErrorCode | null, 
/**
 * What happened, in one sentence.
 */
message: string, };

/**
 * What a server may still use of a model.
 */
export type Budget = { 
/**
 * Requests within the next hour.
 */
requests: number, 
/**
 * Tokens within the next day.
 */
tokens: number, 
/**
 * Tokens of one reply.
 */
per_reply: number, };

/**
 * A server that an application starts or calls itself: Majordomo neither asks nor logs.
 */
export type Bypass = { 
/**
 * Which application.
 */
application: Application, 
/**
 * The file in which it stands.
 */
path: string, 
/**
 * The project that it belongs to, where it is kept for one only. Files of projects are never
 * written.
 */
project: string | null, 
/**
 * Its name there.
 */
source_name: string, 
/**
 * What is run or called, in one line; values that look secret are covered.
 */
runs: string, 
/**
 * The server here that runs or calls the same, whatever it is called.
 */
server: ServerId | null, 
/**
 * Whether it can be taken out of the file when the application is connected.
 */
removable: boolean, };

/**
 * One attempt to call a tool, from the question to the closed trace.
 */
export type CallId = string;

/**
 * A tool's result as it is passed on, with what this host knows about it.
 */
export type CallResult = { 
/**
 * Of which call.
 */
call: CallId, 
/**
 * When it came.
 */
at: Timestamp, 
/**
 * What was found in it, the worst first. Places are JSON pointers into this answer, such as
 * `/content/0/text`.
 */
findings: Array<Finding>, 
/**
 * Where it came from, how far it may be believed, and who may read it.
 */
label: Label, 
/**
 * Whether the person can have shown what was covered by marks, until the application ends.
 */
revealable: boolean, 
/**
 * Whether all of it is kept on the disk for the person, because only a part is passed on.
 */
whole_kept: boolean, 
/**
 * Milliseconds that the call ran, without those in which a person was asked something; absent
 * where it is unknown.
 */
ran_ms: number | null, 
/**
 * What the server asked for meanwhile and was refused without a question.
 */
refused_asks?: Array<AskRefusal>, 
/**
 * The parts, in the server's order.
 */
content: Array<Content>, 
/**
 * Structured content, if there is any.
 */
structured: unknown, 
/**
 * The tool says that it failed. (A protocol failure is an error of the call, not an answer.)
 */
is_error: boolean, 
/**
 * What this host did to the answer or found in it.
 */
notes: Array<ResultNote>, };

/**
 * Calls a tool and waits for the end, the question to a person included.
 */
export type CallTool = { 
/**
 * Chosen by the surface (`call-` and 16 hexadecimal digits), so that it can follow and
 * cancel the call.
 */
call: CallId | null, 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which tool.
 */
tool: ToolName, 
/**
 * The arguments.
 */
arguments: Record<string, unknown>, };

/**
 * Who asks. A grant given to one caller says nothing about another.
 */
export type Caller = { 
/**
 * What kind of thing it is.
 */
kind: CallerKind, 
/**
 * Which one of that kind.
 */
id: CallerId, 
/**
 * What it is called: one line for people, in a stranger's words, bounded, with nothing in it
 * that cannot be seen.
 */
name: string, };

/**
 * The calls of one caller.
 */
export type CallerFigures = { 
/**
 * Who asked.
 */
caller: Caller, 
/**
 * All of them.
 */
calls: number, 
/**
 * Those that failed.
 */
failed: number, 
/**
 * Those that were not allowed.
 */
refused: number, };

/**
 * Every caller of a kind, or one of them. As text: `client`, `client:editor-1`.
 */
export type CallerFilter = { 
/**
 * Of which kind.
 */
kind: CallerKind, 
/**
 * Which one of that kind; none means all of them.
 */
id: CallerId | null, };

/**
 * Which caller of its kind: 1 to 64 of `A–Z a–z 0–9 . _ -`, beginning with a letter or a digit. It
 * is ours, never the caller's own claim.
 */
export type CallerId = string;

/**
 * What kind of thing asks.
 */
export type CallerKind = string;

/**
 * Cancels a call, or withdraws it while its question waits.
 */
export type CancelCall = { 
/**
 * Which call.
 */
call: CallId, };

/**
 * Stops waiting for the browser.
 */
export type CancelSignIn = { 
/**
 * Which server.
 */
server: ServerId, };

/**
 * What a server can do beside tools, as it says.
 */
export type Capabilities = { 
/**
 * It offers resources.
 */
resources: boolean, 
/**
 * It tells when a resource changes.
 */
watch: boolean, 
/**
 * It offers prompts.
 */
prompts: boolean, 
/**
 * It proposes values.
 */
completions: boolean, 
/**
 * It keeps a log.
 */
logs: boolean, };

/**
 * One field that is not what it was.
 */
export type Change = { 
/**
 * Which field, as a JSON pointer (RFC 6901) into the definition.
 */
at: string, 
/**
 * What it was; absent where it is new.
 */
before: unknown, 
/**
 * What it is; absent where it is gone.
 */
now: unknown, 
/**
 * What it means.
 */
kind: ChangeKind, };

/**
 * Changes what an application is given, or how it is shown it. It holds at once.
 */
export type ChangeClient = { 
/**
 * Which one.
 */
client: CallerId, 
/**
 * What of it.
 */
change: ClientChange, };

/**
 * One part of a change that a program wants.
 */
export type ChangeDetail = { 
/**
 * Its name in the contract.
 */
name: string, 
/**
 * Its value: a text as it is, everything else as JSON.
 */
value: string, };

/**
 * What a change means, least first.
 */
export type ChangeKind = "cosmetic" | "narrows" | "widens" | "speaks_to_model";

/**
 * Changes how a model is reached, what it can do, or its key.
 */
export type ChangeModel = { 
/**
 * Which one.
 */
model: ModelId, 
/**
 * The form as filled in; `DraftKey::Kept` keeps the key that is there.
 */
draft: ModelDraft, };

/**
 * How the log stands to an anchor that was kept elsewhere.
 */
export type CheckAnchor = { 
/**
 * The anchor's line of text.
 */
text: string, };

/**
 * What speaks against the opening of an address that a model has written, gravest first: who
 * wrote it before the model, and whether it may carry something out. Nothing is opened. Fails
 * with `unknown_conversation`.
 */
export type CheckLink = { 
/**
 * In which conversation it was written.
 */
conversation: ConversationId, 
/**
 * The address.
 */
address: string, };

/**
 * A tool that was chosen.
 */
export type ChosenTool = { 
/**
 * Of which server.
 */
server: ServerId, 
/**
 * Which of its tools.
 */
tool: ToolName, };

/**
 * By what another application comes in.
 */
export type ClientCarrier = "bridge" | "http";

/**
 * What a person changes of that.
 */
export type ClientChange = { "kind": "mode", 
/**
 * How.
 */
mode: ToolMode, } | { "kind": "tools", 
/**
 * Which.
 */
tools: ToolSelection, } | { "kind": "workspace", 
/**
 * Which one; none means the one in use.
 */
workspace: WorkspaceId | null, } | { "kind": "own_tools", 
/**
 * On?
 */
on: boolean, };

/**
 * A connection of another application.
 */
export type ClientConnection = { 
/**
 * By what it came in.
 */
by: ClientCarrier, 
/**
 * Since when.
 */
since: Timestamp, 
/**
 * What it says that it is: a stranger's words, of one line. Absent until it has said so.
 */
says: string | null, };

/**
 * A client certificate and its key.
 */
export type ClientIdentity = { 
/**
 * The certificate, then those that vouch for it.
 */
certificate: PemPlace, 
/**
 * Its key.
 */
key: PemPlace, };

/**
 * What an application is given, and how it is shown it.
 */
export type ClientSettings = { 
/**
 * How it is shown its tools.
 */
mode: ToolMode, 
/**
 * Which servers and tools it has.
 */
tools: ToolSelection, 
/**
 * In which workspace it works; none means the one in use. While another one is in use it is
 * given nothing.
 */
workspace: WorkspaceId | null, 
/**
 * Whether it is offered Majordomo's own tools, by which it sees what of its own waits and what
 * it did.
 */
own_tools: boolean, };

/**
 * Another application that may come in by the gateway.
 */
export type ClientView = { 
/**
 * Its id as a caller.
 */
id: CallerId, 
/**
 * What the person calls it.
 */
name: string, 
/**
 * When it was added.
 */
added_at: Timestamp, 
/**
 * Whether it has a token for HTTP. By `majordomoctl bridge` it comes in without one.
 */
has_token: boolean, 
/**
 * When it was connected last, if ever.
 */
seen_at: Timestamp | null, 
/**
 * Its connections that are in use, oldest first: over HTTP those with an open stream, or with a
 * request within the last minutes.
 */
connections: Array<ClientConnection>, 
/**
 * What it is given, and how it is shown it.
 */
settings: ClientSettings, 
/**
 * How many tools it has now.
 */
counts: ToolCounts, 
/**
 * What their definitions take of a model's context.
 */
costs: ToolCosts, };

/**
 * What Codex wants to be allowed. It asks with a form that has no fields, and says beside it what
 * the form is about.
 */
export type CodexApproval = { 
/**
 * A command and its arguments; empty where it is about none.
 */
command: Array<string>, 
/**
 * The folder in which the command is to run.
 */
folder: string | null, 
/**
 * What is to be done to files, each by its path, as Codex says it.
 */
changes: Record<string, unknown>, 
/**
 * A folder in which it then may write without a further question, as long as its session lasts.
 */
writes_in: string | null, };

/**
 * Moves old records out of the log, behind a signed checkpoint.
 */
export type CompactLog = { 
/**
 * Only whole segments of which every record is older.
 */
before: Timestamp, };

/**
 * What leaving out old records has done.
 */
export type Compacted = { 
/**
 * Records that were moved out.
 */
records: number, 
/**
 * The folder in which their files are kept now; none if there was nothing to move.
 */
file: string | null, 
/**
 * The first record that is still in the log.
 */
first: number, };

/**
 * Proposals for a value that is being typed.
 */
export type Complete = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * What it is typed into.
 */
of: CompletionOf, 
/**
 * The argument or gap.
 */
argument: string, 
/**
 * What is typed so far.
 */
value: string, 
/**
 * The other arguments that are filled in already.
 */
context: Record<string, string>, };

/**
 * Proposals for a value that is being typed (MCP `completion/complete`).
 */
export type Completion = { 
/**
 * At most a hundred, best first, in the server's words.
 */
values: Array<string>, 
/**
 * How many there are in all, if the server says.
 */
total: number | null, 
/**
 * Whether there are more.
 */
has_more: boolean, };

/**
 * What a value is proposed for.
 */
export type CompletionOf = { "kind": "prompt", 
/**
 * Its name.
 */
name: string, } | { "kind": "template", 
/**
 * The address with its gaps.
 */
uri_template: string, };

/**
 * One thing that speaks against a call.
 */
export type Concern = { 
/**
 * Under which argument the value stands; nothing where it is about the act.
 */
argument: string | null, 
/**
 * The value; where it is about the act, what is acted upon, if anything; where it is about the
 * tool, its name, and then what it acts upon.
 */
value: string, 
/**
 * The act in words, where it is about that: "delete or remove something".
 */
act: Act | null, 
/**
 * Where it came from.
 */
source: Source, 
/**
 * Why it matters.
 */
why: Why, };

/**
 * What must hold for a rule to apply. Of several hosts or paths that some program may read in a
 * call one is enough, except for [`RuleEffect::Allow`], which needs it to hold for all of them.
 */
export type Condition = { "kind": "consequential" } | { "kind": "secret" } | { "kind": "from_strangers" } | { "kind": "remote" } | { "kind": "unconfined" } | { "kind": "to_hosts", 
/**
 * The hosts.
 */
hosts: Array<string>, } | { "kind": "in_folder", 
/**
 * Its absolute path.
 */
folder: string, } | { "kind": "found", 
/**
 * Instructions, credentials or personal numbers.
 */
what: FoundWhat, };

/**
 * Who may read a text, widest first.
 */
export type Confidentiality = "public" | "private" | "secret";

/**
 * How a server is held back by the system.
 */
export type Confinement = "none" | "namespaces" | "landlock" | "seatbelt" | "app_container" | "confined" | "elsewhere" | "own";

/**
 * What a server on this computer may touch, as a person chose it. What comes with its command, and
 * the folders that it was given as such, are not repeated here.
 */
export type ConfinementSettings = { 
/**
 * Whether it is confined at all. If not, it can do whatever the person can.
 */
confined: boolean, 
/**
 * Files and folders beside those.
 */
paths: Array<GivenPath>, 
/**
 * With whom it may speak.
 */
network: NetworkAccess, };

/**
 * By what a server is confined, the strongest first.
 */
export type ConfinementTier = "namespaces" | "landlock" | "seatbelt" | "app_container";

/**
 * What a server on this computer may touch, and by what that is enforced.
 */
export type ConfinementView = { 
/**
 * What the person chose.
 */
settings: ConfinementSettings, 
/**
 * The strongest that this computer has; none means that a server which is to be confined does
 * not start.
 */
tier: ConfinementTier | null, 
/**
 * What it could touch if it were started now, beside the system's own programs and libraries.
 */
paths: Array<ReachablePath>, 
/**
 * What its command or its variables name and it is not given by the way, because it is
 * protected or holds everything of the person.
 */
withheld: Array<string>, 
/**
 * What is kept from it although it lies in something that it is given.
 */
hidden: Array<string>, 
/**
 * The folder that is its home; absent while it is not kept as a server.
 */
home: string | null, 
/**
 * Hosts that it asked for since it was started last, and did not reach.
 */
refused: Array<RefusedHost>, 
/**
 * Files that its calls named since it was started last, and that lie outside what it was given.
 */
refused_files: Array<RefusedFile>, };

/**
 * Writes the entry of Majordomo into an application's file, as it was shown, and lets the
 * application come in. Nothing is allowed to it yet.
 */
export type ConnectApplication = { 
/**
 * Which one.
 */
application: Application, 
/**
 * Its file, as listed.
 */
path: string, 
/**
 * The same as in the preview.
 */
without: Array<string>, 
/**
 * The hash of the preview.
 */
hash: Fingerprint, };

/**
 * What is different in the file of an application that was connected.
 */
export type ConnectionChange = "gone" | "altered" | "not_let_in";

/**
 * What would be done with an application's file.
 */
export type ConnectionPlan = { "kind": "write", 
/**
 * What becomes of the file.
 */
file: FileFate, 
/**
 * The difference, with the lines around it; values that look secret are covered.
 */
lines: Array<DifferenceLine>, 
/**
 * How many more lines there are than are shown.
 */
more: number, 
/**
 * Stands for the file as it was read and as it would be written. It goes with the request
 * that carries it out.
 */
hash: Fingerprint, } | { "kind": "paste", 
/**
 * Why it is not written, in a sentence.
 */
problem: string, 
/**
 * What to put there; empty where the entry is to be taken out.
 */
snippet: string, };

/**
 * What connecting an application, or taking that back, would change in its file.
 */
export type ConnectionPreview = { 
/**
 * Which application.
 */
application: Application, 
/**
 * Its file.
 */
path: string, 
/**
 * Where that file really lies, if a link leads there.
 */
leads_to: string | null, 
/**
 * As which client it comes in, or came in. None where nobody is known by that entry.
 */
client: CallerId | null, 
/**
 * What that client is called.
 */
name: string, 
/**
 * What would be done.
 */
plan: ConnectionPlan, 
/**
 * How the application takes up the change.
 */
takes_up: TakesUp, };

/**
 * Whether an application's configuration leads here.
 */
export type ConnectionState = { "kind": "not_connected" } | { "kind": "written" } | { "kind": "connected", 
/**
 * When it did last.
 */
seen_at: Timestamp, } | { "kind": "leads_here", 
/**
 * When whoever comes in as its client did last, if that is known and was ever.
 */
seen_at: Timestamp | null, } | { "kind": "changed", 
/**
 * What is different.
 */
what: ConnectionChange, } | { "kind": "unreadable", 
/**
 * Why, in a sentence.
 */
problem: string, };

/**
 * What ends a server and all that it started, when the host itself has ended or was killed.
 */
export type Containment = "namespace" | "job_object" | "launcher";

/**
 * One part of a result. `extra` is every other field of it, as it came (`_meta`, `annotations`):
 * for programs that pass the part on; no page and no model is shown it.
 */
export type Content = { "kind": "text", 
/**
 * The text.
 */
text: string, } | { "kind": "image", 
/**
 * Base64.
 */
data: string, 
/**
 * Media type as the server says.
 */
mime_type: string, } | { "kind": "audio", 
/**
 * Base64.
 */
data: string, 
/**
 * Media type as the server says.
 */
mime_type: string, } | { "kind": "resource_link", 
/**
 * Where.
 */
uri: string, 
/**
 * The server's name for it.
 */
name: string, 
/**
 * A name for people.
 */
title: string | null, 
/**
 * What it is.
 */
description: string | null, 
/**
 * Media type as the server says.
 */
mime_type: string | null, } | { "kind": "resource", 
/**
 * Where it is from.
 */
uri: string, 
/**
 * Media type as the server says.
 */
mime_type: string | null, 
/**
 * Its text.
 */
text: string | null, 
/**
 * Its bytes, Base64.
 */
blob: string | null, } | { "kind": "unknown", 
/**
 * The part as JSON.
 */
value: unknown, };

/**
 * A conversation, written out.
 */
export type ConversationExport = { 
/**
 * A name for the file.
 */
file_name: string, 
/**
 * Its text.
 */
text: string, };

/**
 * How a conversation is written out.
 */
export type ConversationFormat = "markdown" | "json";

/**
 * One conversation of a caller: a chat of an agent, the session of another application, or one
 * run of the application.
 */
export type ConversationId = string;

/**
 * One thing in a conversation.
 */
export type ConversationItem = { "kind": "said", 
/**
 * Their words.
 */
text: string, 
/**
 * What they attached.
 */
attached: Array<AttachmentView>, 
/**
 * Whether a turn begins with it: a branch can begin before it.
 */
begins_turn: boolean, } | { "kind": "task", 
/**
 * The task.
 */
text: string, 
/**
 * What it is to read for it.
 */
attached: Array<AttachmentView>, 
/**
 * Of what the words of the task may be made.
 */
label: Label, } | { "kind": "let_go_on" } | { "kind": "reply", 
/**
 * The model, as its service calls it.
 */
model: string, 
/**
 * What it answered, in its order.
 */
parts: Array<ReplyItem>, 
/**
 * Why it did not come to its end, if it did not.
 */
broke: BrokenReply | null, 
/**
 * Tokens that it has read, where its service says so.
 */
read: number | null, 
/**
 * Tokens that it has written, where its service says so.
 */
written: number | null, 
/**
 * About how many tokens it was sent.
 */
sent: number, 
/**
 * Whether its service has taken in less than that: what stood first was dropped without a
 * word.
 */
was_truncated: boolean, 
/**
 * Whether it is known what the request held that it answers.
 */
has_ledger: boolean, };

/**
 * Part of what was said in a conversation.
 */
export type ConversationPage = { 
/**
 * The conversation.
 */
conversation: ConversationView, 
/**
 * What was said, in its order.
 */
items: Array<ConversationItem>, 
/**
 * The number of the first of these, from 0.
 */
from: number, 
/**
 * How many there are in all.
 */
total: number, 
/**
 * What the person said while the model answered; it is sent with the next request.
 */
steered: Array<Steered>, 
/**
 * What has come so far of the reply that is coming in.
 */
coming: Array<ReplyItem>, 
/**
 * Which reply that is, and with which piece it goes on.
 */
growing: GrowingReply | null, 
/**
 * How the last turn has ended, if one has and none goes on.
 */
ended: TurnEnd | null, 
/**
 * From which servers it has taken something in, the first first.
 */
taken_in: Array<TakenIn>, 
/**
 * How many things at its beginning were imported from a file: nothing in them is the word of
 * whom it is said to be.
 */
imported: number, };

/**
 * What is going on in a conversation.
 */
export type ConversationState = { "kind": "idle" } | { "kind": "asking" } | { "kind": "retrying", 
/**
 * When, in seconds from when this was told.
 */
seconds: number, } | { "kind": "calling" } | { "kind": "paused", 
/**
 * Why.
 */
why: PauseReason, } | { "kind": "left" };

/**
 * The text of a file in which a conversation was saved as JSON.
 */
export type ConversationText = string;

/**
 * A conversation, without what was said in it.
 */
export type ConversationView = { 
/**
 * Its number.
 */
id: ConversationId, 
/**
 * Greater the later was looked: of two views the one with the greater number is the newer one.
 */
revision: number, 
/**
 * What it is called; empty until something was said in it.
 */
title: string, 
/**
 * The model that answers next, if it is still there.
 */
model: ModelId | null, 
/**
 * What is going on in it.
 */
state: ConversationState, 
/**
 * Whether the person wants it at the top.
 */
is_pinned: boolean, 
/**
 * The assistant that answers in it, if it is one. That one may be gone.
 */
assistant: AssistantId | null, 
/**
 * The conversation that gave the task that is done in it, if one is: nothing can be said in it.
 */
task_of: ConversationId | null, 
/**
 * Whether what speaks to the model is read for it, and not shown to it. In a task it is as in
 * the conversation that the person has begun.
 */
has_reader: boolean, 
/**
 * The conversation whose beginning it took over, if it is a branch. That one may be gone.
 */
branch_of: ConversationId | null, 
/**
 * When it was begun.
 */
created_at: Timestamp, 
/**
 * When something was said or done in it last.
 */
changed_at: Timestamp, };

/**
 * The calls that fit, in figures.
 */
export type CountActivity = { 
/**
 * Which rows; of these only calls are counted.
 */
filter: ActivityFilter, };

/**
 * Which arguments a grant covers.
 */
export type Covered = { "kind": "any" } | { "kind": "exactly", 
/**
 * Their fingerprint.
 */
fingerprint: Fingerprint, 
/**
 * As they were shown; values of held secrets are covered.
 */
shown: Record<string, unknown>, } | { "kind": "within", 
/**
 * The limits.
 */
limits: Array<Limit>, };

/**
 * Keeps a person's decisions about what a server offers. All are kept or, if something changed
 * since it was shown, none.
 */
export type DecideOffers = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * The decisions.
 */
decisions: Array<FeatureDecision>, };

/**
 * A person's answer.
 */
export type Decision = { "kind": "allow", 
/**
 * What to send instead of what was asked for, if the person changed it.
 */
arguments: Record<string, unknown> | null, 
/**
 * What to remember of it; nothing means: this call, and nothing else.
 */
remember: Remember | null, } | { "kind": "deny", 
/**
 * Told to the caller.
 */
reason: string | null, 
/**
 * What to remember of it; nothing means: this call, and nothing else.
 */
remember: Remember | null, } | { "kind": "form", 
/**
 * What the person did with it.
 */
answer: FormResult, } | { "kind": "open_url" } | { "kind": "use_model", 
/**
 * What to ask it instead, if the person changed it: the parameters of the request.
 */
params: Record<string, unknown> | null, } | { "kind": "send_reply", 
/**
 * What to send instead of what the model said, if the person changed it.
 */
reply: string | null, } | { "kind": "change_rule" } | { "kind": "decline" };

/**
 * What an answer would do, before it is given.
 */
export type DecisionPreview = { 
/**
 * Why the changed arguments cannot be sent, if so.
 */
problems: Array<string>, 
/**
 * Why it cannot be remembered as was wanted, if so.
 */
not_remembered: RememberProblem | null, 
/**
 * What a remembered answer may say about each argument, for the arguments as they are changed.
 */
options: Array<ArgumentOptions>, 
/**
 * The grant that would be remembered.
 */
grant: Grant | null, 
/**
 * Other waiting questions that it would settle.
 */
settles: Array<QuestionId>, 
/**
 * Calls of the last 30 days that it would have covered, newest first, the first few.
 */
past: Array<PastCall>, 
/**
 * How many of the tool's calls of the last 30 days it would have covered.
 */
past_covered: number, 
/**
 * How many calls of the tool there were in the last 30 days.
 */
past_all: number, };

/**
 * Deletes a conversation with all that was said in it. What goes on in it is stopped.
 */
export type DeleteConversation = { 
/**
 * Which one.
 */
conversation: ConversationId, };

/**
 * Goes through every step of finding out how to sign in, without signing in.
 */
export type Diagnose = { 
/**
 * Which server.
 */
server: ServerId, };

/**
 * A line of a difference.
 */
export type DifferenceLine = { 
/**
 * Whether it stays, comes or goes.
 */
kind: LineKind, 
/**
 * Its number before, from 1; none if it comes.
 */
before: number | null, 
/**
 * Its number after, from 1; none if it goes.
 */
after: number | null, 
/**
 * What it says, without its end. What cannot be seen is made visible, what is long is cut.
 */
text: string, };

/**
 * Switches a server off and stops it.
 */
export type DisableServer = { 
/**
 * Which one.
 */
server: ServerId, };

/**
 * Gives an application's file back as it was, or takes the entry out of it if it has changed
 * since. A client that was made for it may come in no more.
 */
export type DisconnectApplication = { 
/**
 * Which one.
 */
application: Application, 
/**
 * Its file, as listed.
 */
path: string, 
/**
 * The hash of the preview.
 */
hash: Fingerprint, };

/**
 * Ends all connections of an application. It may come back.
 */
export type DisconnectClient = { 
/**
 * Which one.
 */
client: CallerId, };

/**
 * What goes wrong in a step. Every one has a sentence and a remedy in every message catalogue.
 */
export type DoctorProblem = "not_found" | "unreachable" | "forbidden_address" | "certificate" | "not_json" | "too_long" | "wrong_resource" | "wrong_issuer" | "foreign_endpoint" | "unsafe_address" | "no_pkce" | "no_registration" | "http_status" | "none_named" | "timed_out";

/**
 * Every step of finding out how to sign in.
 */
export type DoctorReport = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * The steps, in the order they were gone.
 */
steps: Array<DoctorStep>, };

/**
 * One step of finding out how to sign in.
 */
export type DoctorStep = { 
/**
 * What was done.
 */
what: DoctorWhat, 
/**
 * With which address.
 */
url: string | null, 
/**
 * Whether it went well; none if it was not needed.
 */
ok: boolean | null, 
/**
 * What went wrong.
 */
problem: DoctorProblem | null, 
/**
 * Details for someone who knows the matter, in English.
 */
detail: string | null, };

/**
 * The steps of finding out how to sign in. Every one has a sentence in every message catalogue.
 */
export type DoctorWhat = "challenge" | "resource_metadata_named" | "resource_metadata_path" | "resource_metadata_root" | "resource_matches" | "authorization_server" | "metadata_oauth_path" | "metadata_oidc_path" | "metadata_oidc_append" | "issuer_matches" | "endpoints_same_origin" | "pkce_advertised" | "legacy_fallback" | "registration" | "scopes";

/**
 * What is being downloaded for a server. It ends when the server is switched off.
 */
export type DownloadView = { 
/**
 * The package, by the name that the command gives.
 */
package: string, 
/**
 * Since when.
 */
since: Timestamp, };

/**
 * The key of a service in a form.
 */
export type DraftKey = { "kind": "none" } | { "kind": "kept" } | { "kind": "new_secret", 
/**
 * The value, on its only way inwards.
 */
value: string, };

/**
 * A text in PEM form of a draft.
 */
export type DraftPem = { "kind": "none" } | { "kind": "file", 
/**
 * Its absolute path.
 */
path: string, } | { "kind": "pasted", 
/**
 * The text, on its only way inwards.
 */
text: string, };

/**
 * An environment variable or a header of a draft.
 */
export type DraftSetting = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its value.
 */
value: DraftValue, };

/**
 * How a drafted server is reached.
 */
export type DraftTarget = { "kind": "stdio", 
/**
 * A path, or a name that is looked up in PATH.
 */
command: string, 
/**
 * Its arguments.
 */
args: Array<string>, 
/**
 * Environment.
 */
env: Array<DraftSetting>, 
/**
 * Working directory, absolute.
 */
cwd: string | null, } | { "kind": "http", 
/**
 * `https:`, or `http:` on loopback.
 */
url: string, 
/**
 * Headers.
 */
headers: Array<DraftSetting>, 
/**
 * A certificate authority that is trusted there besides the system's; absent keeps what is
 * there.
 */
authority?: DraftPem, 
/**
 * The certificate that is shown to a server that asks for one; absent keeps what is there.
 */
certificate?: DraftPem, 
/**
 * Its key; absent keeps what is there.
 */
key?: DraftPem, };

/**
 * The value of a drafted setting.
 */
export type DraftValue = { "kind": "plain", 
/**
 * The value.
 */
text: string, } | { "kind": "new_secret", 
/**
 * The value, on its only way inwards.
 */
value: string, } | { "kind": "kept_secret" } | { "kind": "empty_secret" };

/**
 * A call that is only thought of.
 */
export type DryRun = { 
/**
 * Who would ask.
 */
caller: Caller, 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which tool.
 */
tool: ToolName, 
/**
 * With which arguments.
 */
arguments: Record<string, unknown>, 
/**
 * Whether to suppose that a value of it came from a stranger.
 */
from_strangers: boolean, };

/**
 * What would become of a call that is only thought of, and why.
 */
export type DryRunResult = { 
/**
 * What would become of it.
 */
verdict: DryRunVerdict, 
/**
 * What each enforcement point says, in their order.
 */
hooks: Array<EnforcementPointVerdict>, 
/**
 * The grant that would cover it, if no rule forbids it.
 */
grant: Grant | null, };

/**
 * What would become of a call that is only thought of.
 */
export type DryRunVerdict = { "kind": "allow" } | { "kind": "ask", 
/**
 * Why.
 */
reason: Reason, } | { "kind": "deny", 
/**
 * Why.
 */
refusal: Refusal, };

/**
 * Replaces how a server is reached. It is switched off and must be reviewed again if that
 * changes its fingerprint.
 */
export type EditServer = { 
/**
 * Which one.
 */
server: ServerId, 
/**
 * The form as filled in; `DraftValue::KeptSecret` keeps what is there.
 */
draft: ServerDraft, };

/**
 * What a grant does with the calls that it covers.
 */
export type Effect = { "kind": "allow" } | { "kind": "deny", 
/**
 * Told to the caller.
 */
reason: string | null, };

/**
 * Switches a server on. The first time, and after each change, `reviewed` must be the
 * fingerprint of the review that the person has just accepted.
 */
export type EnableServer = { 
/**
 * Which one.
 */
server: ServerId, 
/**
 * The review that was accepted, if one was shown.
 */
reviewed: Fingerprint | null, };

/**
 * When the rules are asked.
 */
export type EnforcementPoint = "discover" | "call" | "return" | "egress";

/**
 * What the rules say at one enforcement point.
 */
export type EnforcementPointVerdict = { 
/**
 * Which enforcement point.
 */
hook: EnforcementPoint, 
/**
 * Rules that forbid it.
 */
forbid: Array<RuleId>, 
/**
 * Rules that want a person to be asked every time.
 */
ask: Array<RuleId>, 
/**
 * Rules that let it happen without a question.
 */
allow: Array<RuleId>, };

/**
 * How a server begins to speak.
 */
export type Era = "modern" | "legacy";

/**
 * Which era a server is to be spoken to in.
 */
export type EraChoice = "auto" | "modern" | "legacy";

/**
 * In which era a server is spoken to.
 */
export type EraView = { 
/**
 * What the person chose.
 */
choice: EraChoice, 
/**
 * What was found out.
 */
found: Era | null, 
/**
 * When that was.
 */
found_at: Timestamp | null, };

/**
 * What went wrong. Every code has a title, a sentence and an action in every message catalogue.
 */
export type ErrorCode = "bad_request" | "too_large" | "too_many" | "unknown_server" | "unknown_tool" | "unknown_question" | "unknown_grant" | "unknown_rule" | "bad_rule" | "withheld" | "unknown_workspace" | "unknown_client" | "unknown_conversation" | "unknown_model" | "unknown_assistant" | "no_model" | "unreadable_attachment" | "unreadable_conversation" | "model_key_refused" | "model_quota_spent" | "model_service_failed" | "not_a_model_service" | "workspace_in_use" | "bad_anchor" | "nothing_to_tighten" | "unknown_call" | "unknown_answer" | "whole_answer_gone" | "whole_answer_damaged" | "only_for_the_person" | "unknown_record" | "bad_name" | "name_taken" | "bad_command" | "bad_url" | "leads_here" | "bad_setting" | "bad_path" | "built_in" | "secret_too_short" | "keyring_missing" | "keyring_failed" | "secret_lost" | "secret_elsewhere" | "import_unreadable" | "import_no_servers" | "review_needed" | "server_off" | "command_not_found" | "runtime_missing" | "not_executable" | "no_working_directory" | "program_incomplete" | "not_confined" | "protected_path" | "exited_at_start" | "start_timed_out" | "not_protocol" | "unreachable" | "needs_sign_in" | "needs_more_rights" | "bad_certificate" | "address_forbidden" | "redirected" | "proxy_failed" | "session_lost" | "revision_unknown" | "list_endless" | "list_too_large" | "not_offered" | "needs_model" | "too_many_rounds" | "input_declined" | "task_lost" | "server_changed" | "sign_in_not_found" | "sign_in_mismatch" | "sign_in_unsafe" | "sign_in_elsewhere" | "sign_in_unprotected" | "client_id_needed" | "registration_refused" | "sign_in_forged" | "sign_in_refused" | "rights_refused" | "sign_in_timed_out" | "sign_in_expired" | "browser_failed" | "http_status" | "connection_lost" | "timed_out" | "message_too_long" | "unknown_resource" | "server_error" | "cancelled" | "refused" | "change_denied" | "program_changed" | "offer_changed" | "file_changed" | "file_not_written" | "not_an_approver" | "bad_answer" | "disk_full" | "log_not_writable" | "log_not_intact" | "database_locked" | "database_read_only" | "folder_not_private" | "database_newer" | "database_damaged" | "already_running" | "host_unproven" | "shutting_down" | "too_slow" | "internal";

/**
 * Something that happened, with its number. A gap in the numbers means: ask for a snapshot again.
 */
export type EventEnvelope = { 
/**
 * One more than the event before.
 */
seq: number, 
/**
 * What happened.
 */
event: HostEvent, };

/**
 * An assistant as a text, without what only this computer knows: its model, and other assistants.
 */
export type ExportAssistant = { 
/**
 * Which one.
 */
assistant: AssistantId, };

/**
 * A conversation as a text, with its calls. What models thought is left out.
 */
export type ExportConversation = { 
/**
 * Which one.
 */
conversation: ConversationId, 
/**
 * In which format.
 */
format: ConversationFormat, };

/**
 * A format of the exported log.
 */
export type ExportFormat = "jsonl" | "csv";

/**
 * The log as text.
 */
export type ExportLog = { 
/**
 * In which format.
 */
format: ExportFormat, 
/**
 * Only what belongs to the rows that fit; absent for all of it.
 */
filter: ActivityFilter | null, };

/**
 * A person's decision about one thing that is offered.
 */
export type FeatureDecision = { 
/**
 * Which one.
 */
key: FeatureKey, 
/**
 * The fingerprint that was shown; absent for one that is gone.
 */
fingerprint: Fingerprint | null, 
/**
 * The decision. To approve what is gone is to forget it.
 */
decision: PinDecision, };

/**
 * By what a thing that is offered is known. Within one server no two have the same.
 */
export type FeatureKey = { 
/**
 * What kind of thing it is.
 */
kind: FeatureKind, 
/**
 * Its name; the address with its gaps for a template, nothing for what the server says about
 * itself.
 */
name: string, };

/**
 * What kind of thing is offered.
 */
export type FeatureKind = "about" | "tool" | "prompt" | "template";

/**
 * One thing that is offered, with all that a person should know before deciding.
 */
export type FeatureView = { 
/**
 * By what it is known.
 */
key: FeatureKey, 
/**
 * How it stands to what was decided.
 */
standing: ApprovalStatus, 
/**
 * The fingerprint of the definition as it is now, to be sent with a decision; absent for one
 * that is gone.
 */
fingerprint: Fingerprint | null, 
/**
 * Everything that the server says about it now, in the names of MCP. A claim.
 */
definition: Record<string, unknown> | null, 
/**
 * What was decided about last.
 */
before: Record<string, unknown> | null, 
/**
 * When that was.
 */
decided_at: Timestamp | null, 
/**
 * What is different, the gravest first.
 */
changes: Array<Change>, 
/**
 * What an inspection of the definition found, the worst first. Places are JSON pointers into
 * it.
 */
inspection: Inspection, 
/**
 * Tools of other servers that it can be taken for.
 */
resembles: Array<Resemblance>, 
/**
 * The evidence against it is certain: it is approved alone, never together with others.
 */
held_back: boolean, };

/**
 * Everything that a server offers or offered, as a person reviews it.
 */
export type FeaturesReview = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * What it says about itself, its tools, its prompts, its templates, in this order; what is
 * gone comes last.
 */
offers: Array<FeatureView>, 
/**
 * How many wait for a decision.
 */
waiting: number, };

/**
 * What becomes of a file.
 */
export type FileFate = "made" | "changed" | "restored" | "removed" | "untouched";

/**
 * A file that is run.
 */
export type FileIdentity = { 
/**
 * Its absolute path, with links followed.
 */
path: string, 
/**
 * 64 hexadecimal digits over its content; none if it could not be read.
 */
sha256?: string, };

/**
 * One thing that was found in a text.
 */
export type Finding = { 
/**
 * What it is.
 */
kind: FindingKind, 
/**
 * How much it matters.
 */
severity: Severity, 
/**
 * Which text of a definition, as a JSON pointer (RFC 6901); empty for a text that stands
 * alone.
 */
at: string, 
/**
 * Where in that text, in bytes, always between characters.
 */
span: { start: number, end: number }, 
/**
 * The words in question: cleaned, one line, short. Never a secret.
 */
evidence: string, };

/**
 * What kind of thing was found.
 */
export type FindingKind = "hidden_characters" | "secrecy" | "override" | "tool_order" | "tampering" | "exfiltration" | "dangerous_action" | "addresses_model" | "role_imitation" | "hidden_markup" | "encoded_instructions" | "preference" | "foreign_tool" | "look_alike_name" | "near_duplicate" | "sensitive_target" | "active_content" | "data_in_link" | "held_secret" | "credential" | "personal_number" | "too_large";

/**
 * `sha256:` and 64 hexadecimal digits over the canonical form of a value.
 */
export type Fingerprint = string;

/**
 * The address to which the browser was sent back, pasted by the person.
 */
export type FinishSignIn = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * The whole address.
 */
url: string, };

/**
 * A form that a server wants a person to fill in (MCP elicitation, form mode).
 */
export type Form = { 
/**
 * The server's words.
 */
message: string, 
/**
 * A flat JSON Schema: strings, numbers, booleans and choices.
 */
schema: Record<string, unknown>, 
/**
 * What it is about, if Codex wants to be allowed something.
 */
codex: CodexApproval | null, };

/**
 * What a person did with a form.
 */
export type FormResult = { "kind": "accept", 
/**
 * By field.
 */
content: Record<string, unknown>, } | { "kind": "decline" } | { "kind": "cancel" };

/**
 * A configuration that was found on this computer.
 */
export type FoundConfiguration = { 
/**
 * Whose it is.
 */
application: Application, 
/**
 * Its file.
 */
path: string, 
/**
 * How many servers are in it, unusable ones included.
 */
servers: number, 
/**
 * Why it cannot be read.
 */
problem: string | null, };

/**
 * A tool that was found.
 */
export type FoundTool = { 
/**
 * Its server.
 */
server: ServerId, 
/**
 * Its name there.
 */
tool: ToolName, 
/**
 * What it does, in one line of its approved definition.
 */
line: string, };

/**
 * What an inspection can find in a result.
 */
export type FoundWhat = "instructions" | "credentials" | "personal_numbers";

/**
 * One message between Majordomo and a server.
 */
export type FrameView = { 
/**
 * Its number on this connection.
 */
number: number, 
/**
 * When.
 */
at: Timestamp, 
/**
 * From Majordomo to the server, or from it.
 */
sent: boolean, 
/**
 * The method of a request or notification.
 */
method: string | null, 
/**
 * The id of a request or answer.
 */
id: string | null, 
/**
 * The call that it belongs to.
 */
call: CallId | null, 
/**
 * Its text as it was on the wire; values of held secrets are covered.
 */
text: string, 
/**
 * Its length in bytes.
 */
bytes: number, 
/**
 * Whether only the beginning is in `text`.
 */
cut: boolean, };

/**
 * All of an answer of which only a part was passed on, or for which nobody waited.
 */
export type FullResult = { 
/**
 * A name for a file of its text.
 */
file_name: string, 
/**
 * What can be read of it.
 */
text: string, 
/**
 * All its parts, if it has others than text.
 */
result: ToolResult | null, };

/**
 * Where other applications come in.
 */
export type GatewayView = { 
/**
 * The address of the joint endpoint over HTTP, while anybody is let in there.
 */
address: string | null, 
/**
 * Those that may come in, oldest first.
 */
clients: Array<ClientView>, };

/**
 * Has a prompt filled in.
 */
export type GetPrompt = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Its name.
 */
prompt: string, 
/**
 * What to fill in.
 */
arguments: Record<string, string>, };

/**
 * A file or folder that a server is given.
 */
export type GivenPath = { 
/**
 * Its absolute path.
 */
path: string, 
/**
 * Whether the server may change it; otherwise it may read it, and run programs in it.
 */
change: boolean, };

/**
 * Lets a turn go on that waits for that, with as much as a turn may take; or begins one that
 * goes on where the last one was cut short.
 */
export type GoOn = { 
/**
 * In which one.
 */
conversation: ConversationId, 
/**
 * What the person says by it where a turn is begun, in their language; none means `Go on.`.
 */
words: string | null, };

/**
 * A person's answer for later calls. Bound to who asked, to how the server is reached and to the
 * whole definition of the tool.
 */
export type Grant = { 
/**
 * Its number.
 */
id: GrantId, 
/**
 * Whether it lets calls through or keeps them away.
 */
effect: Effect, 
/**
 * For whom.
 */
caller: Caller, 
/**
 * For which server, by our name.
 */
server: ServerId, 
/**
 * How that server was reached when the person answered.
 */
launch_fingerprint: Fingerprint, 
/**
 * The tool as it was when the person answered; kept whole, so that a change can be named.
 */
tool: ToolSpec, 
/**
 * The fingerprint of `tool`.
 */
tool_fingerprint: Fingerprint, 
/**
 * Which arguments it covers.
 */
arguments: Covered, 
/**
 * How long it holds.
 */
scope: Scope, 
/**
 * The only workspace in which it holds; none means in all of them, which only
 * [`Scope::Always`] does.
 */
workspace: WorkspaceId | null, 
/**
 * What it came of.
 */
origin: GrantOrigin, 
/**
 * When the person answered.
 */
made_at: Timestamp, 
/**
 * How many calls it has decided about, the one that was asked about included.
 */
used: number, 
/**
 * When it last decided about a call.
 */
last_used_at: Timestamp | null, 
/**
 * When it was taken back.
 */
revoked_at: Timestamp | null, };

/**
 * A remembered approval.
 */
export type GrantId = string;

/**
 * What a grant came of.
 */
export type GrantOrigin = { "kind": "question", 
/**
 * Which one.
 */
question: QuestionId, } | { "kind": "narrowed", 
/**
 * The grant that it replaced.
 */
grant: GrantId, };

/**
 * A reply that is coming in.
 */
export type GrowingReply = { 
/**
 * In which turn.
 */
turn: TurnId, 
/**
 * To which request of it, counted from 1.
 */
step: number, 
/**
 * How many pieces of it have been told: the number of the next one.
 */
pieces: number, };

/**
 * What went wrong: a code for the machine and a sentence that names the particulars.
 *
 * Surfaces branch on `code`, and take the title, the text and the next step that belong to it from
 * the message catalogues; `message` is English, for the log and for details.
 */
export type HostError = { 
/**
 * What went wrong.
 */
code: ErrorCode, 
/**
 * One sentence.
 */
message: string, 
/**
 * Why a call was not allowed, where that is what went wrong.
 */
refusal: Refusal | null, 
/**
 * What has to be installed, where that is what is missing.
 */
runtime?: Runtime, };

/**
 * Something that happened.
 */
export type HostEvent = { "kind": "server_changed", 
/**
 * The server as it is now.
 */
server: ServerView, } | { "kind": "server_removed", 
/**
 * Which one.
 */
server: ServerId, } | { "kind": "tools_changed", 
/**
 * Which server.
 */
server: ServerId, } | { "kind": "offers_changed", 
/**
 * Which server.
 */
server: ServerId, } | { "kind": "resource_updated", 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Its address.
 */
uri: string, } | { "kind": "server_logged", 
/**
 * Which one.
 */
server: ServerId, 
/**
 * Because of whom: whose calls ran there, and nobody else's. None where nothing ran, or
 * calls of several did.
 */
caller: Caller | null, 
/**
 * New lines; values of held secrets are covered.
 */
lines: Array<LoggedLine>, } | { "kind": "exchange_grew", 
/**
 * Which server.
 */
server: ServerId, } | { "kind": "server_wrote", 
/**
 * Which one.
 */
server: ServerId, 
/**
 * New lines; values of held secrets are covered.
 */
lines: Array<string>, } | { "kind": "question_asked", 
/**
 * The question.
 */
question: Question, } | { "kind": "question_closed", 
/**
 * Which one.
 */
question: QuestionId, } | { "kind": "ask_refused", 
/**
 * Which server.
 */
server: ServerId, 
/**
 * The calls that run on it now; one of them is the cause. None where nothing ran.
 */
during: Array<CallId>, 
/**
 * Why.
 */
why: AskRefusal, 
/**
 * How often; more than once where a flood is told as a number.
 */
times: number, } | { "kind": "call_changed", 
/**
 * The call.
 */
call: RunningCall, } | { "kind": "call_progress", 
/**
 * Which call.
 */
call: CallId, 
/**
 * How far.
 */
progress: number, 
/**
 * Of how much.
 */
total: number | null, 
/**
 * In the server's words.
 */
message: string | null, } | { "kind": "call_ended", 
/**
 * Which call.
 */
call: CallId, 
/**
 * How.
 */
outcome: Outcome, } | { "kind": "grant_made", 
/**
 * To what.
 */
grant: Grant, } | { "kind": "grant_revoked", 
/**
 * Which one.
 */
grant: GrantId, } | { "kind": "grant_lapsed", 
/**
 * Which one.
 */
grant: GrantId, } | { "kind": "policy_changed" } | { "kind": "workspaces_changed", 
/**
 * All of them, by name.
 */
workspaces: Array<WorkspaceView>, } | { "kind": "clients_changed" } | { "kind": "models_changed" } | { "kind": "assistants_changed" } | { "kind": "conversation_changed", 
/**
 * The conversation as it is now.
 */
conversation: ConversationView, } | { "kind": "reply_grew", 
/**
 * In which conversation.
 */
conversation: ConversationId, 
/**
 * By what.
 */
piece: ReplyPiece, } | { "kind": "conversation_deleted", 
/**
 * Which one.
 */
conversation: ConversationId, } | { "kind": "unknown_changed", 
/**
 * The oldest of them, as in the snapshot.
 */
unknown: Array<UnknownCall>, 
/**
 * How many more there are.
 */
more: number, } | { "kind": "activity_changed", 
/**
 * The row.
 */
row: ActivityRow, };

/**
 * What kind of host this is.
 */
export type HostInfo = { 
/**
 * Its version.
 */
version: string, 
/**
 * Where it keeps everything.
 */
data_dir: string, 
/**
 * Where audit segments lie.
 */
log_dir: string, 
/**
 * Whether secrets can be kept.
 */
keyring: KeyringStatus, 
/**
 * Who may answer questions.
 */
approver: ApproverKind, };

/**
 * An address to call.
 */
export type HttpLaunch = { 
/**
 * `https:`, or `http:` on loopback.
 */
url: string, 
/**
 * Headers sent with every request.
 */
headers: Array<Setting>, 
/**
 * A certificate authority that is trusted there besides the system's.
 */
authority?: PemPlace, 
/**
 * Who we are to a server that asks for a client certificate.
 */
identity?: ClientIdentity, };

/**
 * What runs. A piece that is missing was not found out, or does not belong to this kind of launch.
 */
export type Identity = { 
/**
 * The program that is started.
 */
program?: ProgramIdentity, 
/**
 * The file that an interpreter is told to run, or another program that only starts it.
 */
script?: FileIdentity, 
/**
 * The code that the script can load: modules beside it, and what is installed for it.
 */
modules?: ModulesIdentity, 
/**
 * The package that a package runner (`npx`, `uvx`, …) is told to run.
 */
package?: PackageIdentity, 
/**
 * The image of a container.
 */
image?: ImageIdentity, 
/**
 * Code that could not be read. It is told to the person, and compared with nothing.
 */
unread?: Array<Unread>, };

/**
 * One piece that is not what it was.
 */
export type IdentityChange = { 
/**
 * Which one.
 */
piece: IdentityPiece, 
/**
 * What it was: a path, a version, or the beginning of a digest.
 */
before: string, 
/**
 * What it is; empty if it could not be found out.
 */
now: string, };

/**
 * What of an identity may differ.
 */
export type IdentityPiece = "program_path" | "program" | "script" | "modules" | "package_version" | "package_contents" | "image";

/**
 * The image of a container.
 */
export type ImageIdentity = { 
/**
 * As it is written in the launch.
 */
reference: string, 
/**
 * Whether it names one content (`name@sha256:…`). A name or a tag can mean another image
 * tomorrow.
 */
pinned: boolean, };

/**
 * An entry that a person has chosen.
 */
export type ImportChoice = { 
/**
 * Its number in the preview, which tells entries of one name apart; without it the first that
 * is left is meant.
 */
place?: number, 
/**
 * Its name in the text.
 */
source_name: string, 
/**
 * The name to keep it under.
 */
name: string, };

/**
 * Begins a conversation with what stands in a file that [`ExportConversation`] wrote as JSON.
 * Whoever wrote the file has said all of it: nothing in it counts as the person's words. Fails
 * with `unreadable_conversation` and `too_large`, and keeps nothing then.
 */
export type ImportConversation = { 
/**
 * The text of the file, at most 32 MiB.
 */
text: ConversationText, };

/**
 * One entry of another application's configuration.
 */
export type ImportEntry = { 
/**
 * Its number in the text, from 0.
 */
place: number, 
/**
 * Its name in the text.
 */
source_name: string, 
/**
 * The project that it belongs to, where it was kept for one only.
 */
project: string | null, 
/**
 * The name that we would keep it under: allowed and free.
 */
name: ServerId, 
/**
 * What it would run or call; values that look secret are already references. Absent if the
 * entry is unusable.
 */
review: Review | null, 
/**
 * Names of settings that will go to the keyring.
 */
secrets: Array<string>, 
/**
 * Keys that were passed over, such as approvals given in the other application.
 */
ignored: Array<string>, 
/**
 * Names of settings that were left out because they decide which code is loaded.
 */
refused: Array<string>, 
/**
 * Why it cannot be used.
 */
problem: string | null, };

/**
 * An entry that was not kept.
 */
export type ImportFailure = { 
/**
 * Its name in the text.
 */
source_name: string, 
/**
 * Why.
 */
error: HostError, };

/**
 * What came of an import.
 */
export type ImportOutcome = { 
/**
 * Servers that were kept, all of them off.
 */
added: Array<ServerView>, 
/**
 * Entries that were not kept, and why.
 */
failed: Array<ImportFailure>, };

/**
 * What another application's configuration holds.
 */
export type ImportPreview = { 
/**
 * Where servers stood in it: `mcpServers`, `servers`, `mcp_servers`, …, or `command line`.
 */
format: string, 
/**
 * Each entry, usable or not, in the order of the text.
 */
entries: Array<ImportEntry>, };

/**
 * Keeps the chosen entries of a configuration, all of them off.
 */
export type ImportServers = { 
/**
 * The same as in the preview.
 */
from: ImportSource, 
/**
 * Which entries, by their name in the text, and under which name to keep them.
 */
choices: Array<ImportChoice>, 
/**
 * What to do with secrets where there is no keyring.
 */
keep: KeepSecrets, };

/**
 * Where an import reads from.
 */
export type ImportSource = { "kind": "text", 
/**
 * The text.
 */
text: string, } | { "kind": "found", 
/**
 * Whose it is.
 */
application: Application, 
/**
 * Its file, as listed.
 */
path: string, };

/**
 * All that was found, and whether it is certain enough to be held back until a person has decided.
 */
export type Inspection = { 
/**
 * The worst first.
 */
findings: Array<Finding>, 
/**
 * The evidence is certain: no model sees the text before a person has looked at it.
 */
held_back: boolean, };

/**
 * What to do with secrets where there is no keyring.
 */
export type KeepSecrets = "keyring" | "session";

/**
 * Where the private key of the open section is kept.
 */
export type KeyPlace = "keyring" | "memory";

/**
 * Whether secrets can be kept.
 */
export type KeyringStatus = { "kind": "ready" } | { "kind": "missing", 
/**
 * Why, in the system's words.
 */
reason: string, };

/**
 * All three, for one text or for everything that a conversation holds. It is read back by surfaces
 * only, to show it: no request carries one.
 */
export type Label = { origins: Array<Origin>, trust: Trust, confidentiality: Confidentiality, };

/**
 * How long an answer is remembered.
 */
export type Lasting = { "kind": "times", 
/**
 * How many.
 */
times: number, } | { "kind": "until", 
/**
 * Which.
 */
at: Timestamp, } | { "kind": "conversation" } | { "kind": "workspace" } | { "kind": "always" };

/**
 * How a server is reached.
 */
export type Launch = { "kind": "builtin", 
/**
 * Which one.
 */
name: string, } | { "kind": "stdio" } & StdioLaunch | { "kind": "http" } & HttpLaunch;

/**
 * Who made a rule. In the order in which they are read.
 */
export type Layer = "built_in" | "administrator" | "person";

/**
 * The rules of one who may make rules.
 */
export type LayerView = { 
/**
 * Who.
 */
layer: Layer, 
/**
 * The file in which they stand, if they stand in one.
 */
file: string | null, 
/**
 * Whether that file is there; always so for rules that stand in none.
 */
present: boolean, 
/**
 * Why none of it can be read. Nothing runs while this is so.
 */
broken: RuleProblem | null, 
/**
 * The rules.
 */
rules: Array<Rule>, };

/**
 * How two names are alike, the surest first.
 */
export type Likeness = "exact" | "case" | "separator" | "confusable" | "near";

/**
 * What one argument may be.
 */
export type Limit = { 
/**
 * Its name.
 */
argument: string, 
/**
 * What it may be.
 */
allowed: Allowed, };

/**
 * What one argument may be, as chosen.
 */
export type LimitChoice = { 
/**
 * The argument's name.
 */
argument: string, 
/**
 * What it may be; nothing means: only what it is in this call.
 */
allowed: Allowed | null, };

/**
 * Whether a line stays, comes or goes.
 */
export type LineKind = "same" | "removed" | "added";

/**
 * What happened, newest first.
 */
export type ListActivity = { 
/**
 * Which rows.
 */
filter: ActivityFilter, 
/**
 * Continue after this row of the page before.
 */
before: number | null, 
/**
 * Rows, at most 500.
 */
limit: number, };

/**
 * Conversations with models: those at the top first, then the last changed. With `text`, those
 * that hold all its words, the best first.
 */
export type ListConversations = { 
/**
 * Words that they hold.
 */
text: string | null, };

/**
 * The newest messages between Majordomo and a server.
 */
export type ListExchange = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Only those of one call.
 */
call: CallId | null, };

/**
 * What a server logged by the protocol, the newest lines.
 */
export type ListLogs = { 
/**
 * Which server.
 */
server: ServerId, };

/**
 * The prompts of a server.
 */
export type ListPrompts = { 
/**
 * Which server.
 */
server: ServerId, };

/**
 * What a server offers to read.
 */
export type ListResources = { 
/**
 * Which server.
 */
server: ServerId, };

/**
 * The tools of a server.
 */
export type ListTools = { 
/**
 * Which server.
 */
server: ServerId, };

/**
 * A host and its ports, written `api.example.com`, `*.example.com`, `db.example.com:5432` or
 * `192.168.1.5:80,443`. Without ports it is 80 and 443.
 */
export type ListedHost = string;

/**
 * A program on this computer that serves models.
 */
export type LocalModels = { 
/**
 * Which program usually is at this address.
 */
program: LocalProgram, 
/**
 * Whose words it speaks.
 */
service: ModelService, 
/**
 * Its address, for the settings of a model.
 */
url: string, 
/**
 * What it offers.
 */
offered: Array<OfferedModel>, };

/**
 * A program that serves models.
 */
export type LocalProgram = "ollama" | "lm_studio" | "llama_server";

/**
 * The exported log.
 */
export type LogExport = { 
/**
 * A name for the file.
 */
file_name: string, 
/**
 * Its text.
 */
text: string, 
/**
 * How many records it holds.
 */
records: number, 
/**
 * How many it should hold and does not: they were moved out and are not in the archive any
 * more, or are no records any more.
 */
missing: number, };

/**
 * How grave a line of a server's log is (RFC 5424), least first.
 */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/**
 * One line of a server's log (MCP `notifications/message`).
 */
export type LogLine = { 
/**
 * How grave.
 */
level: LogLevel, 
/**
 * Which part of the server.
 */
logger: string | null, 
/**
 * What it says: a text, or any other JSON.
 */
data: unknown, };

/**
 * What reading the whole log has shown.
 */
export type LogReport = { "kind": "intact", 
/**
 * The number of the last record.
 */
records: number, 
/**
 * Where the last head was found.
 */
anchor: AnchorPlace, 
/**
 * Records written after the last head was noted; they are chained, but not yet covered by
 * it.
 */
after_anchor: number, 
/**
 * The first record that is in the log; those before it were moved out.
 */
first: number, 
/**
 * The first record that was read: 1 if those that were moved out are in the archive, all
 * of them. Else `first`.
 */
read_from: number, 
/**
 * How it is signed; none if it is not.
 */
signed: Signed | null, } | { "kind": "broken", 
/**
 * The first bad record.
 */
record: number, 
/**
 * The file it is in.
 */
file: string, 
/**
 * What is wrong with it.
 */
problem: string, };

/**
 * A line of a server's log, with its time.
 */
export type LoggedLine = { 
/**
 * When it came.
 */
at: Timestamp, 
/**
 * The line.
 */
line: LogLine, };

/**
 * Keeps what a person says about a tool.
 */
export type MarkTool = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which tool.
 */
tool: ToolName, 
/**
 * What they say.
 */
mark: ToolFlags, };

/**
 * How a call has ended that a model wanted.
 */
export type ModelCallOutcome = { "kind": "answered", 
/**
 * What came back.
 */
result: ToolResult, 
/**
 * From whom it is, how far it may be believed, and who may read it.
 */
label: Label, 
/**
 * When it came.
 */
at: Timestamp, } | { "kind": "denied", 
/**
 * Why, in their words.
 */
reason: string | null, } | { "kind": "not_run", 
/**
 * Why; not known of a call in a file that was imported.
 */
why: NotRunReason | null, 
/**
 * What the model is told of it, word for word.
 */
told: string, } | { "kind": "unknown", 
/**
 * Why; not known of a call in a file that was imported.
 */
why: UnknownReason | null, 
/**
 * What the model is told of it, word for word.
 */
told: string, } | { "kind": "helped", 
/**
 * The answer, where there is one. It is a stranger's.
 */
answer: string | null, 
/**
 * Why there is none; not known of a call in a file that was imported.
 */
why: NoAnswerReason | null, 
/**
 * What the model is told of it, word for word.
 */
told: string, 
/**
 * Whether there is no answer.
 */
is_error: boolean, 
/**
 * Whether it holds no words of whoever wrote what was read for it: an answer of a kind that
 * can hold nothing but what was asked for, or why there is none.
 */
is_closed: boolean, 
/**
 * From whom all is that was read for it, how far that may be believed, and who may read it.
 */
label: Label, 
/**
 * When it ended.
 */
at: Timestamp, } | { "kind": "own", 
/**
 * What the model is told of it, word for word.
 */
told: string, };

/**
 * What the service of a model said when it was asked.
 */
export type ModelCheck = { 
/**
 * The models that it offers, by name; absent where it has no list.
 */
offered: Array<OfferedModel> | null, 
/**
 * Whether the model is among them; absent where there is no list.
 */
is_offered: boolean | null, };

/**
 * A model as a form has it.
 */
export type ModelDraft = { 
/**
 * What to call it.
 */
name: string, 
/**
 * How it is reached, and what it can do.
 */
settings: ModelSettings, 
/**
 * The key of its service.
 */
key: DraftKey, 
/**
 * What to do with a key where there is no keyring.
 */
keep: KeepSecrets, };

/**
 * A model that a person has set up.
 */
export type ModelId = string;

/**
 * Whose words are spoken with the service of a model.
 */
export type ModelService = "anthropic" | "responses" | "chat" | "gemini" | "ollama";

/**
 * How a model is reached, and what it can do.
 */
export type ModelSettings = { 
/**
 * Whose words are spoken.
 */
service: ModelService, 
/**
 * The address that the paths of the service are below: without a query, and without `/` at
 * its end.
 */
url: string, 
/**
 * The model, as its service calls it.
 */
name: string, 
/**
 * The most that it can read and write together, in tokens. Ollama is told (`num_ctx`).
 */
context: number, 
/**
 * Whether it can be shown pictures.
 */
sees_images: boolean, 
/**
 * Whether plain `http:` may go to a private network, where others can read it. On this computer
 * it always may.
 */
plain_nearby: boolean, };

/**
 * A model that was set up.
 */
export type ModelView = { 
/**
 * Its number.
 */
id: ModelId, 
/**
 * What the person calls it.
 */
name: string, 
/**
 * How it is reached, and what it can do.
 */
settings: ModelSettings, 
/**
 * Whether its service is given a key.
 */
has_key: boolean, 
/**
 * When it was added.
 */
added_at: Timestamp, };

/**
 * Code that a script can load.
 */
export type ModulesIdentity = { 
/**
 * 64 hexadecimal digits over the paths and contents of all files.
 */
sha256: string, 
/**
 * How many files that covers.
 */
files: number, };

/**
 * With whom a server may speak.
 */
export type NetworkAccess = { "kind": "none" } | { "kind": "hosts", 
/**
 * The hosts.
 */
hosts: Array<ListedHost>, } | { "kind": "open" };

/**
 * Something that a person attaches to what they say, as it is on their computer.
 */
export type NewAttachment = { 
/**
 * The name of the file, or what else to call it.
 */
name: string, 
/**
 * Base64 of a text in UTF-8 or UTF-16, or of a PNG, JPEG, GIF or WebP picture.
 */
data: string, };

/**
 * Why a task has no answer.
 */
export type NoAnswerReason = "cannot_tell" | "other_kind" | "silent" | "stopped" | "broke" | "cut" | "refused" | "purse_spent" | "loops" | "context_full" | "model_changed";

/**
 * Why a call was not carried out that a model wanted, and no person has said no.
 */
export type NotRunReason = "refused" | "stopped" | "reply_cut" | "arguments" | "unavailable" | "no_such_tool" | "purse_spent" | "repeated" | "application_ended";

/**
 * Notes that a person has seen that the outcome of a call is not known.
 */
export type NoteUnknown = { 
/**
 * Which call.
 */
call: CallId, };

/**
 * How Majordomo is to be known at a server's sign-in.
 */
export type OauthClientDraft = { 
/**
 * The client id that the server's owner gave out.
 */
client_id: string, 
/**
 * Its secret, on its only way inwards; absent keeps what is there.
 */
client_secret: string | null, 
/**
 * Whether Majordomo signs in by itself, without a person (client credentials).
 */
without_person: boolean, 
/**
 * What to do with the secret where there is no keyring.
 */
keep: KeepSecrets, };

/**
 * How Majordomo is known at a server's sign-in.
 */
export type OauthClientView = { 
/**
 * The client id.
 */
client_id: string, 
/**
 * Whether a secret is kept for it.
 */
has_secret: boolean, 
/**
 * Whether Majordomo signs in by itself.
 */
without_person: boolean, };

/**
 * A model that a service offers.
 */
export type OfferedModel = { 
/**
 * Its name there.
 */
name: string, 
/**
 * The most that it can read and write together, in tokens, where the service says so.
 */
context: number | null, };

/**
 * Who wrote a text.
 */
export type Origin = { "kind": "person" } | { "kind": "host" } | { "kind": "tool", 
/**
 * Of which server, by our name; nothing where that is not recorded.
 */
server: ServerId | null, 
/**
 * Which tool.
 */
tool: ToolName, } | { "kind": "attachment", 
/**
 * Its name.
 */
name: string, } | { "kind": "unknown" };

/**
 * How a call, or another recorded event, ended.
 */
export type Outcome = "running" | "done" | "tool_error" | "failed" | "refused" | "cancelled" | "interrupted" | "noted";

/**
 * How many calls ended in one way.
 */
export type OutcomeCount = { 
/**
 * How.
 */
outcome: Outcome, 
/**
 * How many.
 */
calls: number, };

/**
 * A package with all it depends on.
 */
export type PackageIdentity = { 
/**
 * Its name, as its makers publish it.
 */
name: string, 
/**
 * The version that is installed. None while nothing is downloaded.
 */
version?: string, 
/**
 * 64 hexadecimal digits over the names, versions and digests of everything that is installed
 * with it.
 */
lock_sha256?: string, 
/**
 * How many packages that covers, itself included; 0 if they are not counted.
 */
parts: number, };

/**
 * A call that was made earlier.
 */
export type PastCall = { 
/**
 * Which call.
 */
call: CallId, 
/**
 * When.
 */
at: Timestamp, 
/**
 * What was sent; values of held secrets are covered.
 */
arguments: Record<string, unknown>, };

/**
 * Why a server may touch something.
 */
export type PathReason = "program" | "code" | "argument" | "working_folder" | "root" | "chosen";

/**
 * Why a turn waits for a person to let it go on.
 */
export type PauseReason = "purse_spent" | "loops";

/**
 * Where a text in PEM form lies.
 */
export type PemPlace = { "kind": "file", 
/**
 * Its absolute path.
 */
path: string, } | { "kind": "secret", 
/**
 * Where the value lies.
 */
secret: SecretId, };

/**
 * On whose word a call runs.
 */
export type Permission = { "kind": "grant", 
/**
 * Which one.
 */
grant: GrantId, } | { "kind": "answer", 
/**
 * Which question.
 */
question: QuestionId, 
/**
 * The grant that came of it, if the answer was for more than once.
 */
grant: GrantId | null, 
/**
 * Whether the person changed what was to be sent.
 */
changed: boolean, } | { "kind": "rules", 
/**
 * Which ones.
 */
rules: Array<RuleId>, };

/**
 * How large a picture is, as it says itself.
 */
export type PictureSize = { 
/**
 * Its width in points.
 */
width: number, 
/**
 * Its height in points.
 */
height: number, };

/**
 * Keeps a conversation at the top of the list, or not any more.
 */
export type PinConversation = { 
/**
 * Which one.
 */
conversation: ConversationId, 
/**
 * Whether it is kept there.
 */
is_pinned: boolean, };

/**
 * What a person decided about something that a server offers.
 */
export type PinDecision = "approve" | "keep_off" | "block";

/**
 * All rules, the administrator's first.
 */
export type PolicyView = { 
/**
 * One for each who may make rules.
 */
layers: Array<LayerView>, };

/**
 * What an answer to a question about a call would do.
 */
export type PreviewAnswer = { 
/**
 * Which question.
 */
question: QuestionId, 
/**
 * The answer.
 */
answer: Decision, };

/**
 * What connecting an application would change in its file. Nothing is written.
 */
export type PreviewConnection = { 
/**
 * Which one.
 */
application: Application, 
/**
 * Its file, as listed.
 */
path: string, 
/**
 * Names of servers that it would no longer start itself, because Majordomo has the same.
 */
without: Array<string>, };

/**
 * What taking a connection back would change in the application's file. Nothing is written.
 */
export type PreviewDisconnection = { 
/**
 * Which one.
 */
application: Application, 
/**
 * Its file, as listed.
 */
path: string, };

/**
 * Reads another application's configuration without keeping anything.
 */
export type PreviewImport = { 
/**
 * Which one.
 */
from: ImportSource, };

/**
 * A rule as it would be written.
 */
export type PreviewRule = { 
/**
 * What was clicked together.
 */
draft: RuleDraft, };

/**
 * The program that is started.
 */
export type ProgramIdentity = { 
/**
 * Its absolute path: the file itself, with links followed. Of a runtime, the path by which it
 * is found.
 */
path: string, 
/**
 * 64 hexadecimal digits over its content. None for a runtime: the system renews it, and what
 * counts is what it runs.
 */
sha256?: string, };

/**
 * A gap in a prompt.
 */
export type PromptArgument = { 
/**
 * Its name.
 */
name: string, 
/**
 * A name for people.
 */
title: string | null, 
/**
 * What to fill in.
 */
description: string | null, 
/**
 * Must it be filled in?
 */
required: boolean, };

/**
 * One message of a prompt.
 */
export type PromptMessage = { 
/**
 * In whose mouth the server puts it: `user` or `assistant`. A claim.
 */
role: string, 
/**
 * What is said.
 */
content: Content, };

/**
 * A prompt that was filled in, bounded and masked.
 */
export type PromptResult = { 
/**
 * What it is.
 */
description: string | null, 
/**
 * The messages, in the server's order.
 */
messages: Array<PromptMessage>, 
/**
 * What this host did to them or found in them.
 */
notes: Array<ResultNote>, };

/**
 * A text that a person can have filled in (MCP `Prompt`).
 */
export type PromptSpec = { 
/**
 * The name to get it by.
 */
name: string, 
/**
 * A name for people.
 */
title: string | null, 
/**
 * What it is for.
 */
description: string | null, 
/**
 * What is filled in.
 */
arguments: Array<PromptArgument>, 
/**
 * Every other field, as it came.
 */
extra: Record<string, unknown>, };

/**
 * What a server logged by the protocol.
 */
export type ProtocolLog = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * From which gravity on it should log; none leaves it to the server.
 */
level: LogLevel | null, 
/**
 * The newest lines, oldest first; values of held secrets are covered.
 */
lines: Array<LoggedLine>, 
/**
 * How many older lines were dropped.
 */
dropped: number, };

/**
 * A question as every surface shows it. Values of held secrets are covered before one is made.
 */
export type Question = { 
/**
 * Its number.
 */
id: QuestionId, 
/**
 * When it was asked.
 */
asked_at: Timestamp, 
/**
 * When it becomes a no by itself.
 */
expires_at: Timestamp, 
/**
 * The server it is about, by our name; none for what is about no single server.
 */
server: ServerId | null, 
/**
 * What it is about.
 */
subject: Subject, };

/**
 * A question that waits for a person, or waited.
 */
export type QuestionId = string;

/**
 * A file or folder that a server may touch.
 */
export type ReachablePath = { 
/**
 * Its absolute path.
 */
path: string, 
/**
 * Whether it may be changed.
 */
change: boolean, 
/**
 * Why.
 */
because: PathReason, };

/**
 * How the assistant is set up that such a text says. Nothing is kept; whoever wrote it is a
 * stranger. Fails with `bad_request` where it says none.
 */
export type ReadAssistant = { 
/**
 * The text.
 */
file: AssistantFile, };

/**
 * What is in something that a person attached. Fails with `bad_request` where nothing of this
 * number is attached.
 */
export type ReadAttachment = { 
/**
 * In which conversation.
 */
conversation: ConversationId, 
/**
 * The number of what they said. What waits for the next request is numbered behind all that
 * was said.
 */
item: number, 
/**
 * Which one of what is attached to it, from 0.
 */
attachment: number, };

/**
 * What was said in a conversation, at most 200 things at once: the last ones, or those before.
 */
export type ReadConversation = { 
/**
 * Which one.
 */
conversation: ConversationId, 
/**
 * Only what comes before this one of the page before.
 */
before: number | null, 
/**
 * How many things, at most 200.
 */
limit: number, };

/**
 * All of a result of which only a part was passed on, or for which nobody waited.
 */
export type ReadFullAnswer = { 
/**
 * Of which call.
 */
call: CallId, };

/**
 * What the request to the model held that a reply answers, and what was left out of it. Fails
 * with `bad_request` where there is none, or it was asked for by an earlier version.
 */
export type ReadLedger = { 
/**
 * In which conversation.
 */
conversation: ConversationId, 
/**
 * The number of the reply.
 */
reply: number, };

/**
 * Reads a resource.
 */
export type ReadResource = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Its address.
 */
uri: string, };

/**
 * What a server wrote on its standard error, the newest lines.
 */
export type ReadServerLog = { 
/**
 * Which one.
 */
server: ServerId, };

/**
 * Why a person is asked about a call.
 */
export type Reason = { "kind": "not_allowed_yet" } | { "kind": "other_arguments" } | { "kind": "long_arguments" } | { "kind": "may_be_denied" } | { "kind": "tool_changed", 
/**
 * What is different.
 */
parts: Array<ToolPart>, 
/**
 * The definition that was allowed.
 */
before: ToolSpec, 
/**
 * When it was allowed.
 */
allowed_at: Timestamp, } | { "kind": "from_strangers" } | { "kind": "rule_asks", 
/**
 * Which rules.
 */
rules: Array<RuleId>, } | { "kind": "repeated", 
/**
 * How often within the last minute.
 */
times: number, } | { "kind": "alike", 
/**
 * How often in a row.
 */
times: number, } | { "kind": "server_changed", 
/**
 * When it was allowed.
 */
allowed_at: Timestamp, };

/**
 * Why a call may not run.
 */
export type Refusal = { "kind": "switched_off" } | { "kind": "not_reviewed" } | { "kind": "quarantined" } | { "kind": "blocked" } | { "kind": "not_selected" } | { "kind": "workspace_not_in_use" } | { "kind": "outside_folders", 
/**
 * Where it really lies.
 */
path: string, } | { "kind": "arguments_invalid", 
/**
 * Where and why, the first few.
 */
problems: Array<string>, } | { "kind": "arguments_too_large" } | { "kind": "schema_unusable", 
/**
 * What is wrong with it.
 */
problem: string, } | { "kind": "too_many_templates" } | { "kind": "forbidden", 
/**
 * Which rules.
 */
rules: Array<RuleId>, 
/**
 * Who made the first of them.
 */
by: Layer, 
/**
 * What its maker says about it.
 */
reason: string | null, } | { "kind": "rules_broken", 
/**
 * Where and why.
 */
problem: RuleProblem, } | { "kind": "denied_earlier", 
/**
 * The remembered answer.
 */
grant: GrantId, 
/**
 * In their words.
 */
reason: string | null, } | { "kind": "too_many_questions" } | { "kind": "denied_by_person", 
/**
 * In their words.
 */
reason: string | null, } | { "kind": "denied_by_token", 
/**
 * In its words.
 */
reason: string | null, } | { "kind": "nobody_answered" } | { "kind": "nobody_there" } | { "kind": "question_closed" } | { "kind": "cancelled" } | { "kind": "changed_while_asking" } | { "kind": "other_workspace" } | { "kind": "too_often" } | { "kind": "needs_person" } | { "kind": "disk_full" } | { "kind": "database_locked" } | { "kind": "no_trace" };

/**
 * Why a host was not reached.
 */
export type RefusedBecause = "not_listed" | "forbidden" | "unreachable";

/**
 * A file that calls of a server named, and that lies outside what it was given.
 */
export type RefusedFile = { 
/**
 * Where it really lies.
 */
path: string, 
/**
 * How often.
 */
times: number, };

/**
 * A host that a server asked for and did not reach.
 */
export type RefusedHost = { 
/**
 * Its name, as the server asked for it. A claim.
 */
name: string, 
/**
 * How often.
 */
times: number, 
/**
 * Why it was not reached.
 */
because: RefusedBecause, 
/**
 * What the system says about that. English.
 */
problem: string | null, };

/**
 * What to remember of an answer.
 */
export type Remember = { 
/**
 * How long.
 */
lasting: Lasting, 
/**
 * For which arguments.
 */
cover: ArgumentScope, 
/**
 * Other tools of the same server for which the same is remembered, each as it is defined now.
 * Only with limits that limit something.
 */
also?: Array<ToolName>, };

/**
 * Why an answer cannot be remembered as was wanted.
 */
export type RememberProblem = { "kind": "endless" } | { "kind": "times", 
/**
 * The largest one.
 */
most: number, } | { "kind": "over" } | { "kind": "also_without_limits" } | { "kind": "nothing", 
/**
 * The argument.
 */
argument: string, } | { "kind": "folder", 
/**
 * As it was chosen.
 */
folder: string, };

/**
 * Removes an assistant. Its conversations stay, and can be read.
 */
export type RemoveAssistant = { 
/**
 * Which one.
 */
assistant: AssistantId, };

/**
 * Lets an application in no more, ends its connections, and takes back what it was allowed.
 */
export type RemoveClient = { 
/**
 * Which one.
 */
client: CallerId, };

/**
 * Removes a model and its key.
 */
export type RemoveModel = { 
/**
 * Which one.
 */
model: ModelId, };

/**
 * Takes a folder from a server.
 */
export type RemoveRoot = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * The path as listed.
 */
path: string, };

/**
 * Takes a rule of the person back. Where more could happen afterwards this is a question
 * first.
 */
export type RemoveRule = { 
/**
 * Which one.
 */
rule: RuleId, };

/**
 * Removes a server with its credentials, roots and grants.
 */
export type RemoveServer = { 
/**
 * Which one.
 */
server: ServerId, };

/**
 * Removes a workspace with its grants. The one in use, and with it the last one, cannot be
 * removed.
 */
export type RemoveWorkspace = { 
/**
 * Which one.
 */
workspace: WorkspaceId, };

/**
 * Calls a conversation something else.
 */
export type RenameConversation = { 
/**
 * Which one.
 */
conversation: ConversationId, 
/**
 * What to call it.
 */
title: string, };

/**
 * Calls a workspace something else.
 */
export type RenameWorkspace = { 
/**
 * Which one.
 */
workspace: WorkspaceId, 
/**
 * What to call it.
 */
name: string, };

/**
 * One part of a reply.
 */
export type ReplyItem = { "kind": "text", 
/**
 * The words.
 */
text: string, } | { "kind": "reasoning", 
/**
 * The words.
 */
text: string, } | { "kind": "image", 
/**
 * Base64.
 */
data: string, 
/**
 * Its media type, as the service says.
 */
mime_type: string, } | { "kind": "call", 
/**
 * Our number of it.
 */
call: CallId, 
/**
 * The tool as the model names it.
 */
name: string, 
/**
 * Which server, if there is such a tool.
 */
server: ServerId | null, 
/**
 * Which of its tools.
 */
tool: ToolName | null, 
/**
 * The task that it gives away, if it gives one.
 */
task: TaskView | null, 
/**
 * With what.
 */
arguments: Record<string, unknown>, 
/**
 * How it has ended, once it has.
 */
outcome: ModelCallOutcome | null, };

/**
 * Words of a reply that have just come in.
 */
export type ReplyPiece = { 
/**
 * In which turn.
 */
turn: TurnId, 
/**
 * To which request of it, counted from 1.
 */
step: number, 
/**
 * The number of this piece, from 0. A gap means: read the conversation again.
 */
piece: number, 
/**
 * The words. They are a stranger's.
 */
text: string, 
/**
 * Whether the model thinks them, and they are no part of its answer.
 */
is_reasoning: boolean, };

/**
 * What a person can be asked about that is to be sent to a server and is no call.
 */
export type RequestKind = "read" | "subscribe" | "prompt" | "log_level";

/**
 * What a request to a model held, and what was left out of it.
 */
export type RequestLedger = { 
/**
 * Which request of its turn it was, counted from 1.
 */
step: number, 
/**
 * About how many tokens it took, as estimated before it was sent.
 */
tokens: number, 
/**
 * Its parts, in the order in which they were sent.
 */
parts: Array<RequestPart>, };

/**
 * What a request held of one kind, from one source.
 */
export type RequestPart = { 
/**
 * What it is.
 */
kind: RequestPartKind, 
/**
 * How many there are of these.
 */
count: number, 
/**
 * How many of them were shortened: sent without their pictures, or only named.
 */
shortened: number, 
/**
 * How many of them were not sent at all.
 */
left_out: number, 
/**
 * About how many tokens were sent of them.
 */
tokens: number, 
/**
 * How far they may be believed at the worst.
 */
trust: Trust, 
/**
 * Who may read them at the most.
 */
confidentiality: Confidentiality, };

/**
 * What a part of a request is.
 */
export type RequestPartKind = { "kind": "instructions" } | { "kind": "definitions", 
/**
 * Which server.
 */
server: ServerId, } | { "kind": "own_definitions" } | { "kind": "said" } | { "kind": "task" } | { "kind": "attached" } | { "kind": "let_go_on" } | { "kind": "imported" } | { "kind": "replies" } | { "kind": "results", 
/**
 * Of which server; none where there was no such tool.
 */
server: ServerId | null, };

/**
 * Why a person is asked about such a request.
 */
export type RequestReason = { "kind": "not_listed" } | { "kind": "from_strangers" } | { "kind": "rule_asks", 
/**
 * Which rules.
 */
rules: Array<RuleId>, };

/**
 * A tool of another server that this one can be taken for.
 */
export type Resemblance = { 
/**
 * Its server.
 */
server: ServerId, 
/**
 * Its name.
 */
tool: ToolName, 
/**
 * What it does, as its server says.
 */
description: string | null, 
/**
 * In what they are alike.
 */
how: Alike, };

/**
 * What a server offers to read.
 */
export type ResourceList = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Resources with an address.
 */
resources: Array<ResourceSpec>, 
/**
 * Kinds of resources with gaps in their address.
 */
templates: Array<TemplateSpec>, 
/**
 * Addresses that are watched until that is taken back.
 */
watched: Array<string>, };

/**
 * What was read, bounded and masked.
 */
export type ResourceResult = { 
/**
 * The parts, in the server's order.
 */
contents: Array<Content>, 
/**
 * What this host did to them or found in them.
 */
notes: Array<ResultNote>, };

/**
 * Something a server offers to read (MCP `Resource`).
 */
export type ResourceSpec = { 
/**
 * Its address, by which it is read. Not necessarily one that anything but its server
 * understands.
 */
uri: string, 
/**
 * The server's name for it.
 */
name: string, 
/**
 * A name for people.
 */
title: string | null, 
/**
 * What it is.
 */
description: string | null, 
/**
 * Media type as the server says.
 */
mime_type: string | null, 
/**
 * Its length in bytes as the server says.
 */
size: number | null, 
/**
 * Every other field, as it came.
 */
extra: Record<string, unknown>, };

/**
 * Stops a server that is on and starts it again.
 */
export type RestartServer = { 
/**
 * Which one.
 */
server: ServerId, };

/**
 * What this host did to an answer or found in it.
 */
export type ResultNote = { "kind": "secrets_masked" } | { "kind": "hidden_characters", 
/**
 * How many.
 */
count: number, } | { "kind": "covered", 
/**
 * How many different credentials.
 */
credentials: number, 
/**
 * How many different personal numbers.
 */
numbers: number, } | { "kind": "cut", 
/**
 * Bytes that came.
 */
bytes: number, 
/**
 * Bytes that were kept.
 */
kept: number, } | { "kind": "structured_invalid", 
/**
 * Where and why.
 */
problem: string, } | { "kind": "structured_unchecked" } | { "kind": "structured_missing" };

/**
 * A result with the marks for credentials and personal numbers taken off, for the person only;
 * it is written to the log.
 */
export type RevealAnswer = { 
/**
 * Of which call.
 */
call: CallId, };

/**
 * What would be run or called, in full. Nothing runs before a person has seen it.
 */
export type Review = { 
/**
 * The name it is or will be kept under.
 */
name: string, 
/**
 * Everything that decides what is run or called; of secrets the names.
 */
launch: Launch, 
/**
 * The file that `command` means now, with symbolic links followed; absent if it was not found,
 * and for an address.
 */
resolved: string | null, 
/**
 * The working directory it will have; absent for an address.
 */
cwd: string | null, 
/**
 * The files and packages that it leads to, as far as they can be found out without starting
 * it.
 */
identity: Identity, 
/**
 * What of these is not what was reviewed before.
 */
changes: Array<IdentityChange>, 
/**
 * Names of the host's own environment that are passed on.
 */
inherited: Array<string>, 
/**
 * What a person should look at twice, dangers first.
 */
warnings: Array<ReviewWarning>, 
/**
 * How many of the warnings, from the first on, are dangers: what runs cannot be told from its
 * name.
 */
dangers: number, 
/**
 * What it may touch; absent for an address and for what is a part of Majordomo.
 */
confinement: ConfinementView | null, 
/**
 * Folders that its arguments name, so that it can use them, and that are not among its folders.
 */
folders: Array<ArgumentFolder>, 
/**
 * To be sent with `enable_server`.
 */
fingerprint: Fingerprint, };

/**
 * What a server on this computer may touch, and by what that is enforced. Fails with
 * `bad_request` for a server with an address.
 */
export type ReviewConfinement = { 
/**
 * Which server.
 */
server: ServerId, };

/**
 * What would be run or called, before it is kept.
 */
export type ReviewDraft = { 
/**
 * The form as filled in.
 */
draft: ServerDraft, };

/**
 * What a server offers, compared with what was approved.
 */
export type ReviewOffers = { 
/**
 * Which server.
 */
server: ServerId, };

/**
 * What a kept server would run or call.
 */
export type ReviewServer = { 
/**
 * Which one.
 */
server: ServerId, };

/**
 * What a person should look at twice before letting something run.
 */
export type ReviewWarning = { "kind": "not_found" } | { "kind": "inline_code" } | { "kind": "more_rights" } | { "kind": "whole_computer" } | { "kind": "downloads" } | { "kind": "dangerous_environment", 
/**
 * Its name.
 */
name: string, } | { "kind": "looks_secret", 
/**
 * The name of the setting.
 */
name: string, } | { "kind": "secret_in_argument", 
/**
 * Which one, from 1 on.
 */
argument: number, } | { "kind": "hidden_characters", 
/**
 * Where: `command`, `argument N`, `folder`, `url`, or the name of a setting.
 */
place: string, } | { "kind": "placeholder", 
/**
 * Where: the name of a setting, or as in `HiddenCharacters`.
 */
name: string, } | { "kind": "looks_like", 
/**
 * The other one.
 */
name: string, } | { "kind": "runtime_missing", 
/**
 * Which one.
 */
runtime: Runtime, };

/**
 * Takes a grant back. Calls already running finish; the next one asks again.
 */
export type RevokeGrant = { 
/**
 * Which one.
 */
grant: GrantId, };

/**
 * A folder that a server was given.
 */
export type RootView = { 
/**
 * Its absolute path.
 */
path: string, 
/**
 * Its `file:` address as servers see it.
 */
uri: string, 
/**
 * Whether it is there.
 */
present: boolean, };

/**
 * A rule as people read it.
 */
export type Rule = { 
/**
 * Its number; for an administrator's rule the name that is written at it.
 */
id: RuleId, 
/**
 * Who made it.
 */
layer: Layer, 
/**
 * What it does.
 */
effect: RuleEffect, 
/**
 * When it is asked; an administrator's rule may be asked at several points.
 */
hooks: Array<EnforcementPoint>, 
/**
 * Its text in the Cedar language.
 */
text: string, 
/**
 * What whoever made it says about it; told to the caller with a refusal.
 */
reason: string | null, 
/**
 * What was clicked together, for a rule that a person made.
 */
draft: RuleDraft | null, 
/**
 * When it was made, for a rule that a person made.
 */
made_at: Timestamp | null, };

/**
 * A rule as it is clicked together.
 */
export type RuleDraft = { 
/**
 * What it does.
 */
effect: RuleEffect, 
/**
 * When it is asked. [`RuleEffect::Ask`] and [`RuleEffect::Allow`] are for calls only.
 */
hook: EnforcementPoint, 
/**
 * Only for these callers.
 */
caller: CallerFilter | null, 
/**
 * Only for this server.
 */
server: ServerId | null, 
/**
 * Only for this tool; needs a server.
 */
tool: ToolName | null, 
/**
 * Only if all of these hold.
 */
when: Array<Condition>, 
/**
 * Why; told to the caller with a refusal.
 */
reason: string | null, };

/**
 * What a rule does.
 */
export type RuleEffect = "forbid" | "ask" | "allow";

/**
 * A rule of the policy.
 */
export type RuleId = string;

/**
 * Where rules cannot be read or evaluated, and why.
 */
export type RuleProblem = { 
/**
 * The file, or the number of the rule.
 */
place: string, 
/**
 * The line in it, from 1.
 */
line: number | null, 
/**
 * The column in that line, from 1.
 */
column: number | null, 
/**
 * What is wrong, in the words of the language's reader.
 */
problem: string, };

/**
 * A call that runs or waits.
 */
export type RunningCall = { 
/**
 * Which call.
 */
call: CallId, 
/**
 * Who asked.
 */
caller: Caller, 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which tool.
 */
tool: ToolName, 
/**
 * When it was asked for.
 */
since: Timestamp, 
/**
 * Whether it waits for a person.
 */
waiting: boolean, 
/**
 * The task that the server made of it, in the server's words; it goes on without us and is
 * asked about.
 */
task: string | null, };

/**
 * When a server that is on runs.
 */
export type Runs = "when_used" | "always";

/**
 * Something that runs programs of others, and that a person may have to install first.
 */
export type Runtime = "node" | "uv" | "python" | "docker" | "deno" | "bun" | "dotnet" | "java";

/**
 * A request to use a model (MCP `sampling/createMessage`), as it came.
 */
export type Sample = { 
/**
 * The request's parameters.
 */
params: Record<string, unknown>, };

/**
 * Whether a server may ask for a model. Each request is a question to the person all the same.
 */
export type SamplingSettings = { 
/**
 * Whether it may ask at all; not, unless a person says so.
 */
on: boolean, 
/**
 * Whether the person sees each reply before the server gets it.
 */
review_replies: boolean, 
/**
 * At most so much.
 */
limit: Budget, };

/**
 * Whether a server may ask for a model, and what it has used.
 */
export type SamplingView = { 
/**
 * What the person chose.
 */
settings: SamplingSettings, 
/**
 * What is left of it now.
 */
left: Budget, 
/**
 * The model that would answer, if there is one.
 */
model: string | null, };

/**
 * Makes an assistant, or changes one. What it may do is never more than what models may do
 * without one. Fails with `name_taken`, `bad_name`, and `bad_request` where a text is too long,
 * or names something that there is not.
 */
export type SaveAssistant = { 
/**
 * Which one; none makes a new one.
 */
assistant: AssistantId | null, 
/**
 * How it is set up.
 */
settings: AssistantSettings, };

/**
 * Says something: a turn begins, or the one that goes on hears it with its next request. It is
 * kept when this returns; the reply is told as events. These count as the person's own words,
 * so that it is done where a person is, and nowhere else. Fails with `unreadable_attachment` and
 * `too_large`.
 */
export type SayInConversation = { 
/**
 * In which one.
 */
conversation: ConversationId, 
/**
 * What they say. Where something is attached, it may be empty.
 */
text: string, 
/**
 * What they attach, at most 8 things of 5 MiB together. It is data, whoever wrote it, and
 * not their word.
 */
attachments: Array<NewAttachment>, 
/**
 * Another model that is to answer from now on. While a turn goes on, there can be none.
 */
model: ModelId | null, };

/**
 * How long a grant holds. The workspace in which it holds stands beside it.
 */
export type Scope = { "kind": "times", 
/**
 * How many.
 */
times: number, } | { "kind": "until", 
/**
 * Which.
 */
at: Timestamp, } | { "kind": "conversation", 
/**
 * Which one.
 */
conversation: ConversationId, } | { "kind": "workspace" } | { "kind": "always" };

/**
 * Looks for tools that whoever asks can use now, by what they are to do. Fails with
 * `bad_request` for no query or more than five.
 */
export type SearchTools = { 
/**
 * What each is to do, in a few words, or its name; one to five.
 */
queries: Array<string>, };

/**
 * Where a secret value lies in the keyring. The value itself is never near it.
 */
export type SecretId = string;

/**
 * The values that one argument had.
 */
export type SeenValues = { 
/**
 * The argument's name.
 */
argument: string, 
/**
 * The values, as JSON texts, most frequent first, the first few.
 */
values: Array<string>, 
/**
 * How many different ones there were.
 */
different: number, 
/**
 * The limit that is proposed for it.
 */
allowed: Allowed, };

/**
 * A server, or some of its tools.
 */
export type Selected = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which of its tools; none means the whole server.
 */
tools: Array<ToolName> | null, };

/**
 * What a server says about itself.
 */
export type ServerClaims = { 
/**
 * Its own name.
 */
name: string, 
/**
 * Its version.
 */
version: string, 
/**
 * Its name for people.
 */
title: string | null, 
/**
 * What it tells models about its use.
 */
instructions: string | null, 
/**
 * The protocol revision that was agreed.
 */
protocol: string, 
/**
 * A picture that came along, as a `data:` address of a bitmap; nothing is fetched for it.
 */
icon: string | null, };

/**
 * A server as a form describes it, before it is kept.
 */
export type ServerDraft = { 
/**
 * The name to keep it under.
 */
name: string, 
/**
 * How it is reached.
 */
target: DraftTarget, 
/**
 * What to do with secrets where there is no keyring.
 */
keep: KeepSecrets, 
/**
 * What it may touch, if it is a command. Absent, a new server is confined to what comes with
 * its command, and one that is kept stays as it is.
 */
confinement?: ConfinementSettings, };

/**
 * The calls of one server.
 */
export type ServerFigures = { 
/**
 * Which one.
 */
server: ServerId, 
/**
 * All of them.
 */
calls: number, 
/**
 * Those that failed.
 */
failed: number, 
/**
 * Those that were not allowed.
 */
refused: number, 
/**
 * How long they ran; absent where none did.
 */
ran: TimeFigures | null, };

/**
 * The name under which a person keeps a server: 1 to 64 of `A–Z a–z 0–9 . _ -`, beginning with a
 * letter or a digit.
 *
 * It is ours, never the server's own claim, and unique without regard to case.
 */
export type ServerId = string;

/**
 * What a server wrote on its standard error.
 */
export type ServerLog = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * The newest lines, oldest first; values of held secrets are covered.
 */
lines: Array<string>, 
/**
 * How many older lines were dropped.
 */
dropped: number, };

/**
 * What a server is doing.
 */
export type ServerState = { "kind": "off" } | { "kind": "idle" } | { "kind": "starting" } | { "kind": "ready" } | { "kind": "waiting", 
/**
 * What happened.
 */
error: HostError, 
/**
 * The last lines of its standard error.
 */
stderr: Array<string>, 
/**
 * How often it has failed in a row.
 */
failures: number, 
/**
 * When it is started again.
 */
until: Timestamp, } | { "kind": "failed", 
/**
 * What happened and what to do.
 */
error: HostError, 
/**
 * The last lines of its standard error.
 */
stderr: Array<string>, };

/**
 * What a server uses of this computer: its process, and all that it started.
 */
export type ServerUsage = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * How many processes it is.
 */
processes: number, 
/**
 * What they hold of the memory, in bytes; what they share is counted in each.
 */
memory: number, 
/**
 * Their share of one processor since this was asked last, in percent; more than a hundred where
 * they use several. Absent where this was not asked before.
 */
cpu: number | null, };

/**
 * A server as every surface shows it.
 */
export type ServerView = { 
/**
 * Our name for it.
 */
id: ServerId, 
/**
 * Greater with every change: of two views the one with the greater number is the newer one.
 */
revision: number, 
/**
 * How it is reached.
 */
launch: Launch, 
/**
 * Its launch fingerprint.
 */
fingerprint: Fingerprint, 
/**
 * Whether a person has reviewed it as it is now.
 */
reviewed: boolean, 
/**
 * Whether it should run.
 */
on: boolean, 
/**
 * When it runs, where it is on.
 */
runs: Runs, 
/**
 * What it is doing.
 */
state: ServerState, 
/**
 * Since when it is connected, while it is.
 */
since: Timestamp | null, 
/**
 * What is being downloaded before it can start.
 */
download: DownloadView | null, 
/**
 * Its folders.
 */
roots: Array<RootView>, 
/**
 * How many tools it lists; absent until it was connected once.
 */
tools: number | null, 
/**
 * How many of the things that it offers wait for a person's decision.
 */
waiting: number, 
/**
 * What it says about itself. A claim.
 */
claims: ServerClaims | null, 
/**
 * What it can do beside tools; absent until it was connected once.
 */
abilities: Capabilities | null, 
/**
 * In which era it is spoken to.
 */
era: EraView, 
/**
 * What ends it, with all that it started, when Majordomo has ended or was killed; absent for
 * servers with an address, and for those that do not run.
 */
containment: Containment | null, 
/**
 * Whether it is confined to what it was given; absent for servers with an address and for those
 * that are a part of Majordomo.
 */
confined: boolean | null, 
/**
 * By what it is confined since it was started last.
 */
tier: ConfinementTier | null, 
/**
 * Whether Majordomo is signed in there; absent for servers without an address.
 */
sign_in: SignInView | null, 
/**
 * When it was added.
 */
added_at: Timestamp, };

/**
 * Gives an application a token for HTTP in place of the one before, or takes it away. The
 * surface draws the token and shows it once; only its hash comes here.
 */
export type SetClientToken = { 
/**
 * Which one.
 */
client: CallerId, 
/**
 * The hash of the token; none takes it away.
 */
hash: TokenHash | null, };

/**
 * What a server on this computer may touch, from its next start on; it is started again if it
 * runs. Fails with `protected_path` if it would be given something protected, or a folder that
 * holds such a thing, and that was not accepted.
 */
export type SetConfinement = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * What the person chose.
 */
settings: ConfinementSettings, 
/**
 * Whether the person accepts that something protected is among it.
 */
accept_protected: boolean, };

/**
 * In which era a server is spoken to. It is started again if it runs.
 */
export type SetEra = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which era.
 */
era: EraChoice, };

/**
 * Which lines a server should log.
 */
export type SetLogLevel = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * From which gravity on; none leaves it to the server.
 */
level: LogLevel | null, };

/**
 * Keeps how Majordomo is known to a server's sign-in.
 */
export type SetOauthClient = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * How; none goes back to registering by itself.
 */
client: OauthClientDraft | null, };

/**
 * Chooses how many minutes questions wait that are asked from now on.
 */
export type SetQuestionTime = { 
/**
 * From 1 to 1,440.
 */
minutes: number, };

/**
 * Says whether what speaks to the model is read for it, and not shown to it. It holds from the
 * next turn on.
 */
export type SetReader = { 
/**
 * In which conversation.
 */
conversation: ConversationId, 
/**
 * Whether it is read for it.
 */
is_on: boolean, };

/**
 * When a server that is on runs. One that is to run always is started if it does not.
 */
export type SetRuns = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * When.
 */
runs: Runs, };

/**
 * Lets a server ask for a model, or not.
 */
export type SetSampling = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * How much.
 */
settings: SamplingSettings, };

/**
 * Chooses where traces and metrics are sent.
 */
export type SetTelemetry = { 
/**
 * Where.
 */
settings: TelemetrySettings, };

/**
 * Switches one tool on or off.
 */
export type SetTool = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which tool.
 */
tool: ToolName, 
/**
 * On?
 */
on: boolean, };

/**
 * A named value: an environment variable or a header.
 */
export type Setting = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its value, or where it lies.
 */
value: SettingValue, };

/**
 * A value, or where it lies.
 */
export type SettingValue = { "kind": "plain", 
/**
 * The value.
 */
text: string, } | { "kind": "secret", 
/**
 * Where the value lies.
 */
secret: SecretId, };

/**
 * How much a finding matters.
 */
export type Severity = "info" | "low" | "medium" | "high" | "critical";

/**
 * One call in full.
 */
export type ShowActivity = { 
/**
 * Its first record.
 */
seq: number, };

/**
 * The same of a call by its number: on whose word it ran or did not, and its records. Fails with
 * `unknown_record` where none of it stands in the log, or not any more.
 */
export type ShowCall = { 
/**
 * Which one.
 */
call: CallId, };

/**
 * Whether a server may ask for a model, and how much.
 */
export type ShowSampling = { 
/**
 * Which server.
 */
server: ServerId, };

/**
 * Always shows a tool to models in the workspace in use, also where there are so many that they
 * look for them; or not any more. It holds from the next turn on. Nothing is allowed by it, and
 * a tool that a rule or its switch keeps from a model stays kept from it. Fails with
 * `unknown_tool`.
 */
export type ShowToolAlways = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which tool.
 */
tool: ToolName, 
/**
 * Always?
 */
on: boolean, };

/**
 * Signs in to a remote server: finds out where, and opens the browser there. What becomes of
 * it is told as events.
 */
export type SignIn = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * What the person has approved on the way, such as an address elsewhere.
 */
approved: SignInApprovals, };

/**
 * What a person can approve for one sign-in that is otherwise refused.
 */
export type SignInApprovals = { 
/**
 * Addresses of the sign-in that lie elsewhere than the one who vouches.
 */
foreign_endpoints: boolean, 
/**
 * A sign-in service that does not say that it protects the answer (PKCE).
 */
without_pkce: boolean, 
/**
 * Addresses guessed as in 2025-03-26, where the server names none.
 */
legacy_endpoints: boolean, 
/**
 * Tokens kept in memory until the application ends, where there is no keyring.
 */
without_keyring?: boolean, };

/**
 * What is going on with a sign-in.
 */
export type SignInStatus = { "kind": "signed_out" } | { "kind": "wanted", 
/**
 * The rights that it asks for, in its words.
 */
scopes: Array<string>, } | { "kind": "preparing" } | { "kind": "waiting", 
/**
 * The address that was opened, to be shown whole and opened again.
 */
url: string, } | { "kind": "signed_in", 
/**
 * Who vouches.
 */
issuer: string, 
/**
 * Which rights were given.
 */
scopes: Array<string>, 
/**
 * Until when; none where that was not said.
 */
expires_at: Timestamp | null, } | { "kind": "failed", 
/**
 * What happened and what to do.
 */
error: HostError, 
/**
 * What the person can approve to go on, if that would help.
 */
approvable: SignInApprovals | null, };

/**
 * Whether Majordomo is signed in at a server.
 */
export type SignInView = { 
/**
 * What is going on.
 */
state: SignInStatus, 
/**
 * The account in use.
 */
account: string, 
/**
 * All accounts that are kept.
 */
accounts: Array<string>, 
/**
 * How Majordomo is known there, if the person said so.
 */
client: OauthClientView | null, };

/**
 * Forgets an account and its tokens.
 */
export type SignOut = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which account; none means the one in use.
 */
account: string | null, };

/**
 * How a log is signed.
 */
export type Signed = { 
/**
 * The record from which on it is signed, without a break in the row of keys.
 */
from: number, 
/**
 * The last record that is sealed: its key is erased, and nobody can write it anew. 0 if none
 * is.
 */
sealed: number, 
/**
 * Where the private key of what follows is kept.
 */
kept: KeyPlace, 
/**
 * The first public key of the row: by it the log is known.
 */
root: string, };

/**
 * Everything a surface needs on connecting. Events with a number above `seq` are newer.
 */
export type Snapshot = { 
/**
 * The number of the last event that this includes.
 */
seq: number, 
/**
 * The host.
 */
info: HostInfo, 
/**
 * All servers, by name.
 */
servers: Array<ServerView>, 
/**
 * Questions that wait, oldest first.
 */
questions: Array<Question>, 
/**
 * Calls that run or wait for an answer.
 */
calls: Array<RunningCall>, 
/**
 * Calls of which nobody knows what became of them, and which no person has seen yet. They are
 * never made again by themselves. The oldest of them: at most 100, with at most 4 MiB of what was
 * sent.
 */
unknown: Array<UnknownCall>, 
/**
 * How many more of these there are.
 */
unknown_more: number, 
/**
 * All workspaces, by name.
 */
workspaces: Array<WorkspaceView>, 
/**
 * Everyone who can ask for something or has: the window, the terminal, and the newest that the
 * log or an approval knows.
 */
callers: Array<Caller>, };

/**
 * Where a value came from.
 */
export type Source = { 
/**
 * In which message of the conversation, counted from 0.
 */
message: number | null, 
/**
 * When that message came.
 */
at: Timestamp | null, } & ({ "kind": "person" } | { "kind": "host" } | { "kind": "tool", 
/**
 * Of which server, by our name; nothing where that is not recorded.
 */
server: ServerId | null, 
/**
 * Which tool.
 */
tool: ToolName, } | { "kind": "attachment", 
/**
 * Its name.
 */
name: string, } | { "kind": "unknown" });

/**
 * The calls of one span.
 */
export type SpanFigures = { 
/**
 * When it begins.
 */
from: Timestamp, 
/**
 * When the next one begins.
 */
to: Timestamp, 
/**
 * Calls that were answered, those that run still included.
 */
done: number, 
/**
 * Calls that failed, were cancelled or interrupted, or of which the tool said that it failed.
 */
failed: number, 
/**
 * Calls that were not allowed.
 */
refused: number, };

/**
 * How long a span of the figures is, by the calendar of this computer.
 */
export type SpanUnit = "hour" | "day" | "week" | "month";

/**
 * Begins a conversation in which nothing is said yet. Fails with `no_model` where no model was
 * set up.
 */
export type StartConversation = { 
/**
 * The model that answers; none means that of the assistant, or the one that was set up last.
 */
model: ModelId | null, 
/**
 * The assistant that answers, if it is one.
 */
assistant: AssistantId | null, };

/**
 * A command to run, without a shell.
 */
export type StdioLaunch = { 
/**
 * A path, or a name that is looked up in PATH.
 */
command: string, 
/**
 * Its arguments, each as it is passed.
 */
args: Array<string>, 
/**
 * Environment variables beside the allow-list.
 */
env: Array<Setting>, 
/**
 * Working directory; the person's home if none is given.
 */
cwd: string | null, };

/**
 * What a person says while a model answers.
 */
export type Steered = { 
/**
 * Their words.
 */
text: string, 
/**
 * What they attached.
 */
attached: Array<AttachmentView>, };

/**
 * Stops the turn that goes on, or one of its calls. Said once more of a turn, what does not end
 * is waited for no longer.
 */
export type StopConversation = { 
/**
 * In which one.
 */
conversation: ConversationId, 
/**
 * Which call; none means all of the turn.
 */
call: CallId | null, };

/**
 * What a question is about.
 */
export type Subject = { "kind": "call", 
/**
 * Which call.
 */
call: CallId, 
/**
 * Who asks.
 */
caller: Caller, 
/**
 * In which of its conversations; absent in questions of earlier versions.
 */
conversation: ConversationId | null, 
/**
 * The tool as it is now.
 */
tool: ToolSpec, 
/**
 * What would be sent.
 */
arguments: Record<string, unknown>, 
/**
 * Why a person is asked.
 */
reason: Reason, 
/**
 * What an inspection of the tool's definition found, the worst first.
 */
findings: Array<Finding>, 
/**
 * Values of the call that came from strangers, the gravest first.
 */
concerns: Array<Concern>, 
/**
 * Whose words its values are, where it is known what the person has said.
 */
sources: Array<ValueSource>, 
/**
 * What the call touches.
 */
touches: AffectedResources, 
/**
 * What was sent the last time this tool ran for this caller; values of held secrets are
 * covered.
 */
last_time: Record<string, unknown> | null, 
/**
 * What a remembered answer may say about each argument.
 */
options: Array<ArgumentOptions>, 
/**
 * Whether the person marked the tool as one that does something that matters. A yes to any
 * arguments of such a tool, and of a call with concerns, is remembered only with an end.
 */
consequential: boolean, 
/**
 * Whether whoever asked is gone, because Majordomo was started anew since. The call runs
 * all the same after a yes; its answer is kept with the activity.
 */
left_over: boolean, } | { "kind": "form", 
/**
 * The calls that run on this server now; one of them is the cause.
 */
during: Array<CallId>, 
/**
 * The form.
 */
form: Form, } | { "kind": "url", 
/**
 * The calls that run on this server now; one of them is the cause.
 */
during: Array<CallId>, 
/**
 * What it says, and the address.
 */
ask: UrlAsk, 
/**
 * The host of the address as it is shown: with Punycode where it is not plain.
 */
host: string, 
/**
 * Whether the host holds letters that can be taken for others.
 */
look_alike: boolean, } | { "kind": "sample", 
/**
 * The calls that run on this server now; one of them is the cause.
 */
during: Array<CallId>, 
/**
 * What it asks for.
 */
sample: Sample, 
/**
 * The model that would answer; none means that it can only be declined.
 */
model: string | null, 
/**
 * What the server may still use.
 */
budget: Budget, } | { "kind": "sample_reply", 
/**
 * The calls that run on this server now; one of them is the cause.
 */
during: Array<CallId>, 
/**
 * What was asked, as the person let it go.
 */
sample: Sample, 
/**
 * The model that answered.
 */
model: string, 
/**
 * What it said.
 */
reply: string, } | { "kind": "change", 
/**
 * What.
 */
change: WantedChange, } | { "kind": "request", 
/**
 * Who wants it.
 */
caller: Caller, 
/**
 * In which of its conversations.
 */
conversation: ConversationId, 
/**
 * What.
 */
request: RequestKind, 
/**
 * What the caller chose of it.
 */
arguments: Record<string, unknown>, 
/**
 * Why a person is asked.
 */
reason: RequestReason, 
/**
 * Values of it that came from strangers, the gravest first.
 */
concerns: Array<Concern>, } | { "kind": "rule", 
/**
 * The rule.
 */
rule: Rule, 
/**
 * Whether it is to be taken back.
 */
removing: boolean, };

/**
 * Uses another workspace: stops what is not in it, starts what is.
 */
export type SwitchWorkspace = { 
/**
 * Which one.
 */
workspace: WorkspaceId, };

/**
 * What a conversation has taken in from one server.
 */
export type TakenIn = { 
/**
 * The server.
 */
server: ServerId, 
/**
 * All of it together: from which tools it is, how far it may be believed, and who may read it.
 */
label: Label, 
/**
 * The number of what the person said with which the turn began that first took something in: a
 * branch before it is free of this server.
 */
since: number, };

/**
 * How an application takes up a change of its file.
 */
export type TakesUp = "by_itself" | "new_session" | "restart";

/**
 * A task that a model gives away.
 */
export type TaskView = { 
/**
 * What whoever does it is called; none for the reader.
 */
helper: string | null, 
/**
 * The conversation in which it is done, once it was begun.
 */
conversation: ConversationId, };

/**
 * Where traces and metrics are sent.
 */
export type TelemetrySettings = { 
/**
 * The address of an OpenTelemetry collector that speaks OTLP over HTTP, such as
 * `https://collector.example:4318`; none sends nothing.
 */
endpoint: string | null, 
/**
 * Whether the arguments and results of calls go with the traces; values of held secrets are
 * covered all the same.
 */
contents: boolean, 
/**
 * Whether servers are told which trace a call belongs to.
 */
propagate: boolean, };

/**
 * Where traces and metrics are sent, and whether they arrive.
 */
export type TelemetryView = { 
/**
 * What the person chose.
 */
settings: TelemetrySettings, 
/**
 * When something last arrived there.
 */
sent_at: Timestamp | null, 
/**
 * Why the last attempt failed, if it did.
 */
problem: string | null, 
/**
 * How many spans were dropped since the start, because the collector did not take them.
 */
dropped: number, };

/**
 * A kind of resources with gaps in their address (MCP `ResourceTemplate`, RFC 6570).
 */
export type TemplateSpec = { 
/**
 * The address with its gaps: `file:///{path}`.
 */
uri_template: string, 
/**
 * The server's name for it.
 */
name: string, 
/**
 * A name for people.
 */
title: string | null, 
/**
 * What it is.
 */
description: string | null, 
/**
 * Media type as the server says.
 */
mime_type: string | null, 
/**
 * Every other field, as it came.
 */
extra: Record<string, unknown>, };

/**
 * Asks the service of a model which models it has: whether the address is right, whether it
 * takes the key, and whether it has the model. It costs nothing there.
 */
export type TestModel = { 
/**
 * Which one.
 */
model: ModelId, };

/**
 * What would become of a call.
 */
export type TestPolicy = { 
/**
 * The call.
 */
call: DryRun, };

/**
 * Makes a grant as narrow as was proposed.
 */
export type Tighten = { 
/**
 * Which one.
 */
grant: GrantId, };

/**
 * A grant that is wider than what it was used for.
 */
export type Tightening = { 
/**
 * The grant.
 */
grant: Grant, 
/**
 * What it could cover instead.
 */
arguments: Covered, 
/**
 * How many of the calls that it let through in the last 30 days would still be covered. Never
 * less than all of them that are known.
 */
covered: number, 
/**
 * How many calls it let through in the last 30 days.
 */
used: number, 
/**
 * How the arguments differed, argument by argument: the values that were seen, the first few.
 */
seen: Array<SeenValues>, };

/**
 * How long calls took, in milliseconds.
 */
export type TimeFigures = { 
/**
 * Half of them took no longer.
 */
p50: number, 
/**
 * 95 of a hundred took no longer.
 */
p95: number, 
/**
 * Of how many calls.
 */
of: number, };

/**
 * Milliseconds since 1970-01-01 00:00 UTC.
 */
export type Timestamp = number;

/**
 * The SHA-256 of a token that was drawn at random: 64 hexadecimal digits, small.
 */
export type TokenHash = string;

/**
 * What the list of tools takes of a model's context, in tokens. It is an estimate: four ASCII
 * characters of the definitions, or one other character, count as one token.
 */
export type ToolCosts = { 
/**
 * Where each tool is listed.
 */
direct: number, 
/**
 * Where it looks for them.
 */
search: number, };

/**
 * How many tools an application has.
 */
export type ToolCounts = { 
/**
 * So many can it use now. None while another workspace than its own is in use.
 */
has: number, 
/**
 * Of so many that can be used now: approved, switched on, of servers that are on.
 */
of: number, };

/**
 * What a person says about a tool.
 */
export type ToolFlags = { 
/**
 * It does something that matters, or hands something on: what goes into it is looked at,
 * whatever its name says.
 */
consequential: boolean, 
/**
 * What it returns is secret: it goes to nobody whom the person did not name.
 */
secret: boolean, };

/**
 * How an application is shown its tools at the joint endpoint.
 */
export type ToolMode = "direct" | "search";

/**
 * A tool's name as its server gave it. Only together with a [`ServerId`] does it name one tool.
 */
export type ToolName = string;

/**
 * A part of a definition, for saying what changed.
 */
export type ToolPart = "name" | "title" | "description" | "input_schema" | "output_schema" | "annotations" | "meta" | "extra";

/**
 * A tool's result (MCP `CallToolResult`), validated, bounded and masked.
 */
export type ToolResult = { 
/**
 * The parts, in the server's order.
 */
content: Array<Content>, 
/**
 * Structured content, if there is any.
 */
structured: unknown, 
/**
 * The tool says that it failed. (A protocol failure is an error of the call, not an answer.)
 */
is_error: boolean, 
/**
 * What this host did to the answer or found in it.
 */
notes: Array<ResultNote>, };

/**
 * Which servers and tools an application has.
 */
export type ToolSelection = { "kind": "all" } | { "kind": "only", 
/**
 * Which.
 */
parts: Array<Selected>, } | { "kind": "except", 
/**
 * Which.
 */
parts: Array<Selected>, };

/**
 * A tool's definition as its server listed it (MCP `Tool`).
 */
export type ToolSpec = { 
/**
 * The name to call it by.
 */
name: ToolName, 
/**
 * A name for people.
 */
title: string | null, 
/**
 * What it does, in the server's words.
 */
description: string | null, 
/**
 * JSON Schema of the arguments.
 */
input_schema: Record<string, unknown>, 
/**
 * JSON Schema of the structured result, if it has one.
 */
output_schema: Record<string, unknown> | null, 
/**
 * Hints such as `readOnlyHint`. They grant nothing.
 */
annotations: Record<string, unknown> | null, 
/**
 * The server's own extra fields (`_meta`).
 */
meta: Record<string, unknown> | null, 
/**
 * Every field that is not named above (`icons`, `execution`, and what nobody knows yet), as it
 * came.
 */
extra: Record<string, unknown>, };

/**
 * A tool as every surface shows it.
 */
export type ToolView = { 
/**
 * Its server.
 */
server: ServerId, 
/**
 * Its definition. A claim.
 */
spec: ToolSpec, 
/**
 * The fingerprint of the definition.
 */
fingerprint: Fingerprint, 
/**
 * How the definition stands to what a person has approved.
 */
standing: ApprovalStatus, 
/**
 * Whether the person has left it switched on.
 */
on: boolean, 
/**
 * Whether models are always shown it, also where they look for tools. One that a rule hides from
 * them stays hidden.
 */
always_shown: boolean, 
/**
 * What the person says about it.
 */
mark: ToolFlags, 
/**
 * Other servers that have a tool of the same name.
 */
also_on: Array<ServerId>, 
/**
 * Why calls of it cannot be checked, if its input schema cannot be used.
 */
schema_problem: string | null, 
/**
 * A picture that came along, as a `data:` address of a bitmap; nothing is fetched for it.
 */
icon: string | null, 
/**
 * From whom a rule hides it.
 */
hidden_from?: Array<Caller>, };

/**
 * The tools that were found for one query.
 */
export type ToolsFound = { 
/**
 * What was looked for.
 */
query: string, 
/**
 * The best, best first; at most five.
 */
tools: Array<FoundTool>, 
/**
 * Where nothing was found: the servers whose tools whoever asks can use.
 */
servers: Array<ServerId>, };

/**
 * How far a text may be believed, best first.
 */
export type Trust = "trusted" | "untrusted" | "steering";

/**
 * How a turn has ended.
 */
export type TurnEnd = "done" | "stopped" | "broke" | "cut" | "refused" | "purse_spent" | "loops" | "context_full" | "model_changed";

/**
 * One turn of a conversation with a model: from what the person says to the end of the work.
 */
export type TurnId = string;

/**
 * A call that was sent and has no outcome, because Majordomo or the connection ended.
 */
export type UnknownCall = { 
/**
 * Which call.
 */
call: CallId, 
/**
 * Who asked.
 */
caller: Caller, 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which tool.
 */
tool: ToolName, 
/**
 * When it was sent.
 */
sent_at: Timestamp, 
/**
 * What was sent; values of held secrets are covered.
 */
arguments: Record<string, unknown>, };

/**
 * Why nobody knows whether a call was carried out that a model wanted.
 */
export type UnknownReason = "application_ended" | "server_stopped" | "no_answer" | "stopped";

/**
 * A piece that could not be read: what it holds is not known, and nobody has reviewed it.
 */
export type Unread = { 
/**
 * Which one.
 */
piece: IdentityPiece, 
/**
 * Where it is named or would lie: words of the launch, or a path. Empty where the piece says
 * it all.
 */
at: string, 
/**
 * Why.
 */
reason: UnreadReason, };

/**
 * Why a piece could not be read.
 */
export type UnreadReason = "unreadable" | "too_large" | "malformed" | "changing" | "too_many" | "not_found" | "not_followed";

/**
 * An address that a server wants a person to open (MCP elicitation, URL mode).
 */
export type UrlAsk = { 
/**
 * The server's words.
 */
message: string, 
/**
 * The address, whole.
 */
url: string, 
/**
 * The server's number of it (2025-11-25 only).
 */
id: string | null, };

/**
 * Uses another of the accounts that are kept.
 */
export type UseAccount = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Which account; a new name begins without tokens.
 */
account: string, };

/**
 * Whose words a value of a call is.
 */
export type ValueSource = { 
/**
 * Under which argument it stands, with those above it.
 */
argument: string, 
/**
 * The value.
 */
value: string, 
/**
 * Who has named it first. `Unknown` is the model, which may have put it together.
 */
source: Source, };

/**
 * Something that a program wants changed, after which more can happen than before.
 */
export type WantedChange = { 
/**
 * The request of the contract that would do it, such as `enable_server`.
 */
request: string, 
/**
 * Who wants it.
 */
caller: Caller, 
/**
 * Everything that goes with it, in its order; values of secrets are covered.
 */
details: Array<ChangeDetail>, };

/**
 * Asks a server to tell when a resource changes, or not to any more.
 */
export type WatchResource = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Its address.
 */
uri: string, 
/**
 * Tell?
 */
on: boolean, };

/**
 * Why a value matters.
 */
export type Why = "recipient" | "site" | "place" | "credential" | "steered" | "led" | "steered_act" | "unasked_act" | "unasked_tool" | "link" | "secret" | "carries_out" | "searched_for" | "too_much" | "forgotten";

/**
 * The newest messages between Majordomo and a server.
 */
export type WireLog = { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * Oldest first.
 */
frames: Array<FrameView>, 
/**
 * How many older ones were dropped.
 */
dropped: number, };

/**
 * A set of servers with their folders, tools and grants.
 */
export type WorkspaceId = string;

/**
 * A server in a workspace.
 */
export type WorkspaceServer = { 
/**
 * Which one.
 */
server: ServerId, 
/**
 * Whether it runs while this workspace is in use.
 */
on: boolean, 
/**
 * The folders that it is given here.
 */
roots: Array<string>, 
/**
 * Its tools that are switched off here.
 */
tools_off: Array<ToolName>, };

/**
 * A workspace as every surface shows it.
 */
export type WorkspaceView = { 
/**
 * Its number.
 */
id: WorkspaceId, 
/**
 * What the person calls it; empty for the first one until they give it a name.
 */
name: string, 
/**
 * Whether it is the one in use.
 */
active: boolean, 
/**
 * Its servers, by name: those that are on here, or have folders or switched-off tools here.
 */
servers: Array<WorkspaceServer>, 
/**
 * How many grants hold in it, those that hold everywhere included.
 */
grants: number, 
/**
 * When it was made.
 */
made_at: Timestamp, };
