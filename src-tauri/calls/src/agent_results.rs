//! What came of the calls of conversations with models, from before the log says that they were
//! carried out until a journal has it: whenever the application ends, the next run finds it.

use crate::Calls;
use api::{CallResult, HostError};
use protocol::{CallId, CallerKind, Label, Timestamp, ToolCall, ToolResult};
use serde::{Deserialize, Serialize};

/// What came of a call, as its caller gets it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentResult {
    /// The answer, cleaned and covered.
    pub answer: ToolResult,
    /// From whom it is, how far it may be believed, and who may read it.
    pub label: Label,
    /// When it came.
    pub at: Timestamp,
}

/// Saves what came of a call, if it is one of a conversation with a model.
pub(crate) async fn save(calls: &Calls, call: &ToolCall, result: &CallResult) {
    if *call.caller.kind() != CallerKind::Agent {
        return;
    }
    let result = AgentResult {
        answer: result.answer.clone(),
        label: result.label.clone(),
        at: result.at,
    };
    let conversations = calls.store().conversations();
    let saved = match serde_json::to_string(&result) {
        Ok(body) => {
            conversations
                .save_result(&call.conversation, &call.id, body)
                .await
        }
        Err(problem) => {
            tracing::warn!(call = %call.id, %problem, "what came of a call could not be written");
            return;
        }
    };
    if let Err(problem) = saved {
        tracing::warn!(call = %call.id, %problem, "what came of a call could not be kept; it is lost if the application ends now");
    }
}

/// What came of a call of an earlier run that no journal has; nothing where it was not saved.
///
/// Fails where the database cannot be read.
pub async fn read(calls: &Calls, call: &CallId) -> Result<Option<AgentResult>, HostError> {
    let body = calls.store().conversations().result(call).await?;
    // What cannot be read again was nested too deeply.
    Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
}
