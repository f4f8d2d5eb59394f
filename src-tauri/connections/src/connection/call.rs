//! One call, from the permitted call to the answer.

use super::request::Patience;
use super::rounds::{Outcome, Round, Wanted, drive};
use super::{Inner, list, task};
use crate::{ConnectionError, Follow, wire};
use policy::PermittedCall;
use protocol::ToolResult;
use serde_json::{Map, Value};
use std::sync::PoisonError;

/// `HeaderMismatch` of 2026-07-28: the headers do not fit the tool as it is now.
const HEADER_MISMATCH: i32 = -32_020;

/// Runs a tool, or goes on with it at a round, and waits for its answer.
pub(super) async fn call(
    inner: &Inner,
    call: PermittedCall,
    open: Option<Round>,
    follow: Follow,
) -> Result<ToolResult, ConnectionError> {
    let call = call.into_call();
    let mut patience = Patience::new(inner, follow);
    let mut params = Map::from_iter([("name".to_owned(), call.tool.as_str().into())]);
    params.insert(
        "arguments".to_owned(),
        Value::Object(call.arguments.clone()),
    );
    let wanted = || Wanted {
        method: "tools/call",
        params: params.clone(),
        call: Some(call.id.clone()),
        parameters: inner
            .parameters
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&call.tool)
            .map(|parameters| parameters.of(&call.arguments))
            .unwrap_or_default(),
    };
    let outcome = match drive(inner, wanted(), open, &mut patience).await {
        // Nothing was run: the server refused the envelope. With the list as it is now the headers
        // fit.
        Err(error) if inner.over_http && error.rpc_code() == Some(HEADER_MISMATCH) => {
            inner.cache.clear();
            list::tools(inner).await?;
            drive(inner, wanted(), None, &mut patience).await?
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
