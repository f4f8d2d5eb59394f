//! What a caller gets for a call.

use super::AskRefusal;
use inspect::Finding;
use protocol::{CallId, Label, Timestamp, ToolResult};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A tool's result as it is passed on, with what this host knows about it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct CallResult {
    /// Of which call.
    pub call: CallId,
    /// When it came.
    pub at: Timestamp,
    /// The result.
    #[serde(flatten)]
    pub answer: ToolResult,
    /// What was found in it, the worst first. Places are JSON pointers into this answer, such as
    /// `/content/0/text`.
    pub findings: Vec<Finding>,
    /// Where it came from, how far it may be believed, and who may read it.
    pub label: Label,
    /// Whether the person can have shown what was covered by marks, until the application ends.
    pub revealable: bool,
    /// Whether all of it is kept on the disk for the person, because only a part is passed on.
    pub whole_kept: bool,
    /// Milliseconds that the call ran, without those in which a person was asked something; absent
    /// where it is unknown.
    #[ts(type = "number | null")]
    pub ran_ms: Option<u64>,
    /// What the server asked for meanwhile and was refused without a question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<AskRefusal>>", optional)]
    pub refused_asks: Vec<AskRefusal>,
}

/// All of an answer of which only a part was passed on, or for which nobody waited.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct FullResult {
    /// A name for a file of its text.
    pub file_name: String,
    /// What can be read of it.
    pub text: String,
    /// All its parts, if it has others than text.
    pub result: Option<ToolResult>,
}
