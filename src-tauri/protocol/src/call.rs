//! A request to run a tool, before anyone has decided about it.

use crate::{CallId, Caller, ConversationId, ServerId, ToolName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A call that somebody wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct ToolCall {
    /// Chosen by the surface, so that it can follow and cancel the call.
    pub id: CallId,
    /// Who asks.
    pub caller: Caller,
    /// In which of its conversations. The host chooses it for the surface, never the caller.
    pub conversation: ConversationId,
    /// Whether a person fills it in by hand, where nothing that a stranger said is in between.
    pub by_hand: bool,
    /// Which server, by our name.
    pub server: ServerId,
    /// Which of its tools.
    pub tool: ToolName,
    /// The arguments, exactly as they would be sent.
    pub arguments: Map<String, Value>,
}

/// A call as it was written down. What was written before conversations were is in the only one of
/// its caller, and counts as filled in by nobody.
#[derive(Deserialize)]
struct Written {
    id: CallId,
    caller: Caller,
    conversation: Option<ConversationId>,
    #[serde(default)]
    by_hand: bool,
    server: ServerId,
    tool: ToolName,
    arguments: Map<String, Value>,
}

impl From<Written> for ToolCall {
    fn from(written: Written) -> Self {
        let Written {
            id,
            caller,
            conversation,
            by_hand,
            server,
            tool,
            arguments,
        } = written;
        Self {
            conversation: conversation.unwrap_or_else(|| caller.conversation()),
            id,
            caller,
            by_hand,
            server,
            tool,
            arguments,
        }
    }
}
