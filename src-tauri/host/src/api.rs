//! Every request a surface can make, every answer and every event. The source of `ui/src/host/types.gen.ts`.
//!
//! Always true here: no answer and no event carries the value of a secret. Values of secrets travel inwards only, in a
//! [`DraftValue::NewSecret`].

use policy::{Answer, Grant, Question, Refusal};
use protocol::{CallId, Caller, Fingerprint, GrantId, Launch, QuestionId, Secret, ServerId, Timestamp, ToolName, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::Duration;
use ts_rs::TS;

pub use store::{ActivityDetail, ActivityFilter, ActivityPage, ActivityRow, AnchorPlace, ExportFormat, LogReport, Outcome};

/// What a surface asks for. The answer's type stands behind the arrow.
#[derive(Debug, Deserialize, TS)]
#[serde(tag = "method", content = "params", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Everything a surface needs on connecting → [`Snapshot`]
    Snapshot,
    /// What would be run or called, before it is kept → [`Review`]
    ReviewDraft {
        /// The form as filled in.
        draft: ServerDraft,
    },
    /// Keeps a new server, off and not reviewed → [`ServerView`]
    AddServer {
        /// The form as filled in.
        draft: ServerDraft,
    },
    /// Replaces how a server is reached. It is switched off and must be reviewed again if that changes its fingerprint → [`ServerView`]
    EditServer {
        /// Which one.
        server: ServerId,
        /// The form as filled in; `DraftValue::KeptSecret` keeps what is there.
        draft: ServerDraft,
    },
    /// What a kept server would run or call → [`Review`]
    ReviewServer {
        /// Which one.
        server: ServerId,
    },
    /// Notes that a person has seen the review of a server as it is now → [`ServerView`]
    AcceptReview {
        /// Which one.
        server: ServerId,
        /// The fingerprint of the review that was shown.
        reviewed: Fingerprint,
    },
    /// Switches a server on. The first time, and after each change, `reviewed` must be the fingerprint of the review that the
    /// person has just accepted → [`ServerView`]
    EnableServer {
        /// Which one.
        server: ServerId,
        /// The review that was accepted, if one was shown.
        reviewed: Option<Fingerprint>,
    },
    /// Switches a server off and stops it → [`ServerView`]
    DisableServer {
        /// Which one.
        server: ServerId,
    },
    /// Stops a server that is on and starts it again → [`ServerView`]
    RestartServer {
        /// Which one.
        server: ServerId,
    },
    /// Removes a server with its credentials, roots and grants → `null`
    RemoveServer {
        /// Which one.
        server: ServerId,
    },
    /// What a server wrote on its standard error, the newest lines → [`ServerLog`]
    ServerLog {
        /// Which one.
        server: ServerId,
    },
    /// Reads another application's configuration without keeping anything → [`ImportPreview`]
    PreviewImport {
        /// Its text.
        text: String,
    },
    /// Keeps the chosen entries of a configuration, all of them off → [`ImportOutcome`]
    ImportServers {
        /// The same text as in the preview.
        text: String,
        /// Which entries, by their name in the text, and under which name to keep them.
        choices: Vec<ImportChoice>,
        /// What to do with secrets where there is no keyring.
        keep: KeepSecrets,
    },
    /// Gives a server a folder → [`ServerView`]
    AddRoot {
        /// Which server.
        server: ServerId,
        /// An absolute path of a folder.
        path: String,
    },
    /// Takes a folder from a server → [`ServerView`]
    RemoveRoot {
        /// Which server.
        server: ServerId,
        /// The path as listed.
        path: String,
    },
    /// The tools of a server → `ToolView[]`
    ListTools {
        /// Which server.
        server: ServerId,
    },
    /// Switches one tool on or off → [`ToolView`]
    SetTool {
        /// Which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// On?
        on: bool,
    },
    /// Calls a tool and waits for the end, the question to a person included → [`ToolAnswer`]
    CallTool {
        /// Chosen by the surface (`call-` and 16 hexadecimal digits), so that it can follow and cancel the call.
        call: Option<CallId>,
        /// Which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// The arguments.
        #[ts(type = "Record<string, unknown>")]
        arguments: Map<String, Value>,
    },
    /// Cancels a call, or withdraws it while its question waits → `null`
    CancelCall {
        /// Which call.
        call: CallId,
    },
    /// Questions that wait → `Question[]`
    ListQuestions,
    /// Answers a question. Only an approver may → `null`
    AnswerQuestion {
        /// Which one.
        question: QuestionId,
        /// The answer.
        answer: Answer,
    },
    /// Everything that was allowed for more than once and not taken back → `Grant[]`
    ListGrants,
    /// Takes a grant back. Calls already running finish; the next one asks again → [`Grant`]
    RevokeGrant {
        /// Which one.
        grant: GrantId,
    },
    /// What happened, newest first → [`ActivityPage`]
    ListActivity {
        /// Which rows.
        filter: ActivityFilter,
        /// Continue after this row of the page before.
        before: Option<u64>,
        /// Rows, at most 500.
        limit: u32,
    },
    /// One call in full → [`ActivityDetail`]
    ShowActivity {
        /// Its first record.
        seq: u64,
    },
    /// Reads the whole log and checks it → [`LogReport`]
    VerifyLog,
    /// The log as text → [`Export`]
    ExportLog {
        /// In which format.
        format: ExportFormat,
    },
}

/// Everything a surface needs on connecting. Events with a number above `seq` are newer.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Snapshot {
    /// The number of the last event that this includes.
    #[ts(type = "number")]
    pub seq: u64,
    /// The host.
    pub info: HostInfo,
    /// All servers, by name.
    pub servers: Vec<ServerView>,
    /// Questions that wait, oldest first.
    pub questions: Vec<Question>,
    /// Calls that run or wait for an answer.
    pub calls: Vec<RunningCall>,
}

/// What kind of host this is.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct HostInfo {
    /// Its version.
    pub version: String,
    /// Where it keeps everything.
    pub data_dir: String,
    /// Where audit segments lie.
    pub log_dir: String,
    /// Whether secrets can be kept.
    pub keyring: KeyringStatus,
    /// Who may answer questions.
    pub approver: ApproverKind,
}

/// Whether secrets can be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum KeyringStatus {
    /// The system's keyring answers.
    Ready,
    /// It does not; secrets live in memory until the application ends, if the person wants that.
    Missing {
        /// Why, in the system's words.
        reason: String,
    },
}

/// Who may answer questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ApproverKind {
    /// The window's question window, and nothing else.
    QuestionWindow,
    /// The terminal.
    Terminal,
}

/// A server as a form describes it, before it is kept.
#[derive(Debug, Clone, Deserialize, TS)]
pub struct ServerDraft {
    /// The name to keep it under.
    pub name: String,
    /// How it is reached.
    pub target: DraftTarget,
    /// What to do with secrets where there is no keyring.
    #[serde(default)]
    pub keep: KeepSecrets,
}

/// How a drafted server is reached.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DraftTarget {
    /// A command.
    Stdio {
        /// A path, or a name that is looked up in PATH.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// Environment.
        #[serde(default)]
        env: Vec<DraftSetting>,
        /// Working directory, absolute.
        #[serde(default)]
        cwd: Option<String>,
    },
    /// An address.
    Http {
        /// `https:`, or `http:` on loopback.
        url: String,
        /// Headers.
        #[serde(default)]
        headers: Vec<DraftSetting>,
    },
}

/// An environment variable or a header of a draft.
#[derive(Debug, Clone, Deserialize, TS)]
pub struct DraftSetting {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: DraftValue,
}

/// The value of a drafted setting.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DraftValue {
    /// Not secret.
    Plain {
        /// The value.
        text: String,
    },
    /// Secret, and new: goes to the keyring.
    NewSecret {
        /// The value, on its only way inwards.
        #[ts(type = "string")]
        value: Secret,
    },
    /// Secret, and kept as it is (editing only).
    KeptSecret,
}

/// What to do with secrets where there is no keyring.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeepSecrets {
    /// Refuse with `keyring_missing`.
    #[default]
    Keyring,
    /// Keep them in memory until the application ends.
    Session,
}

/// What would be run or called, in full. Nothing runs before a person has seen it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Review {
    /// The name it is or will be kept under.
    pub name: String,
    /// Everything that decides what is run or called; of secrets the names.
    pub launch: Launch,
    /// The file that `command` means now, with symbolic links followed; absent if it was not found, and for an address.
    pub resolved: Option<String>,
    /// The working directory it will have; absent for an address.
    pub cwd: Option<String>,
    /// Names of the host's own environment that are passed on.
    pub inherited: Vec<String>,
    /// What a person should look at twice.
    pub warnings: Vec<ReviewWarning>,
    /// To be sent with `enable_server`.
    pub fingerprint: Fingerprint,
}

/// What a person should look at twice before letting something run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ReviewWarning {
    /// The command was not found or is not executable.
    NotFound,
    /// It starts a shell or passes code on the command line.
    InlineCode,
    /// It runs something with more rights (`sudo`, `doas`, `runas`).
    MoreRights,
    /// It downloads what it runs (`npx`, `uvx`, …), so what runs can change.
    Downloads,
    /// An environment variable that changes which code is loaded.
    DangerousEnvironment {
        /// Its name.
        name: String,
    },
    /// A value that looks like a secret is not marked as one.
    LooksSecret {
        /// The name of the setting.
        name: String,
    },
    /// Leading or trailing white space, or invisible characters, in the command, an argument or the address.
    HiddenCharacters {
        /// Where.
        place: String,
    },
}

/// A server as every surface shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerView {
    /// Our name for it.
    pub id: ServerId,
    /// How it is reached.
    pub launch: Launch,
    /// Its launch fingerprint.
    pub fingerprint: Fingerprint,
    /// Whether a person has reviewed it as it is now.
    pub reviewed: bool,
    /// Whether it should run.
    pub on: bool,
    /// What it is doing.
    pub state: ServerState,
    /// Its folders.
    pub roots: Vec<RootView>,
    /// How many tools it lists; absent until it was connected once.
    pub tools: Option<u32>,
    /// What it says about itself. A claim.
    pub claims: Option<ServerClaims>,
    /// When it was added.
    pub added_at: Timestamp,
}

/// What a server says about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerClaims {
    /// Its own name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it tells models about its use.
    pub instructions: Option<String>,
    /// The protocol revision that was agreed.
    pub protocol: String,
}

/// What a server is doing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ServerState {
    /// Switched off.
    Off,
    /// Being started or connected.
    Starting,
    /// Connected.
    Ready,
    /// It should run and does not.
    Failed {
        /// What happened and what to do.
        error: HostError,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
}

/// A folder that a server was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RootView {
    /// Its absolute path.
    pub path: String,
    /// Its `file:` address as servers see it.
    pub uri: String,
    /// Whether it is there.
    pub present: bool,
}

/// What a server wrote on its standard error.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServerLog {
    /// Which server.
    pub server: ServerId,
    /// The newest lines, oldest first; values of held secrets are covered.
    pub lines: Vec<String>,
    /// How many older lines were dropped.
    #[ts(type = "number")]
    pub dropped: u64,
}

/// A tool as every surface shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolView {
    /// Its server.
    pub server: ServerId,
    /// Its definition. A claim.
    pub spec: ToolSpec,
    /// The fingerprint of the definition.
    pub fingerprint: Fingerprint,
    /// Whether the person has left it switched on.
    pub on: bool,
    /// Other servers that have a tool of the same name.
    pub also_on: Vec<ServerId>,
    /// Why calls of it cannot be checked, if its input schema cannot be used.
    pub schema_problem: Option<String>,
}

/// What another application's configuration holds.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportPreview {
    /// The key under which servers stood: `mcpServers` or `servers`.
    pub format: String,
    /// Each entry, usable or not, in the order of the text.
    pub entries: Vec<ImportEntry>,
}

/// One entry of another application's configuration.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportEntry {
    /// Its name in the text.
    pub source_name: String,
    /// The name that we would keep it under: allowed and free.
    pub name: ServerId,
    /// What it would run or call; values that look secret are already references. Absent if the entry is unusable.
    pub review: Option<Review>,
    /// Names of settings that will go to the keyring.
    pub secrets: Vec<String>,
    /// Keys that were passed over, such as approvals given in the other application.
    pub ignored: Vec<String>,
    /// Why it cannot be used.
    pub problem: Option<String>,
}

/// An entry that a person has chosen.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportChoice {
    /// Its name in the text.
    pub source_name: String,
    /// The name to keep it under.
    pub name: String,
}

/// What came of an import.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportOutcome {
    /// Servers that were kept, all of them off.
    pub added: Vec<ServerView>,
    /// Entries that were not kept, and why.
    pub failed: Vec<ImportFailure>,
}

/// An entry that was not kept.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportFailure {
    /// Its name in the text.
    pub source_name: String,
    /// Why.
    pub error: HostError,
}

/// A call that runs or waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunningCall {
    /// Which call.
    pub call: CallId,
    /// Who asked.
    pub caller: Caller,
    /// Which server.
    pub server: ServerId,
    /// Which tool.
    pub tool: ToolName,
    /// When it was asked for.
    pub since: Timestamp,
    /// Whether it waits for a person.
    pub waiting: bool,
}

/// The exported log.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Export {
    /// A name for the file.
    pub file_name: String,
    /// Its text.
    pub text: String,
}

/// What went wrong: a code for the machine, a sentence for the person, a hint for the next step.
///
/// Surfaces branch on `code`; `message` and `hint` are English and meant for the terminal and the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{message}")]
pub struct HostError {
    /// What went wrong.
    pub code: ErrorCode,
    /// One sentence.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Why a call was not allowed, where that is what went wrong.
    pub refusal: Option<Refusal>,
}

/// What went wrong. Every code has a title, a sentence and an action in every message catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The request itself is malformed.
    BadRequest,
    /// No server of this name.
    UnknownServer,
    /// No such tool on this server.
    UnknownTool,
    /// No such question, or it was answered or lapsed.
    UnknownQuestion,
    /// No such grant, or it was taken back.
    UnknownGrant,
    /// No such call, or it has ended.
    UnknownCall,
    /// No such record.
    UnknownRecord,
    /// The name cannot be used.
    BadName,
    /// Another server has this name.
    NameTaken,
    /// The command is empty or holds a character that no command can.
    BadCommand,
    /// The address cannot be used.
    BadUrl,
    /// The name of a setting cannot be used.
    BadSetting,
    /// The path is not an absolute path of a folder.
    BadPath,
    /// A built-in server cannot be edited or removed.
    BuiltIn,
    /// A secret is too short to be covered in texts.
    SecretTooShort,
    /// There is no keyring.
    KeyringMissing,
    /// The keyring refused or did not answer.
    KeyringFailed,
    /// A secret that the server needs is not there any more.
    SecretLost,
    /// The configuration is not JSON.
    ImportNotJson,
    /// The configuration holds no servers.
    ImportNoServers,
    /// A person must review the server first.
    ReviewNeeded,
    /// The server is off.
    ServerOff,
    /// The command was not found.
    CommandNotFound,
    /// The file cannot be executed.
    NotExecutable,
    /// The working directory is not there.
    NoWorkingDirectory,
    /// A part of the program is missing from where it was installed.
    ProgramIncomplete,
    /// The process ended before it answered the first message.
    ExitedAtStart,
    /// The server did not answer the first message in time.
    StartTimedOut,
    /// The server wrote something that is not the protocol and no answer.
    NotProtocol,
    /// The address cannot be reached.
    Unreachable,
    /// The server wants to know who is asking.
    NeedsSignIn,
    /// The server answered with an HTTP status that is not the protocol's.
    HttpStatus,
    /// The server ended, or the connection was lost, in the middle.
    ConnectionLost,
    /// The server did not answer in time.
    TimedOut,
    /// The server sent a message that is too long.
    MessageTooLong,
    /// The server answered with a protocol error.
    ServerError,
    /// The call was cancelled.
    Cancelled,
    /// The call was not allowed.
    Refused,
    /// Only an approver may answer questions.
    NotAnApprover,
    /// This answer does not fit this question.
    BadAnswer,
    /// The log cannot be written.
    LogNotWritable,
    /// The log was changed from outside.
    LogNotIntact,
    /// The database is locked by something else.
    DatabaseLocked,
    /// The database or its folder cannot be written.
    DatabaseReadOnly,
    /// The database is from a newer version.
    DatabaseNewer,
    /// The database is damaged.
    DatabaseDamaged,
    /// Another Majordomo runs on this data directory.
    AlreadyRunning,
    /// The host is shutting down.
    ShuttingDown,
    /// The request took too long.
    TooSlow,
    /// Something that should not happen.
    Internal,
}

/// Something that happened, with its number. A gap in the numbers means: ask for a snapshot again.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Numbered {
    /// One more than the event before.
    #[ts(type = "number")]
    pub seq: u64,
    /// What happened.
    pub event: HostEvent,
}

/// Something that happened.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum HostEvent {
    /// A server was added, edited or changed its state.
    ServerChanged {
        /// The server as it is now.
        server: Box<ServerView>,
    },
    /// A server was removed.
    ServerRemoved {
        /// Which one.
        server: ServerId,
    },
    /// A server's tools, or their switches, are not what they were.
    ToolsChanged {
        /// Which server.
        server: ServerId,
    },
    /// A server wrote on its standard error.
    ServerWrote {
        /// Which one.
        server: ServerId,
        /// New lines; values of held secrets are covered.
        lines: Vec<String>,
    },
    /// A question waits for a person.
    QuestionAsked {
        /// The question.
        question: Box<Question>,
    },
    /// A question does not wait any more.
    QuestionClosed {
        /// Which one.
        question: QuestionId,
    },
    /// A call began or came to wait, or waits no more.
    CallChanged {
        /// The call.
        call: RunningCall,
    },
    /// A running call reports progress.
    CallProgress {
        /// Which call.
        call: CallId,
        /// How far.
        progress: f64,
        /// Of how much.
        total: Option<f64>,
        /// In the server's words.
        message: Option<String>,
    },
    /// A call ended.
    CallEnded {
        /// Which call.
        call: CallId,
        /// How.
        outcome: Outcome,
    },
    /// A person said yes for later calls.
    GrantMade {
        /// To what.
        grant: Box<Grant>,
    },
    /// A person took a grant back.
    GrantRevoked {
        /// Which one.
        grant: GrantId,
    },
    /// The log has a new row, or a row has changed.
    ActivityChanged {
        /// The row.
        row: ActivityRow,
    },
}

/// How long a call may take without progress.
pub const CALL_DEADLINE: Duration = Duration::from_secs(60);
/// How long a call may take at all, a person's thinking left out.
pub const CALL_MAXIMUM: Duration = Duration::from_secs(600);
/// How long a server may take to answer its first message.
pub const START_DEADLINE: Duration = Duration::from_secs(60);
