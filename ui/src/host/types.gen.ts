// Written from Rust (src-tauri/host/src/api.rs) by its test. Do not edit: run `UPDATE_TYPES=1 cargo test -p host types`.

/**
 * One call, or change, in full.
 */
export type ActivityDetail = { 
/**
 * The row.
 */
row: ActivityRow, 
/**
 * What was sent; values of held secrets are covered.
 */
arguments: Record<string, unknown> | null, 
/**
 * On whose word it ran.
 */
permission: Permission | null, 
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
 * Which rows of the activity list.
 */
export type ActivityFilter = { 
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
 * What happened: `call`, or the kind of change, such as `server_added`, `grant_made`, `question_answered`.
 */
what: string, 
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
 * Milliseconds from beginning to end, the person's thinking included.
 */
duration_ms: number | null, };

/**
 * Where the head of the log is noted outside of the log.
 */
export type AnchorPlace = "keyring" | "database" | "nowhere";

/**
 * A person's answer.
 */
export type Answer = { "kind": "allow_once" } | { "kind": "allow_run" } | { "kind": "allow_arguments" } | { "kind": "allow_tool" } | { "kind": "deny", 
/**
 * Told to the caller.
 */
reason: string | null, } | { "kind": "form", 
/**
 * What the person did with it.
 */
answer: FormAnswer, };

/**
 * What this host did to an answer or found in it.
 */
export type AnswerNote = { "kind": "secrets_masked" } | { "kind": "hidden_characters", 
/**
 * How many.
 */
count: number, } | { "kind": "cut", 
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
problem: string, } | { "kind": "structured_missing" };

/**
 * Who may answer questions.
 */
export type ApproverKind = "question_window" | "terminal";

/**
 * One attempt to call a tool, from the question to the closed trace.
 */
export type CallId = string;

/**
 * Who asks. A grant given to one caller says nothing about another.
 */
export type Caller = { "kind": "window" } | { "kind": "terminal" };

/**
 * One part of a result.
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
headers: Array<DraftSetting>, };

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
value: string, } | { "kind": "kept_secret" };

/**
 * What went wrong. Every code has a title, a sentence and an action in every message catalogue.
 */
export type ErrorCode = "bad_request" | "unknown_server" | "unknown_tool" | "unknown_question" | "unknown_grant" | "unknown_call" | "unknown_record" | "bad_name" | "name_taken" | "bad_command" | "bad_url" | "bad_setting" | "bad_path" | "built_in" | "secret_too_short" | "keyring_missing" | "keyring_failed" | "secret_lost" | "import_not_json" | "import_no_servers" | "review_needed" | "server_off" | "command_not_found" | "not_executable" | "no_working_directory" | "program_incomplete" | "exited_at_start" | "start_timed_out" | "not_protocol" | "unreachable" | "needs_sign_in" | "http_status" | "connection_lost" | "timed_out" | "message_too_long" | "server_error" | "cancelled" | "refused" | "not_an_approver" | "bad_answer" | "log_not_writable" | "log_not_intact" | "database_locked" | "database_read_only" | "database_newer" | "database_damaged" | "already_running" | "shutting_down" | "too_slow" | "internal";

/**
 * The exported log.
 */
export type Export = { 
/**
 * A name for the file.
 */
file_name: string, 
/**
 * Its text.
 */
text: string, };

/**
 * A format of the exported log.
 */
export type ExportFormat = "jsonl" | "csv";

/**
 * `sha256:` and 64 hexadecimal digits over the canonical form of a value.
 */
export type Fingerprint = string;

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
schema: Record<string, unknown>, };

/**
 * What a person did with a form.
 */
export type FormAnswer = { "kind": "accept", 
/**
 * By field.
 */
content: Record<string, unknown>, } | { "kind": "decline" } | { "kind": "cancel" };

/**
 * A person's "yes" for later calls. Bound to who asked, to how the server is reached and to the whole definition of the tool.
 */
export type Grant = { 
/**
 * Its number.
 */
id: GrantId, 
/**
 * For whom.
 */
caller: Caller, 
/**
 * For which server, by our name.
 */
server: ServerId, 
/**
 * How that server was reached when the person said yes.
 */
launch_fingerprint: Fingerprint, 
/**
 * The tool as it was when the person said yes; kept whole, so that a change can be named.
 */
tool: ToolSpec, 
/**
 * The fingerprint of `tool`.
 */
tool_fingerprint: Fingerprint, 
/**
 * How far it goes.
 */
scope: Scope, 
/**
 * When the person said yes.
 */
made_at: Timestamp, 
/**
 * When it last let a call through.
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
 * What went wrong: a code for the machine, a sentence for the person, a hint for the next step.
 *
 * Surfaces branch on `code`; `message` and `hint` are English and meant for the terminal and the log.
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
 * What to do.
 */
hint: string, 
/**
 * Why a call was not allowed, where that is what went wrong.
 */
refusal: Refusal | null, };

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
question: QuestionId, } | { "kind": "call_changed", 
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
grant: GrantId, } | { "kind": "activity_changed", 
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
headers: Array<Setting>, };

/**
 * An entry that a person has chosen.
 */
export type ImportChoice = { 
/**
 * Its name in the text.
 */
source_name: string, 
/**
 * The name to keep it under.
 */
name: string, };

/**
 * One entry of another application's configuration.
 */
export type ImportEntry = { 
/**
 * Its name in the text.
 */
source_name: string, 
/**
 * The name that we would keep it under: allowed and free.
 */
name: ServerId, 
/**
 * What it would run or call; values that look secret are already references. Absent if the entry is unusable.
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
 * The key under which servers stood: `mcpServers` or `servers`.
 */
format: string, 
/**
 * Each entry, usable or not, in the order of the text.
 */
entries: Array<ImportEntry>, };

/**
 * What to do with secrets where there is no keyring.
 */
export type KeepSecrets = "keyring" | "session";

/**
 * Whether secrets can be kept.
 */
export type KeyringStatus = { "kind": "ready" } | { "kind": "missing", 
/**
 * Why, in the system's words.
 */
reason: string, };

/**
 * How a server is reached.
 */
export type Launch = { "kind": "builtin", 
/**
 * Which one.
 */
name: string, } | { "kind": "stdio" } & StdioLaunch | { "kind": "http" } & HttpLaunch;

/**
 * What reading the whole log has shown.
 */
export type LogReport = { "kind": "intact", 
/**
 * Records read.
 */
records: number, 
/**
 * Where the last head was found.
 */
anchor: AnchorPlace, 
/**
 * Records written after the last head was noted; they are chained, but not yet covered by it.
 */
after_anchor: number, } | { "kind": "broken", 
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
 * Something that happened, with its number. A gap in the numbers means: ask for a snapshot again.
 */
export type Numbered = { 
/**
 * One more than the event before.
 */
seq: number, 
/**
 * What happened.
 */
event: HostEvent, };

/**
 * How a call, or another recorded event, ended.
 */
export type Outcome = "running" | "done" | "tool_error" | "failed" | "refused" | "cancelled" | "interrupted" | "noted";

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
grant: GrantId | null, };

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
 * The server it is about, by our name.
 */
server: ServerId, 
/**
 * What it is about.
 */
subject: Subject, };

/**
 * A question that waits for a person, or waited.
 */
export type QuestionId = string;

/**
 * Why a person is asked about a call.
 */
export type Reason = { "kind": "not_allowed_yet" } | { "kind": "other_arguments" } | { "kind": "tool_changed", 
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
allowed_at: Timestamp, } | { "kind": "server_changed", 
/**
 * When it was allowed.
 */
allowed_at: Timestamp, };

/**
 * Why a call may not run.
 */
export type Refusal = { "kind": "switched_off" } | { "kind": "arguments_invalid", 
/**
 * Where and why, the first few.
 */
problems: Array<string>, } | { "kind": "schema_unusable", 
/**
 * What is wrong with it.
 */
problem: string, } | { "kind": "denied_by_person", 
/**
 * In their words.
 */
reason: string | null, } | { "kind": "nobody_answered" } | { "kind": "question_closed" } | { "kind": "cancelled" } | { "kind": "changed_while_asking" } | { "kind": "no_trace" };

/**
 * What a surface asks for. The answer's type stands behind the arrow.
 */
export type Request = { "method": "snapshot" } | { "method": "review_draft", "params": { 
/**
 * The form as filled in.
 */
draft: ServerDraft, } } | { "method": "add_server", "params": { 
/**
 * The form as filled in.
 */
draft: ServerDraft, } } | { "method": "edit_server", "params": { 
/**
 * Which one.
 */
server: ServerId, 
/**
 * The form as filled in; `DraftValue::KeptSecret` keeps what is there.
 */
draft: ServerDraft, } } | { "method": "review_server", "params": { 
/**
 * Which one.
 */
server: ServerId, } } | { "method": "accept_review", "params": { 
/**
 * Which one.
 */
server: ServerId, 
/**
 * The fingerprint of the review that was shown.
 */
reviewed: Fingerprint, } } | { "method": "enable_server", "params": { 
/**
 * Which one.
 */
server: ServerId, 
/**
 * The review that was accepted, if one was shown.
 */
reviewed: Fingerprint | null, } } | { "method": "disable_server", "params": { 
/**
 * Which one.
 */
server: ServerId, } } | { "method": "restart_server", "params": { 
/**
 * Which one.
 */
server: ServerId, } } | { "method": "remove_server", "params": { 
/**
 * Which one.
 */
server: ServerId, } } | { "method": "server_log", "params": { 
/**
 * Which one.
 */
server: ServerId, } } | { "method": "preview_import", "params": { 
/**
 * Its text.
 */
text: string, } } | { "method": "import_servers", "params": { 
/**
 * The same text as in the preview.
 */
text: string, 
/**
 * Which entries, by their name in the text, and under which name to keep them.
 */
choices: Array<ImportChoice>, 
/**
 * What to do with secrets where there is no keyring.
 */
keep: KeepSecrets, } } | { "method": "add_root", "params": { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * An absolute path of a folder.
 */
path: string, } } | { "method": "remove_root", "params": { 
/**
 * Which server.
 */
server: ServerId, 
/**
 * The path as listed.
 */
path: string, } } | { "method": "list_tools", "params": { 
/**
 * Which server.
 */
server: ServerId, } } | { "method": "set_tool", "params": { 
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
on: boolean, } } | { "method": "call_tool", "params": { 
/**
 * Chosen by the surface (`call-` and 16 hexadecimal digits), so that it can follow and cancel the call.
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
arguments: Record<string, unknown>, } } | { "method": "cancel_call", "params": { 
/**
 * Which call.
 */
call: CallId, } } | { "method": "list_questions" } | { "method": "answer_question", "params": { 
/**
 * Which one.
 */
question: QuestionId, 
/**
 * The answer.
 */
answer: Answer, } } | { "method": "list_grants" } | { "method": "revoke_grant", "params": { 
/**
 * Which one.
 */
grant: GrantId, } } | { "method": "list_activity", "params": { 
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
limit: number, } } | { "method": "show_activity", "params": { 
/**
 * Its first record.
 */
seq: number, } } | { "method": "verify_log" } | { "method": "export_log", "params": { 
/**
 * In which format.
 */
format: ExportFormat, } };

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
 * The file that `command` means now, with symbolic links followed; absent if it was not found, and for an address.
 */
resolved: string | null, 
/**
 * The working directory it will have; absent for an address.
 */
cwd: string | null, 
/**
 * Names of the host's own environment that are passed on.
 */
inherited: Array<string>, 
/**
 * What a person should look at twice.
 */
warnings: Array<ReviewWarning>, 
/**
 * To be sent with `enable_server`.
 */
fingerprint: Fingerprint, };

/**
 * What a person should look at twice before letting something run.
 */
export type ReviewWarning = { "kind": "not_found" } | { "kind": "inline_code" } | { "kind": "more_rights" } | { "kind": "downloads" } | { "kind": "dangerous_environment", 
/**
 * Its name.
 */
name: string, } | { "kind": "looks_secret", 
/**
 * The name of the setting.
 */
name: string, } | { "kind": "hidden_characters", 
/**
 * Where.
 */
place: string, };

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
 * One run of the application, from start to end.
 */
export type RunId = string;

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
waiting: boolean, };

/**
 * How far a grant goes.
 */
export type Scope = { "kind": "run", 
/**
 * Which run.
 */
run: RunId, } | { "kind": "arguments", 
/**
 * Their fingerprint.
 */
fingerprint: Fingerprint, } | { "kind": "tool" };

/**
 * Where a secret value lies in the keyring. The value itself is never near it.
 */
export type SecretId = string;

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
protocol: string, };

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
keep: KeepSecrets, };

/**
 * The name under which a person keeps a server: 1 to 64 of `A–Z a–z 0–9 . _ -`, beginning with a letter or a digit.
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
export type ServerState = { "kind": "off" } | { "kind": "starting" } | { "kind": "ready" } | { "kind": "failed", 
/**
 * What happened and what to do.
 */
error: HostError, 
/**
 * The last lines of its standard error.
 */
stderr: Array<string>, };

/**
 * A server as every surface shows it.
 */
export type ServerView = { 
/**
 * Our name for it.
 */
id: ServerId, 
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
 * What it is doing.
 */
state: ServerState, 
/**
 * Its folders.
 */
roots: Array<RootView>, 
/**
 * How many tools it lists; absent until it was connected once.
 */
tools: number | null, 
/**
 * What it says about itself. A claim.
 */
claims: ServerClaims | null, 
/**
 * When it was added.
 */
added_at: Timestamp, };

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
calls: Array<RunningCall>, };

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
reason: Reason, } | { "kind": "form", 
/**
 * The calls that run on this server now; one of them is the cause.
 */
during: Array<CallId>, 
/**
 * The form.
 */
form: Form, };

/**
 * Milliseconds since 1970-01-01 00:00 UTC.
 */
export type Timestamp = number;

/**
 * A tool's result (MCP `CallToolResult`), validated, bounded and masked.
 */
export type ToolAnswer = { 
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
notes: Array<AnswerNote>, };

/**
 * A tool's name as its server gave it. Only together with a [`ServerId`] does it name one tool.
 */
export type ToolName = string;

/**
 * A part of a definition, for saying what changed.
 */
export type ToolPart = "name" | "title" | "description" | "input_schema" | "output_schema" | "annotations" | "meta";

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
meta: Record<string, unknown> | null, };

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
 * Whether the person has left it switched on.
 */
on: boolean, 
/**
 * Other servers that have a tool of the same name.
 */
also_on: Array<ServerId>, 
/**
 * Why calls of it cannot be checked, if its input schema cannot be used.
 */
schema_problem: string | null, };
