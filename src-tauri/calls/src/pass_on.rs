//! What becomes of an answer between its server and its caller: made harmless, labelled, and what
//! is left out kept for the person.

use crate::{Calls, rules};
use api::{CallResult, ErrorCode, HostError};
use inspect::SanitizedResult;
use policy::ToolFlags;
use protocol::{Confidentiality, Label, Origin, ToolCall, ToolResult, Trust, Weigh as _};
use servers::error;

/// An answer that takes less than this, in bytes, is looked through at once; going to another
/// thread would take longer.
const SHORT: usize = 16 * 1024;

/// Makes of an answer what its caller gets. `mark` is what the person says about the tool.
pub(crate) async fn pass_on(
    calls: &Calls,
    call: &ToolCall,
    mark: ToolFlags,
    answer: ToolResult,
) -> Result<CallResult, HostError> {
    let masker = calls.secrets().masker();
    let mut stream_mask = calls
        .redacted_results()
        .stream_mask(call, &masker)
        .lock_owned()
        .await;
    let sanitized = if answer.weigh() < SHORT {
        inspect::sanitize(answer, &masker, &mut stream_mask)
    } else {
        // A long one takes a while; other calls go on meanwhile.
        let work = tokio::task::spawn_blocking(move || {
            inspect::sanitize(answer, &masker, &mut stream_mask)
        });
        work.await.map_err(|problem| {
            error::host(
                ErrorCode::Internal,
                format!("an answer could not be read: {problem}"),
            )
        })?
    };
    // Before anything of it is kept: nobody can have it later.
    if let Some(refusal) = rules::on_return(calls, call, &sanitized.findings)
        .await
        .refusal()
    {
        return Err(error::withheld(refusal));
    }
    Ok(keep(calls, call, mark, sanitized).await)
}

async fn keep(
    calls: &Calls,
    call: &ToolCall,
    mark: ToolFlags,
    sanitized: SanitizedResult,
) -> CallResult {
    let SanitizedResult {
        answer,
        findings,
        prompt_injection,
        readable,
        whole,
    } = sanitized;
    let revealable = readable.is_some();
    if let Some(readable) = readable {
        calls.redacted_results().keep(call, readable);
    }
    let mut whole_kept = false;
    if let Some(whole) = whole {
        match calls
            .store()
            .full_results()
            .keep(&call.id, &whole, calls.now())
            .await
        {
            Ok(()) => whole_kept = true,
            Err(problem) => {
                tracing::warn!(call = %call.id, %problem, "a whole answer could not be kept")
            }
        }
    }
    let label = Label::of(Origin::Tool {
        server: Some(call.server.clone()),
        tool: call.tool.clone(),
    });
    let label = if prompt_injection {
        label.at_least_as_doubtful(Trust::Steering)
    } else {
        label
    };
    let label = if mark.secret {
        label.at_least_as_confidential(Confidentiality::Secret)
    } else {
        label
    };
    let refused_asks = calls.running().refused_asks(&call.id);
    CallResult {
        call: call.id.clone(),
        at: calls.now(),
        answer,
        findings,
        label,
        revealable,
        whole_kept,
        ran_ms: None,
        refused_asks,
    }
}
