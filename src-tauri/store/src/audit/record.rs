//! What the log records. Values of held secrets are covered before an entry is made.

use super::Outcome;
use policy::{Permission, Refusal, Scope};
use protocol::{CallId, Caller, Fingerprint, GrantId, Launch, QuestionId, RunId, ServerId, Timestamp, ToolName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When.
    pub at: Timestamp,
    /// In which call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallId>,
    /// Who asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// Which server it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerId>,
    /// Which tool it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolName>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// A call may run and is about to.
    CallOpened {
        /// What is sent, secrets covered.
        arguments: Map<String, Value>,
        /// The fingerprint of what is sent.
        arguments_fingerprint: Fingerprint,
        /// The tool's definition.
        tool_fingerprint: Fingerprint,
        /// How the server is reached.
        launch_fingerprint: Fingerprint,
        /// On whose word.
        permission: Permission,
    },
    /// A call that was opened has ended.
    CallClosed {
        /// How.
        outcome: Outcome,
        /// Milliseconds from beginning to end.
        duration_ms: u64,
        /// What failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A call was not allowed.
    CallRefused {
        /// What would have been sent, secrets covered.
        arguments: Map<String, Value>,
        /// Why not.
        refusal: Refusal,
        /// Milliseconds from the call to the refusal.
        duration_ms: u64,
    },
    /// A question was put to a person.
    QuestionAsked {
        /// Which one.
        question: QuestionId,
    },
    /// A question has ended.
    QuestionAnswered {
        /// Which one.
        question: QuestionId,
        /// How: `allow_once`, `deny`, `form_accept`, `lapsed`, …
        answer: String,
        /// Who answered, and where.
        approver: String,
        /// In their words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A person said yes for later calls.
    GrantMade {
        /// The grant.
        grant: GrantId,
        /// How far it goes.
        scope: Scope,
    },
    /// A person took a grant back.
    GrantRevoked {
        /// The grant.
        grant: GrantId,
    },
    /// A server was added.
    ServerAdded {
        /// How it is reached.
        launch: Launch,
    },
    /// It was changed how a server is reached.
    ServerEdited {
        /// How it is reached now.
        launch: Launch,
    },
    /// A person accepted a server's review.
    ServerReviewed {
        /// What they accepted.
        fingerprint: Fingerprint,
    },
    /// A server was switched on or off.
    ServerSwitched {
        /// On?
        on: bool,
    },
    /// A server was removed.
    ServerRemoved,
    /// A server was given a folder.
    RootAdded {
        /// Its path.
        path: String,
    },
    /// A folder was taken from a server.
    RootRemoved {
        /// Its path.
        path: String,
    },
    /// A tool was switched on or off.
    ToolSwitched {
        /// On?
        on: bool,
    },
    /// The host started.
    HostStarted {
        /// Its version.
        version: String,
        /// This run's number.
        run: RunId,
    },
    /// The host ended in order.
    HostStopped,
    /// The end of the log was not a whole record and was moved aside, as after a loss of power.
    TailRepaired {
        /// How many bytes were moved.
        bytes: u64,
        /// Their SHA-256, hexadecimal.
        sha256: String,
    },
}

/// A record that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Its number, from 1 and without gaps.
    pub seq: u64,
}

/// How safe a record is when `append` returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// With the system: killing the host loses nothing, a loss of power at most the last 50 milliseconds.
    Grouped,
    /// On the disk.
    Synced,
}

impl Event {
    /// The event's name, as in the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::CallOpened { .. } => "call_opened",
            Self::CallClosed { .. } => "call_closed",
            Self::CallRefused { .. } => "call_refused",
            Self::QuestionAsked { .. } => "question_asked",
            Self::QuestionAnswered { .. } => "question_answered",
            Self::GrantMade { .. } => "grant_made",
            Self::GrantRevoked { .. } => "grant_revoked",
            Self::ServerAdded { .. } => "server_added",
            Self::ServerEdited { .. } => "server_edited",
            Self::ServerReviewed { .. } => "server_reviewed",
            Self::ServerSwitched { .. } => "server_switched",
            Self::ServerRemoved => "server_removed",
            Self::RootAdded { .. } => "root_added",
            Self::RootRemoved { .. } => "root_removed",
            Self::ToolSwitched { .. } => "tool_switched",
            Self::HostStarted { .. } => "host_started",
            Self::HostStopped => "host_stopped",
            Self::TailRepaired { .. } => "tail_repaired",
        }
    }
}
