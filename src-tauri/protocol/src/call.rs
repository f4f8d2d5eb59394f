//! A request to run a tool, before anyone has decided about it.

use crate::{CallId, Fingerprint, ServerId, ToolName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// Who asks. A grant given to one caller says nothing about another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Caller {
    /// The person, in the window.
    Window,
    /// Whoever runs `majordomoctl`: a person or a program.
    Terminal,
}

impl Caller {
    /// A short stable text for tables and the log.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Terminal => "terminal",
        }
    }
}

/// A call that somebody wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Chosen by the surface, so that it can follow and cancel the call.
    pub id: CallId,
    /// Who asks.
    pub caller: Caller,
    /// Which server, by our name.
    pub server: ServerId,
    /// Which of its tools.
    pub tool: ToolName,
    /// The arguments, exactly as they would be sent.
    pub arguments: Map<String, Value>,
}

impl ToolCall {
    /// The fingerprint of the arguments: two calls with the same one send the same thing.
    pub fn arguments_fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&Value::Object(self.arguments.clone()))
    }
}
