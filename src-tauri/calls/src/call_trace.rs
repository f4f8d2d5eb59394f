//! The trace of a call in the log: opened before it is sent, closed with its end.
//!
//! Always true here: values of secrets are covered before anything is written or hashed.

use crate::Calls;
use crate::took::{Moments, Took};
use crate::unwritten::Late;
use api::{CallResult, ErrorCode, HostError, Outcome};
use policy::{PermittedCall, Refusal};
use protocol::{Fingerprint, Timestamp, ToolCall};
use servers::{Core, error, granted};
use store::{CallClosed, CallOpened, Entry, Event, WaitingCall};

/// Writes to the log how a call has ended, and returns how long it took.
pub(crate) fn close_with(
    calls: &Calls,
    call: &ToolCall,
    result: &Result<CallResult, HostError>,
    moments: Moments,
) -> Took {
    close_trace(calls, call, outcome(result), result.as_ref().err(), moments)
}

/// The same of a call of which more is known than its result says.
pub(crate) fn close_trace(
    calls: &Calls,
    call: &ToolCall,
    outcome: Outcome,
    error: Option<&HostError>,
    moments: Moments,
) -> Took {
    let took = moments.took(calls, &call.id);
    let event = Event::CallClosed(CallClosed {
        outcome,
        duration_ms: took.duration_ms,
        waited_ms: took.waited_ms,
        ran_ms: took.ran_ms,
        error: error.map(|error| error.message.clone()),
    });
    record_end(calls, about(call, calls.now(), event));
    took
}

/// Writes to the log that a call is about to be sent. What cannot be written is not sent.
pub(crate) fn open_trace(core: &Core, permitted: &PermittedCall) -> Result<u64, HostError> {
    let call = permitted.call();
    let mut arguments = call.arguments.clone();
    // Masked before anything is hashed, or the hash of a short secret could be tried out.
    core.secrets().masker().mask_map(&mut arguments);
    let event = Event::CallOpened(CallOpened {
        arguments_fingerprint: Fingerprint::of_object(&arguments),
        arguments,
        tool_fingerprint: permitted.tool_fingerprint().clone(),
        launch_fingerprint: permitted.launch_fingerprint().clone(),
        permission: permitted.permission().clone(),
    });
    core.record(about(call, core.now(), event))
}

/// Writes to the log that a call does not run, and makes the error of it.
pub(crate) fn refuse(
    calls: &Calls,
    call: &ToolCall,
    refusal: Refusal,
    moments: Moments,
) -> HostError {
    let masker = calls.secrets().masker();
    let mut arguments = call.arguments.clone();
    masker.mask_map(&mut arguments);
    let refusal = error::masked_refusal(refusal, &masker);
    granted::note_refused(calls, &call.server, &refusal);
    let took = moments.took(calls, &call.id);
    let event = Event::CallRefused {
        arguments,
        refusal: refusal.clone(),
        duration_ms: took.duration_ms,
        waited_ms: took.waited_ms,
    };
    record_end(calls, about(call, calls.now(), event));
    error::refused(refusal)
}

/// Writes the end of a call to the log, later if it cannot be written now.
fn record_end(calls: &Calls, end: Entry) {
    if let Err(error) = calls.record(end.clone()) {
        tracing::error!(call = ?end.call, %error, "the end of a call cannot be written to the log now; nothing new begins before it is");
        calls.unwritten().keep(Late::Record(Box::new(end)));
    }
}

/// What the log says of a call of an earlier run.
pub(crate) fn entry_of(about: &WaitingCall, at: Timestamp, event: Event) -> Entry {
    Entry {
        call: Some(about.call.clone()),
        caller: Some(about.caller.clone()),
        server: Some(about.server.clone()),
        tool: Some(about.tool.clone()),
        ..Entry::new(at, event)
    }
}

/// What the log says of a call.
pub fn about(call: &ToolCall, at: Timestamp, event: Event) -> Entry {
    Entry {
        at,
        call: Some(call.id.clone()),
        caller: Some(call.caller.clone()),
        conversation: Some(call.conversation.clone()),
        approver: None,
        server: Some(call.server.clone()),
        tool: Some(call.tool.clone()),
        event,
    }
}

/// How a call has ended.
pub(crate) fn outcome(result: &Result<CallResult, HostError>) -> Outcome {
    match result {
        Ok(answered) if answered.answer.is_error => Outcome::ToolError,
        Ok(_) => Outcome::Done,
        Err(error) => match error.code {
            ErrorCode::Refused if error.refusal == Some(Refusal::Cancelled) => Outcome::Cancelled,
            ErrorCode::Refused | ErrorCode::DiskFull | ErrorCode::DatabaseLocked => {
                Outcome::Refused
            }
            // It was done; only what came of it is kept back.
            ErrorCode::Withheld => Outcome::Done,
            ErrorCode::Cancelled => Outcome::Cancelled,
            // What the tool did before the connection went is unknown.
            ErrorCode::ConnectionLost
            | ErrorCode::MessageTooLong
            | ErrorCode::TaskLost
            | ErrorCode::ServerChanged => Outcome::Interrupted,
            _ => Outcome::Failed,
        },
    }
}
