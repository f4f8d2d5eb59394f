//! Calls of tools.

use crate::run_to_completion::run_to_completion;
use api::ErrorCode;
use api::{CallResult, HostError};
use calls::Calls;
use calls::call_tool::call_tool;
use protocol::{CallId, ServerId, ToolCall, ToolName};
use serde_json::{Map, Value};
use servers::{Surface, error};
use tokio_util::sync::CancellationToken;

/// The number of a call.
pub(crate) enum Number {
    /// As whoever asks for it has chosen it.
    Chosen(CallId),
    /// As the host or a surface of it has drawn it: no two are the same.
    Drawn(CallId),
}

/// Calls a tool and waits for the end. If whoever waits goes away, the call is cancelled.
pub(crate) async fn call(
    calls: &Calls,
    surface: &Surface,
    number: Number,
    server: ServerId,
    tool: ToolName,
    arguments: Map<String, Value>,
) -> Result<CallResult, HostError> {
    let id = match number {
        Number::Chosen(id) if !well_formed(&id) => {
            return Err(error::host(
                ErrorCode::BadRequest,
                "a call's number is `call-` and 16 hexadecimal digits",
            ));
        }
        Number::Chosen(id) if calls.store().audit().is_taken(&id).await? => {
            return Err(error::host(
                ErrorCode::BadRequest,
                format!("there was a call {id} already; every call has a number of its own"),
            ));
        }
        Number::Chosen(id) | Number::Drawn(id) => id,
    };
    let stop = CancellationToken::new();
    let _cancel_when_dropped = stop.clone().drop_guard();
    let call = ToolCall {
        id,
        caller: surface.caller.clone(),
        conversation: surface.conversation.clone(),
        by_hand: surface.is_by_hand(),
        server,
        tool,
        arguments,
    };
    let calls = calls.clone();
    // To its end even when the surface has gone, so that the trace is closed.
    let ended = run_to_completion(async move { call_tool(&calls, call, stop).await }).await;
    ended.unwrap_or_else(|| {
        let message = "the call ended unexpectedly; what it did is not known";
        Err(error::host(ErrorCode::Internal, message))
    })
}

fn well_formed(id: &CallId) -> bool {
    id.as_str().strip_prefix("call-").is_some_and(|digits| {
        digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    })
}
