//! Answers of people.

use api::{BatchDecision, BatchOutcome, ErrorCode, HostError, HostEvent};
use calls::pending_calls::PendingCalls;
use calls::{Calls, waiting};
use policy::{Decision, Subject};
use protocol::{CallId, QuestionId};
use servers::{Follower, Surface, error};
use std::time::Duration;

/// How long it is waited for what comes of an answer. It only bounds a call that does not get on.
const EFFECT: Duration = Duration::from_secs(10);

/// Answers a question, if the surface is a place from which answers may come.
pub(crate) async fn answer(
    calls: &Calls,
    question: &QuestionId,
    answer: Decision,
    surface: &Surface,
) -> Result<(), HostError> {
    let approver = surface.approver.ok_or_else(|| {
        error::host(
            ErrorCode::NotAnApprover,
            "questions cannot be answered from here",
        )
    })?;
    let ending = (!calls.keeps_servers_running())
        .then(|| recovered(calls.pending_calls(), question))
        .flatten();
    let events = calls.follow();
    waiting::answer(calls, question, answer, approver).await?;
    // A host that is about to end carries the call out first: there may be no other for long.
    if let Some(call) = ending {
        ended(events, &call).await;
    }
    Ok(())
}

/// The call of a question that an earlier run left over.
fn recovered(pending_calls: &PendingCalls, question: &QuestionId) -> Option<CallId> {
    pending_calls
        .questions()
        .into_iter()
        .find_map(|open| match open.subject {
            Subject::Call {
                call,
                left_over: true,
                ..
            } if open.id == *question => Some(call),
            _ => None,
        })
}

async fn ended(mut events: Follower, call: &CallId) {
    while let Ok(event) = events.next().await {
        if matches!(&event.event, HostEvent::CallEnded { call: ended, .. } if ended == call) {
            return;
        }
    }
}

/// Answers several questions, each for itself: one that waits no more keeps no other from being
/// answered.
pub(crate) async fn answer_all(
    calls: &Calls,
    answers: Vec<BatchDecision>,
    surface: &Surface,
) -> Result<BatchOutcome, HostError> {
    let approver = surface.approver.ok_or_else(|| {
        error::host(
            ErrorCode::NotAnApprover,
            "questions cannot be answered from here",
        )
    })?;
    if !approver.may_answer(calls.approver()) {
        return Err(error::host(
            ErrorCode::NotAnApprover,
            "only the question window may answer while a window runs",
        ));
    }
    let mut outcome = BatchOutcome {
        answered: Vec::new(),
        failed: Vec::new(),
        grants: Vec::new(),
    };
    for BatchDecision { question, answer } in answers {
        let effect = calls.pending_calls().follow(&question);
        if waiting::answer(calls, &question, answer, approver)
            .await
            .is_err()
        {
            outcome.failed.push(question);
            continue;
        }
        // What this answer has made may settle the next question.
        if let Some(mut effect) = effect
            && let Ok(Ok(made)) =
                tokio::time::timeout(EFFECT, effect.wait_for(Option::is_some)).await
        {
            outcome
                .grants
                .extend(made.clone().and_then(|made| made.grant));
        }
        outcome.answered.push(question);
    }
    Ok(outcome)
}
