//! Calls of tools, and what came of them.

use crate::commands::calls::Number;
use crate::commands::{answers, calls};
use ::calls::Calls;
use ::calls::unknown_outcomes;
use ::servers::Surface;
use api::{
    CallResult, CallTool, CancelCall, FullResult, HostError, NoteUnknown, ReadFullAnswer,
    RevealAnswer,
};
use protocol::{CallId, ToolResult};

pub(crate) async fn call_tool(
    calls: &Calls,
    CallTool {
        call,
        server,
        tool,
        arguments,
    }: CallTool,
    surface: &Surface,
) -> Result<CallResult, HostError> {
    let number = match call {
        Some(call) => Number::Chosen(call),
        None => Number::Drawn(CallId::random()),
    };
    calls::call(calls, surface, number, server, tool, arguments).await
}

pub(crate) async fn cancel_call(
    calls: &Calls,
    CancelCall { call }: CancelCall,
    _: &Surface,
) -> Result<(), HostError> {
    calls.running().cancel(&call)
}

pub(crate) async fn note_unknown(
    calls: &Calls,
    NoteUnknown { call }: NoteUnknown,
    surface: &Surface,
) -> Result<(), HostError> {
    unknown_outcomes::note(calls, &call, surface).await
}

pub(crate) async fn reveal_answer(
    calls: &Calls,
    RevealAnswer { call }: RevealAnswer,
    surface: &Surface,
) -> Result<ToolResult, HostError> {
    answers::reveal(calls, &call, surface).await
}

pub(crate) async fn full_answer(
    calls: &Calls,
    ReadFullAnswer { call }: ReadFullAnswer,
    _: &Surface,
) -> Result<FullResult, HostError> {
    answers::full(calls, &call).await
}
