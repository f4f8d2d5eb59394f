//! What kind of host this is, and everything that a surface needs on connecting.

use super::{
    ActivityRow, AskRefusal, ConversationView, LoggedLine, Outcome, ReplyPiece, ServerView,
    WorkspaceView,
};
use policy::{Grant, Question};
use protocol::{
    CallId, Caller, ConversationId, GrantId, QuestionId, ServerId, Timestamp, ToolName,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

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
    /// Calls of which nobody knows what became of them, and which no person has seen yet. They are
    /// never made again by themselves. The oldest of them: at most 100, with at most 4 MiB of what was
    /// sent.
    pub unknown: Vec<UnknownCall>,
    /// How many more of these there are.
    #[serde(default)]
    pub unknown_more: u32,
    /// All workspaces, by name.
    pub workspaces: Vec<WorkspaceView>,
    /// Everyone who can ask for something or has: the window, the terminal, and the newest that the
    /// log or an approval knows.
    pub callers: Vec<Caller>,
}

/// A call that was sent and has no outcome, because Majordomo or the connection ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct UnknownCall {
    /// Which call.
    pub call: CallId,
    /// Who asked.
    pub caller: Caller,
    /// Which server.
    pub server: ServerId,
    /// Which tool.
    pub tool: ToolName,
    /// When it was sent.
    pub sent_at: Timestamp,
    /// What was sent; values of held secrets are covered.
    #[ts(type = "Record<string, unknown>")]
    pub arguments: Map<String, Value>,
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
    /// The task that the server made of it, in the server's words; it goes on without us and is
    /// asked about.
    pub task: Option<String>,
}

/// The exported log.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct LogExport {
    /// A name for the file.
    pub file_name: String,
    /// Its text.
    pub text: String,
    /// How many records it holds.
    #[ts(type = "number")]
    pub records: u64,
    /// How many it should hold and does not: they were moved out and are not in the archive any
    /// more, or are no records any more.
    #[ts(type = "number")]
    pub missing: u64,
}

/// Something that happened, with its number. A gap in the numbers means: ask for a snapshot again.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EventEnvelope {
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
    /// A server's resources or prompts are not what they were.
    OffersChanged {
        /// Which server.
        server: ServerId,
    },
    /// A watched resource is not what it was.
    ResourceUpdated {
        /// Which server.
        server: ServerId,
        /// Its address.
        uri: String,
    },
    /// A server logged by the protocol.
    ServerLogged {
        /// Which one.
        server: ServerId,
        /// Because of whom: whose calls ran there, and nobody else's. None where nothing ran, or
        /// calls of several did.
        caller: Option<Caller>,
        /// New lines; values of held secrets are covered.
        lines: Vec<LoggedLine>,
    },
    /// There are new messages between Majordomo and a server.
    ExchangeGrew {
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
    /// A server asked for something for which nobody may be asked, and was refused.
    AskRefused {
        /// Which server.
        server: ServerId,
        /// The calls that run on it now; one of them is the cause. None where nothing ran.
        during: Vec<CallId>,
        /// Why.
        why: AskRefusal,
        /// How often; more than once where a flood is told as a number.
        times: u32,
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
    /// A grant holds no more without anyone taking it back: its time or its number of calls is
    /// over, or nobody used it.
    GrantLapsed {
        /// Which one.
        grant: GrantId,
    },
    /// The rules are not what they were.
    PolicyChanged,
    /// There are other workspaces, or another one is in use.
    WorkspacesChanged {
        /// All of them, by name.
        workspaces: Vec<WorkspaceView>,
    },
    /// Other applications may come in that could not before, or not any more, or one of them has
    /// come in or was sent away.
    ClientsChanged,
    /// Models were set up, changed or removed.
    ModelsChanged,
    /// Assistants were made, changed or removed.
    AssistantsChanged,
    /// Something was said or done in a conversation with a model, or it is called something else.
    ConversationChanged {
        /// The conversation as it is now.
        conversation: Box<ConversationView>,
    },
    /// A reply of a model grew.
    ReplyGrew {
        /// In which conversation.
        conversation: ConversationId,
        /// By what.
        piece: ReplyPiece,
    },
    /// A conversation was deleted.
    ConversationDeleted {
        /// Which one.
        conversation: ConversationId,
    },
    /// Calls of which nobody knows what became of them are not the same as before.
    UnknownChanged {
        /// The oldest of them, as in the snapshot.
        unknown: Vec<UnknownCall>,
        /// How many more there are.
        more: u32,
    },
    /// The log has a new row, or a row has changed.
    ActivityChanged {
        /// The row.
        row: ActivityRow,
    },
}
