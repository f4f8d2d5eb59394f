//! What Codex asks beyond the protocol, where it is a server (`codex mcp-server`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// What Codex wants to be allowed. It asks with a form that has no fields, and says beside it what
/// the form is about.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct CodexApproval {
    /// A command and its arguments; empty where it is about none.
    pub command: Vec<String>,
    /// The folder in which the command is to run.
    pub folder: Option<String>,
    /// What is to be done to files, each by its path, as Codex says it.
    #[ts(type = "Record<string, unknown>")]
    pub changes: Map<String, Value>,
    /// A folder in which it then may write without a further question, as long as its session lasts.
    pub writes_in: Option<String>,
}
