//! One call, from the permitted call to the answer.
//!
//! Always true here: what is sent is made of the permission, and of nothing that the server has
//! listed since.

use super::request::Patience;
use super::rounds::{Outcome, Round, Wanted, drive};
use super::{Inner, list, task};
use crate::conversation::Tool;
use crate::{ConnectionError, Follow, wire};
use futures::FutureExt as _;
use policy::PermittedCall;
use protocol::{Era, HeaderParameters, ToolResult, ToolSpec};
use serde_json::Map;

/// `HeaderMismatch` of 2026-07-28: the headers do not fit the tool as it is now.
const HEADER_MISMATCH: i32 = -32_020;

/// Runs a tool, or goes on with it at a round, and waits for its answer.
pub(super) async fn call(
    inner: &Inner,
    call: PermittedCall,
    open: Option<Round>,
    follow: Follow,
) -> Result<ToolResult, ConnectionError> {
    let (call, tool) = call.into_parts();
    let mut patience = Patience::new(inner, follow);
    let parameters = parameters(inner, &tool)?;
    let wanted = Wanted {
        method: "tools/call",
        tool: Some(Tool {
            name: &call.tool,
            arguments: &call.arguments,
        }),
        params: Map::new(),
        call: Some(call.id.clone()),
        number: None,
        parameters: parameters.of(&call.arguments),
    };
    let outcome = match drive(inner, wanted, open, &mut patience).await {
        Err(error) if inner.has_headers() && error.rpc_code() == Some(HEADER_MISMATCH) => {
            let refused = refused_envelope(inner, &tool, &parameters, error);
            // Hardly any call comes here.
            return Err(refused.boxed().await);
        }
        outcome => outcome?,
    };
    let result = match outcome {
        Outcome::Done(result) => result,
        Outcome::Task(result) => {
            task::follow(inner, task::Task::begun(result, &call.id)?, &mut patience).await?
        }
    };
    wire::tool_result(result).map_err(ConnectionError::unreadable)
}

/// Which arguments travel as headers, by the definition that was approved.
fn parameters(inner: &Inner, tool: &ToolSpec) -> Result<HeaderParameters, ConnectionError> {
    if !inner.has_headers() {
        return Ok(HeaderParameters::default());
    }
    // Such a tool is not listed over HTTP; it may have been approved in another way of reaching it.
    HeaderParameters::read(&tool.input_schema).map_err(|problem| ConnectionError::BadUrl {
        problem: format!("an argument cannot travel as the header that it should be: {problem}"),
    })
}

/// The server refused the headers before it ran anything. They are those of the definition that was
/// approved, so they are not made anew from another: the list is read again, and a tool that wants
/// other headers by now has changed.
async fn refused_envelope(
    inner: &Inner,
    tool: &ToolSpec,
    parameters: &HeaderParameters,
    refused: ConnectionError,
) -> ConnectionError {
    inner.cache.clear();
    let listed = match list::tools(inner).await {
        Ok(listed) => listed,
        Err(error) => return error,
    };
    // Whatever has changed, the host compares it with what was approved.
    inner.conversation.handler().tools_changed();
    let now = listed.iter().find(|now| now.name == tool.name);
    let now = now.and_then(|now| HeaderParameters::read(&now.input_schema).ok());
    if now.is_some_and(|now| now.is_same(parameters)) {
        refused
    } else {
        ConnectionError::ToolChanged
    }
}

impl Inner {
    /// Whether arguments may be headers too: over HTTP, in the newer era.
    pub(super) fn has_headers(&self) -> bool {
        self.over_http && self.initialize_result.era == Era::Modern
    }
}
