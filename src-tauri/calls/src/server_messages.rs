//! What a server says beside its results: why a call failed, and how far one has come.
//!
//! Always true here: it goes the way of a result. What must not be seen is covered, its length is
//! bounded, and the rules are asked whether it may be handed over; a caller remembers it as the
//! server's word.

use crate::pass_on::pass_on;
use crate::{Calls, rules};
use api::HostError;
use connections::ConnectionError;
use futures::FutureExt as _;
use inspect::StreamMask;
use policy::{KnownTool, ToolFlags};
use protocol::{Content, ServerId, ToolCall, ToolResult};
use servers::{Servers, error};
use std::sync::{Mutex, PoisonError};

/// The most of it that is passed on, in bytes.
pub(crate) const LONGEST: usize = 4 * 1024;

/// What whoever made a call learns of why it failed. `mark` is what the person says about the tool.
pub(crate) async fn failure(
    calls: &Calls,
    call: &ToolCall,
    tool: Option<&KnownTool>,
    mark: ToolFlags,
    problem: &ConnectionError,
) -> HostError {
    let told = error::connection(&call.server, problem, &calls.secrets().masker());
    if is_ours(problem) {
        return told;
    }
    let message = match pass_on(calls, call, mark, said(told.message, true)).await {
        Ok(answered) => {
            let (said, answer) = (calls.conversations(), &answered.answer);
            said.heard(call, tool, mark, answer, calls.now());
            let mut text = answered.answer.as_text().into_owned();
            text.truncate(text.floor_char_boundary(LONGEST));
            text
        }
        Err(why) => kept_back(&call.server, why),
    };
    HostError { message, ..told }
}

/// What is told in the place of what a server says about a failure.
pub(crate) fn kept_back(server: &ServerId, why: HostError) -> String {
    let why = why
        .refusal
        .map_or(why.message, |refusal| refusal.to_string());
    format!("{server}: it failed, and what it says about that is kept back: {why}")
}

/// What may be passed on of what a server says about a step of a call. The mask follows all that it
/// says about this one.
pub(crate) fn step(
    servers: &Servers,
    call: &ToolCall,
    stream_mask: &Mutex<StreamMask>,
    message: String,
) -> Option<String> {
    // Nobody reads so much beside a bar.
    if message.len() > LONGEST {
        return None;
    }
    let sanitized = {
        let mut stream_mask = stream_mask.lock().unwrap_or_else(PoisonError::into_inner);
        inspect::sanitize(
            said(message, false),
            &servers.secrets().masker(),
            &mut stream_mask,
        )
    };
    // The reading of the server's messages waits for no disk: where rules have to look there, the
    // words are left out.
    let ruling = rules::on_return(servers, call, &sanitized.findings).now_or_never()?;
    ruling
        .refusal()
        .is_none()
        .then(|| sanitized.answer.as_text().into_owned())
}

/// Whether nothing of what is told comes from the server.
pub(crate) fn is_ours(problem: &ConnectionError) -> bool {
    matches!(
        problem,
        ConnectionError::TimedOut { .. }
            | ConnectionError::Cancelled
            | ConnectionError::ConnectionLost { .. }
            | ConnectionError::SessionLost
            | ConnectionError::MessageTooLong { .. }
            | ConnectionError::TooManyRounds { .. }
            | ConnectionError::HttpStatus { .. }
            | ConnectionError::ToolChanged
    )
}

fn said(text: String, is_error: bool) -> ToolResult {
    ToolResult {
        content: vec![Content::text(text)],
        is_error,
        ..ToolResult::default()
    }
}
