//! Does what the life of a question asks for.
//!
//! Always true here: effects are performed in their order, and after one that fails none is.

use super::log;
use crate::unwritten::Late;
use crate::{Calls, took};
use api::{ErrorCode, HostError, HostEvent};
use futures::future::BoxFuture;
use policy::waiting::{Awaited, Effect, End, Event, Record, Step};
use policy::{Question, Subject};
use protocol::QuestionId;
use servers::{Approver, Core, error};
use store::{Needed, StoreError, WaitingCall};

/// Brings an event to a question, and does what comes of it. False if the event does not fit: the
/// question is over, or is being answered.
///
/// Boxed: it holds questions, and is awaited in the middle of nearly every request.
pub(super) fn drive<'a>(
    calls: &'a Calls,
    id: &'a QuestionId,
    event: Event,
    approver: Option<Approver>,
) -> BoxFuture<'a, Result<bool, HostError>> {
    Box::pin(driven(calls, id, event, approver))
}

async fn driven(
    calls: &Calls,
    id: &QuestionId,
    event: Event,
    approver: Option<Approver>,
) -> Result<bool, HostError> {
    let mut event = event;
    loop {
        let Some((question, effects)) = calls.pending_calls().on(id, event) else {
            return Ok(false);
        };
        let mut next = None;
        for effect in effects {
            match effect {
                Effect::Persist(Step::Waiting) => {
                    next = Some(Event::Written(write_down(calls, &question).await?));
                }
                Effect::Persist(step) => persist(calls, id, step).await?,
                Effect::Record(record) => write(calls, &question, record, approver).await?,
                Effect::Show(_) => {
                    took::begin_to_wait(calls.running(), &question, question.asked_at);
                    calls.publish(HostEvent::QuestionAsked {
                        question: Box::new(question.clone()),
                    });
                    if let Some(pending) = calls.pending_calls().pending(id) {
                        calls.tell_waiting(pending.call(), true);
                    }
                }
                Effect::Withdraw => {
                    took::stop_to_wait(calls.running(), &question, calls.now());
                    calls.publish(HostEvent::QuestionClosed {
                        question: id.clone(),
                    });
                }
                Effect::Resolve(resolution) => calls.pending_calls().resolve(id, resolution),
            }
        }
        match next {
            Some(next) => event = next,
            None => return Ok(true),
        }
    }
}

async fn write_down(calls: &Calls, question: &Question) -> Result<Awaited, HostError> {
    let rows = calls.store().waiting();
    let Some(pending) = calls.pending_calls().pending(&question.id) else {
        return Ok(rows.question_waits(question).await?);
    };
    let call = pending.call();
    let about = WaitingCall {
        call: call.id.clone(),
        caller: call.caller.clone(),
        server: call.server.clone(),
        tool: call.tool.clone(),
        since: question.asked_at,
    };
    let needed = Needed {
        pending,
        question: question.clone(),
    };
    Ok(rows.call_waits(&about, &needed).await?)
}

/// Writes a step to the row of a question.
pub(crate) async fn persist(calls: &Calls, id: &QuestionId, step: Step) -> Result<(), HostError> {
    let (rows, now) = (calls.store().waiting(), calls.now());
    let first = match step {
        Step::Waiting => true,
        Step::Answered(answer) => rows.answered(id, &answer, now).await?,
        Step::WaitingAgain => {
            rows.waits_again(id).await?;
            true
        }
        Step::Sent(end) => rows.sends(id, end).await?,
        // Of a call that its server has, not of the question about it: see `rounds`.
        Step::Paused(_) => true,
        Step::Ended(end) => {
            match rows.ended(id, end, now).await {
                Ok(()) => {}
                Err(error @ StoreError::UnknownQuestion { .. }) => {
                    tracing::warn!(question = %id, %error, "a question is over that was not written down");
                }
                Err(error) => {
                    tracing::warn!(question = %id, %error, "that a question is over cannot be noted now; nothing new begins before it is");
                    calls.unwritten().keep(Late::Ended(id.clone(), end));
                }
            }
            true
        }
    };
    if first {
        return Ok(());
    }
    Err(error::host(
        ErrorCode::UnknownQuestion,
        format!("{id} does not wait for an answer"),
    ))
}

async fn write(
    core: &Core,
    question: &Question,
    record: Record,
    approver: Option<Approver>,
) -> Result<(), HostError> {
    match record {
        Record::Asked => {
            let event = store::Event::QuestionAsked {
                question: question.id.clone(),
            };
            log::record_about(core, question, event)?;
        }
        Record::Answered(answer) => {
            let approver = approver.ok_or_else(|| {
                error::host(
                    ErrorCode::NotAnApprover,
                    "an answer comes from a place that may answer",
                )
            })?;
            log::record_decision(core, question, &answer, approver).await?;
        }
        Record::Superseded(end) => superseded(core, question, end),
        // Of a call of an earlier run, which is nobody's question any more: see `recovery`.
        Record::Refused(_) | Record::OutcomeUnknown => {}
    }
    Ok(())
}

fn superseded(core: &Core, question: &Question, end: End) {
    if !matches!(question.subject, Subject::Call { .. }) {
        return;
    }
    let event = store::Event::QuestionAnswered {
        question: question.id.clone(),
        answer: end.word().to_owned(),
        reason: None,
    };
    let entry = store::Entry {
        approver: Some("majordomo".to_owned()),
        ..log::entry_about(core, question, event)
    };
    if let Err(error) = core.record(entry) {
        tracing::warn!(question = %question.id, %error, "that a question was settled could not be written to the log");
    }
}
