//! Calls of tools.

use crate::api::{Answered, HostError};
use crate::call_tool::call_tool;
use crate::{ErrorCode, Host, error, left_over};
use protocol::{CallId, Caller, ServerId, ToolCall, ToolName};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

/// Calls a tool and waits for the end. If whoever waits goes away, the call is cancelled.
pub(crate) async fn call(
    host: &Host,
    caller: Caller,
    id: Option<CallId>,
    server: ServerId,
    tool: ToolName,
    arguments: Map<String, Value>,
) -> Result<Answered, HostError> {
    let id = match id {
        Some(id) if !well_formed(&id) => {
            return Err(error::host(ErrorCode::BadRequest, "a call's number is `call-` and 16 hexadecimal digits"));
        }
        Some(id) if left_over::knows(host, &id).await? => {
            return Err(error::host(ErrorCode::BadRequest, format!("there was a call {id} already; every call has a number of its own")));
        }
        Some(id) => id,
        None => CallId::random(),
    };
    let stop = CancellationToken::new();
    let _cancel_when_dropped = stop.clone().drop_guard();
    // In a task of its own, so that the trace is closed even when the surface has gone.
    let (host, call) = (host.clone(), ToolCall { id, caller, server, tool, arguments });
    let task = tokio::spawn(async move { call_tool(&host, call, stop).await });
    task.await.map_err(|problem| error::host(ErrorCode::Internal, format!("the call ended unexpectedly: {problem}")))?
}

fn well_formed(id: &CallId) -> bool {
    id.as_str().strip_prefix("call-").is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}
