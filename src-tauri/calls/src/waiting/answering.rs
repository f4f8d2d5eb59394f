//! The one entrance for answers, from wherever they come.
//!
//! Always true here: what does not fit the question, or would be refused later, is not written
//! down.

use super::driver::drive;
use crate::found::find;
use crate::permit::edited;
use crate::{Calls, places};
use api::{ErrorCode, HostError};
use policy::waiting::Event;
use policy::{Allowed, ArgumentScope, Decision, Question, Remember, RememberProblem, Subject};
use protocol::{FormResult, QuestionId};
use serde_json::Map;
use servers::{Approver, error};

/// Answers a question on behalf of a person.
pub async fn answer(
    calls: &Calls,
    id: &QuestionId,
    answer: Decision,
    approver: Approver,
) -> Result<(), HostError> {
    if !approver.may_answer(calls.approver()) {
        return Err(error::host(
            ErrorCode::NotAnApprover,
            "only the question window may answer while a window runs",
        ));
    }
    let question = calls
        .pending_calls()
        .question(id)
        .ok_or_else(|| unknown(id))?;
    // The timer of a computer that slept runs late; the clock on the wall does not.
    if calls.now() >= question.expires_at {
        drive(calls, id, Event::Lapsed, None).await?;
        return Err(unknown(id));
    }
    let answer = fitting(&question.subject, answer)?;
    check_form(calls, &question, &answer).await?;
    let answer = checked(calls, id, answer).await?;
    // In a task of its own: an answer that has begun to count is not lost with the surface that
    // gave it.
    let (calls, id) = (calls.clone(), id.clone());
    let given = tokio::spawn(async move { give(&calls, &id, answer, approver).await });
    given.await.map_err(|problem| {
        error::host(
            ErrorCode::Internal,
            format!("the answer could not be taken: {problem}"),
        )
    })?
}

async fn give(
    calls: &Calls,
    id: &QuestionId,
    answer: Decision,
    approver: Approver,
) -> Result<(), HostError> {
    let event = Event::Answered(Box::new(answer));
    match drive(calls, id, event, Some(approver)).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(unknown(id)),
        Err(error) => {
            // What could not be written down has no effect, and the question waits for it again.
            let _ = drive(calls, id, Event::Failed, None).await;
            calls.pending_calls().reopen(id);
            Err(error)
        }
    }
}

fn unknown(id: &QuestionId) -> HostError {
    error::host(
        ErrorCode::UnknownQuestion,
        format!("{id} does not wait for an answer"),
    )
}

/// The answer in the shape that the question needs. A plain yes to a form sends it empty: its defaults
/// are the server's words, and go back only from where a person has seen them. What does not fit is
/// no yes.
fn fitting(subject: &Subject, answer: Decision) -> Result<Decision, HostError> {
    let plain_yes = matches!(
        answer,
        Decision::Allow {
            arguments: None,
            remember: None
        }
    );
    match (subject, answer) {
        (Subject::Call { .. }, answer @ (Decision::Allow { .. } | Decision::Deny { .. })) => {
            Ok(answer)
        }
        (Subject::Call { .. }, _) => Err(error::host(
            ErrorCode::BadAnswer,
            "this question is about a call",
        )),
        (Subject::Request { .. }, answer) if plain_yes => Ok(answer),
        (Subject::Request { .. }, Decision::Deny { reason, .. }) => Ok(Decision::Deny {
            reason,
            remember: None,
        }),
        (Subject::Form { .. }, answer) => {
            let answer = match answer {
                Decision::Form { answer } => answer,
                _ if plain_yes => FormResult::Accept {
                    content: Map::new(),
                },
                _ => FormResult::Decline,
            };
            Ok(Decision::Form { answer })
        }
        (Subject::Url { .. }, Decision::OpenUrl) => Ok(Decision::OpenUrl),
        (Subject::Url { .. }, _) if plain_yes => Ok(Decision::OpenUrl),
        (Subject::Sample { model: Some(_), .. }, answer @ Decision::UseModel { .. }) => Ok(answer),
        (Subject::Sample { model: Some(_), .. }, _) if plain_yes => {
            Ok(Decision::UseModel { params: None })
        }
        (Subject::SampleReply { .. }, answer @ Decision::SendReply { .. }) => Ok(answer),
        (Subject::SampleReply { .. }, _) if plain_yes => Ok(Decision::SendReply { reply: None }),
        (Subject::Rule { .. } | Subject::Change { .. }, Decision::ChangeRule) => {
            Ok(Decision::ChangeRule)
        }
        (Subject::Rule { .. } | Subject::Change { .. }, _) if plain_yes => Ok(Decision::ChangeRule),
        (
            Subject::Request { .. }
            | Subject::Url { .. }
            | Subject::Sample { .. }
            | Subject::SampleReply { .. }
            | Subject::Rule { .. }
            | Subject::Change { .. },
            _,
        ) => Ok(Decision::Decline),
    }
}

/// What a person filled in fits the form.
async fn check_form(
    calls: &Calls,
    question: &Question,
    answer: &Decision,
) -> Result<(), HostError> {
    let (
        Subject::Form { form, .. },
        Decision::Form {
            answer: FormResult::Accept { content },
        },
    ) = (&question.subject, answer)
    else {
        return Ok(());
    };
    let (schemas, server) = (calls.schemas(), question.server.as_ref());
    let checking = schemas.check_form(server, &form.schema, content);
    checking.await.map_err(|problems| {
        error::host(
            ErrorCode::BadAnswer,
            format!("the form is not filled in as it asks: {problems}"),
        )
    })
}

/// The answer as it can be applied: folders of limits as they really lie, and nothing that would be
/// refused later.
async fn checked(
    calls: &Calls,
    id: &QuestionId,
    mut answer: Decision,
) -> Result<Decision, HostError> {
    let Some(pending) = calls.pending_calls().pending(id) else {
        return Ok(answer);
    };
    let bad = |problem: String| error::host(ErrorCode::BadAnswer, problem);
    if let Decision::Allow {
        remember: Some(remember),
        ..
    }
    | Decision::Deny {
        remember: Some(remember),
        ..
    } = &mut answer
    {
        settle_folders(remember).map_err(|problem| bad(problem.to_string()))?;
    }
    pending
        .check(&answer, calls.now())
        .map_err(|problem| bad(problem.to_string()))?;
    let call = pending.call();
    if let Ok(found) = find(calls, &call.server, &call.tool) {
        let edited = edited(calls, &pending, &answer, &found).await;
        edited
            .and_then(|edited| edited.map_or(Ok(()), |edited| edited.fits(&found.tool.known)))
            .map_err(|refusal| bad(refusal.to_string()))?;
    }
    Ok(answer)
}

/// Writes the folders of limits as they really lie.
pub fn settle_folders(remember: &mut Remember) -> Result<(), RememberProblem> {
    let ArgumentScope::Within { limits } = &mut remember.cover else {
        return Ok(());
    };
    for limit in limits {
        if let Some(Allowed::Under { folder }) = &mut limit.allowed {
            *folder = places::lead(folder).ok_or_else(|| RememberProblem::Folder {
                folder: folder.clone(),
            })?;
        }
    }
    Ok(())
}
