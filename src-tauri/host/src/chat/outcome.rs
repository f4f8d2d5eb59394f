//! What is known of a call that a model wanted: from its result, or from the log where nobody heard
//! of it.
//!
//! Always true here: nothing that may have been carried out is said not to have been.

use agent::{CallState, LabelledResult, NotRun, Outcome, Unknown};
use api::{ActivityDetail, CallResult, ErrorCode, HostError};
use calls::{Calls, agent_results};
use policy::Refusal;
use protocol::{Boundary, CallId, Content, Label, Origin, ServerId, ToolResult};
use serde_json::{Map, Value};

const NOT_KEPT: &str =
    "It was carried out. What came back was not kept, because the application ended.";

/// How a call has ended that was made now with these arguments. `None` if the application ends, and
/// the next run takes it up.
pub(super) async fn of(
    calls: &Calls,
    call: &CallId,
    arguments: &Map<String, Value>,
    result: Result<CallResult, HostError>,
) -> Option<Outcome> {
    match result {
        Ok(result) => Some(answered(LabelledResult {
            result: result.answer,
            label: result.label,
            at: result.at,
            boundary: Boundary::random(),
            changed: changed(calls, call, arguments).await,
        })),
        Err(error) if error.code == ErrorCode::ShuttingDown => None,
        // It is being ended with everything else.
        Err(error) if error.code == ErrorCode::Cancelled && calls.leaving().is_cancelled() => None,
        Err(error) => Some(failed(calls, call, error).await),
    }
}

/// What was sent, where it is not what the model wanted.
async fn changed(
    calls: &Calls,
    call: &CallId,
    arguments: &Map<String, Value>,
) -> Option<Map<String, Value>> {
    let sent = calls.store().audit().call(call).await.ok()??.arguments?;
    let mut wanted = arguments.clone();
    calls.secrets().masker().mask_map(&mut wanted);
    (sent != wanted).then_some(sent)
}

async fn failed(calls: &Calls, call: &CallId, error: HostError) -> Outcome {
    let HostError {
        code,
        message,
        refusal,
        ..
    } = error;
    let unknown = |why| Outcome::Unknown { why };
    match (code, refusal) {
        // It was carried out; only its result is kept back.
        (ErrorCode::Withheld, _) => answered(ours(calls, message, true)),
        (_, Some(refusal)) => refused(refusal),
        (
            ErrorCode::ConnectionLost
            | ErrorCode::MessageTooLong
            | ErrorCode::TaskLost
            | ErrorCode::ServerChanged,
            None,
        ) => unknown(Unknown::ServerStopped),
        (ErrorCode::TimedOut, None) => unknown(Unknown::NoAnswer),
        (code, None) => {
            let known = calls.store().audit().call(call).await;
            let was_sent = !matches!(known, Ok(None));
            match code {
                ErrorCode::Cancelled if was_sent => unknown(Unknown::Stopped),
                ErrorCode::Cancelled => Outcome::NotRun {
                    why: NotRun::Stopped,
                },
                ErrorCode::Internal if was_sent => unknown(Unknown::ServerStopped),
                _ if was_sent => answered(said(calls, message)),
                _ => Outcome::NotRun {
                    why: NotRun::Unavailable { problem: message },
                },
            }
        }
    }
}

/// What a refusal means to a model.
fn refused(refusal: Refusal) -> Outcome {
    match refusal {
        Refusal::DeniedByPerson { reason } => Outcome::Denied { reason },
        Refusal::QuestionClosed => Outcome::Denied { reason: None },
        Refusal::Cancelled => Outcome::NotRun {
            why: NotRun::Stopped,
        },
        Refusal::ArgumentsInvalid { problems } => Outcome::NotRun {
            why: NotRun::Arguments {
                problem: problems.join("; "),
            },
        },
        Refusal::DiskFull | Refusal::DatabaseLocked | Refusal::NoTrace => Outcome::NotRun {
            why: NotRun::Unavailable {
                problem: refusal.to_string(),
            },
        },
        other => Outcome::Refused {
            why: other.to_string(),
        },
    }
}

/// What is known of a call without an outcome, that an earlier run made or this one goes on with.
pub(super) async fn state(calls: &Calls, call: &CallId) -> CallState {
    let running = calls.running().running();
    if let Some(running) = running.into_iter().find(|running| running.call == *call) {
        return match running.waiting {
            true => CallState::Waiting,
            false => CallState::Running,
        };
    }
    // That it came is known, whether the log says so or not.
    match agent_results::read(calls, call).await {
        Ok(None) => {}
        Ok(Some(came)) => {
            return CallState::Ended(answered(LabelledResult {
                result: came.answer,
                label: came.label,
                at: came.at,
                boundary: Boundary::random(),
                changed: None,
            }));
        }
        Err(problem) => {
            tracing::error!(%call, %problem, "what came of a call cannot be read now");
            return CallState::Sent;
        }
    }
    match calls.store().audit().call(call).await {
        Ok(Some(detail)) => ended(calls, call, detail).await,
        Ok(None) => CallState::Unseen,
        Err(problem) => {
            tracing::error!(%call, %problem, "the log does not say what became of a call");
            CallState::Sent
        }
    }
}

/// How a call has ended of whose end only the log tells.
async fn ended(calls: &Calls, call: &CallId, detail: ActivityDetail) -> CallState {
    use api::Outcome as Logged;
    let was_sent = detail.permission.is_some();
    CallState::Ended(match (detail.row.outcome, detail.refusal) {
        (Logged::Done | Logged::ToolError, _) => {
            let kept = calls.store().full_results().read(call).await;
            answered(match kept {
                Ok(result) => LabelledResult {
                    label: Label::of(Origin::Tool {
                        server: detail.row.server,
                        tool: detail.row.tool.unwrap_or_else(|| "?".into()),
                    }),
                    result,
                    at: calls.now(),
                    boundary: Boundary::random(),
                    changed: None,
                },
                Err(_) => {
                    let is_error = detail.row.outcome == Logged::ToolError;
                    ours(calls, NOT_KEPT.to_owned(), is_error)
                }
            })
        }
        (_, Some(Refusal::Cancelled)) => Outcome::NotRun {
            why: NotRun::ApplicationEnded,
        },
        (_, Some(refusal)) => refused(refusal),
        (Logged::Failed, None) if was_sent => {
            answered(said(calls, detail.error.unwrap_or_default()))
        }
        (Logged::Failed | Logged::Cancelled, None) if !was_sent => Outcome::NotRun {
            why: NotRun::ApplicationEnded,
        },
        _ if goes_on(calls, call, detail.row.server.as_ref()).await => return CallState::Running,
        _ => return CallState::Sent,
    })
}

/// Whether a call of an earlier run goes on once its server runs: as a task, or because it waits for
/// input.
async fn goes_on(calls: &Calls, call: &CallId, server: Option<&ServerId>) -> bool {
    let Some(server) = server else {
        return false;
    };
    let tasks = calls.store().tasks().of(server).await.unwrap_or_default();
    let paused = calls.store().waiting().left_paused(Some(server)).await;
    let paused = paused.unwrap_or_default();
    tasks.iter().any(|task| task.call == *call)
        || paused
            .iter()
            .any(|left| left.about.call == *call && left.round.is_some())
}

fn answered(answer: LabelledResult) -> Outcome {
    Outcome::Answered {
        answer: Box::new(answer),
    }
}

/// What a server says of its failure.
fn said(calls: &Calls, text: String) -> LabelledResult {
    LabelledResult {
        label: Label::of(Origin::Unknown),
        ..ours(calls, text, true)
    }
}

/// Words of ours in place of a result.
fn ours(calls: &Calls, text: String, is_error: bool) -> LabelledResult {
    LabelledResult {
        result: ToolResult {
            content: vec![Content::text(text)],
            is_error,
            ..ToolResult::default()
        },
        label: Label::of(Origin::Host),
        at: calls.now(),
        boundary: Boundary::random(),
        changed: None,
    }
}
