//! Answers of people.

use crate::api::{BatchAnswer, BatchOutcome, ErrorCode, HostError, HostEvent, Numbered};
use crate::{Host, Surface, error, permit, places};
use policy::{Allowed, Answer, Cover, Remember, RememberProblem, Subject};
use protocol::{CallId, QuestionId};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;

/// How long it is waited for what comes of an answer. It only bounds a call that does not get on.
const EFFECT: Duration = Duration::from_secs(10);

/// Answers a question, if the surface is a place from which answers may come.
pub(crate) async fn answer(host: &Host, question: &QuestionId, answer: Answer, surface: &Surface) -> Result<(), HostError> {
    let approver = surface.approver.ok_or_else(|| error::host(ErrorCode::NotAnApprover, "questions cannot be answered from here"))?;
    let ending = (!host.keeps_servers_running()).then(|| left_over(host, question)).flatten();
    let events = host.follow();
    host.answer(question, answer, approver).await?;
    // A host that is about to end carries the call out first: there may be no other for long.
    if let Some(call) = ending {
        ended(events, &call).await;
    }
    Ok(())
}

/// The call of a question that an earlier run left over.
fn left_over(host: &Host, question: &QuestionId) -> Option<CallId> {
    host.waiting().into_iter().find_map(|waiting| match waiting.subject {
        Subject::Call { call, left_over: true, .. } if waiting.id == *question => Some(call),
        _ => None,
    })
}

async fn ended(mut events: broadcast::Receiver<Arc<Numbered>>, call: &CallId) {
    while let Ok(event) = events.recv().await {
        if matches!(&event.event, HostEvent::CallEnded { call: ended, .. } if ended == call) {
            return;
        }
    }
}

/// Answers several questions, each for itself: one that waits no more keeps no other from being answered.
pub(crate) async fn answer_all(host: &Host, answers: Vec<BatchAnswer>, surface: &Surface) -> Result<BatchOutcome, HostError> {
    let approver = surface.approver.ok_or_else(|| error::host(ErrorCode::NotAnApprover, "questions cannot be answered from here"))?;
    if !approver.may_answer(host.approver()) {
        return Err(error::host(ErrorCode::NotAnApprover, "only the question window may answer while a window runs"));
    }
    let mut outcome = BatchOutcome { answered: Vec::new(), failed: Vec::new(), grants: Vec::new() };
    for BatchAnswer { question, answer } in answers {
        let effect = host.pendings().follow(&question);
        if host.answer(&question, answer, approver).await.is_err() {
            outcome.failed.push(question);
            continue;
        }
        // What this answer has made may settle the next question.
        if let Some(mut effect) = effect
            && let Ok(Ok(made)) = tokio::time::timeout(EFFECT, effect.wait_for(Option::is_some)).await
        {
            outcome.grants.extend(made.clone());
        }
        outcome.answered.push(question);
    }
    Ok(outcome)
}

/// The answer as it can be applied: folders of limits as they really lie, and nothing that would be refused later.
pub(crate) async fn checked(host: &Host, id: &QuestionId, mut answer: Answer) -> Result<Answer, HostError> {
    let Some(pending) = host.pendings().get(id) else { return Ok(answer) };
    let bad = |problem: String| error::host(ErrorCode::BadAnswer, problem);
    if let Answer::Allow { remember: Some(remember), .. } | Answer::Deny { remember: Some(remember), .. } = &mut answer {
        settle_folders(remember).map_err(|problem| bad(problem.to_string()))?;
    }
    pending.check(&answer, host.now()).map_err(|problem| bad(problem.to_string()))?;
    let call = pending.call();
    if let Answer::Allow { arguments: Some(edited), .. } = &answer
        && let Ok(found) = permit::find(host, &call.server, &call.tool)
    {
        pending.edited(edited, &found.tool, |arguments| permit::shown(host, arguments)).map_err(|refusal| bad(refusal.to_string()))?;
    }
    Ok(answer)
}

/// Writes the folders of limits as they really lie.
pub(crate) fn settle_folders(remember: &mut Remember) -> Result<(), RememberProblem> {
    let Cover::Within { limits } = &mut remember.cover else { return Ok(()) };
    for limit in limits {
        if let Some(Allowed::Under { folder }) = &mut limit.allowed {
            *folder = places::lead(folder).ok_or_else(|| RememberProblem::Folder { folder: folder.clone() })?;
        }
    }
    Ok(())
}
