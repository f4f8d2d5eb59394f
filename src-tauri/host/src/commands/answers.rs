//! What was left out of answers, for the person.

use crate::api::{ErrorCode, Export, HostError};
use crate::{Host, Surface, error};
use protocol::{CallId, ToolAnswer};
use store::{Entry, Event};

/// An answer with the marks for credentials and personal numbers taken off. Held secrets stay covered.
pub(crate) async fn reveal(host: &Host, call: &CallId, surface: &Surface) -> Result<ToolAnswer, HostError> {
    if !surface.is_person(host) {
        return Err(error::host(ErrorCode::OnlyForThePerson, "what was covered is shown in the window, or on a terminal that may approve"));
    }
    let gone = || error::host(ErrorCode::UnknownAnswer, format!("nothing that was covered in the answer of {call} is known"));
    let (about, answer) = host.answers().readable(call).ok_or_else(gone)?;
    // Written before it is shown.
    let entry = Entry {
        at: host.now(),
        call: Some(call.clone()),
        caller: Some(surface.caller.clone()),
        approver: Some(surface.decides().to_owned()),
        server: Some(about.server),
        tool: Some(about.tool),
        event: Event::AnswerRevealed,
    };
    host.record_synced(entry).await?;
    Ok(answer)
}

/// All of an answer of which only a part was passed on, with everything covered that was covered there.
pub(crate) async fn full(host: &Host, call: &CallId) -> Result<Export, HostError> {
    let text = host.store().answers().read(call).await?;
    Ok(Export { file_name: format!("{}.txt", call.as_str()), text })
}
