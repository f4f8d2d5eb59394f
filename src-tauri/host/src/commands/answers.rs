//! What was left out of answers, for the person.

use api::{ErrorCode, FullResult, HostError};
use calls::Calls;
use protocol::{CallId, Content, ToolResult};
use servers::{Core, Surface, error};
use store::{Entry, Event};

/// An answer with the marks for credentials and personal numbers taken off. Held secrets stay
/// covered.
pub(crate) async fn reveal(
    calls: &Calls,
    call: &CallId,
    surface: &Surface,
) -> Result<ToolResult, HostError> {
    let gone = || {
        error::host(
            ErrorCode::UnknownAnswer,
            format!("nothing that was covered in the answer of {call} is known"),
        )
    };
    let (about, answer) = calls.redacted_results().readable(call).ok_or_else(gone)?;
    // Written before it is shown.
    let entry = Entry {
        call: Some(call.clone()),
        server: Some(about.server),
        tool: Some(about.tool),
        ..surface.decided(calls, Event::AnswerRevealed)
    };
    calls.record_synced(entry).await?;
    Ok(answer)
}

/// All of an answer of which only a part was passed on, or for which nobody waited, with everything
/// covered that was covered there.
pub(crate) async fn full(core: &Core, call: &CallId) -> Result<FullResult, HostError> {
    let result = core.store().full_results().read(call).await?;
    let is_text = |part: &Content| matches!(part, Content::Text { .. });
    let only_text = result.structured.is_none() && result.content.iter().all(is_text);
    Ok(FullResult {
        file_name: format!("{}.txt", call.as_str()),
        text: result.as_text().into_owned(),
        result: (!only_text).then_some(result),
    })
}
