//! A person is asked whether something may be sent to a server that is no call of a tool.

use crate::{Calls, conversations, waiting};
use policy::{Decision, PendingRequest, Question, Refusal, ServerRequest, Subject};
use protocol::{QuestionId, ServerId};
use servers::Surface;
use tokio_util::sync::CancellationToken;

/// Asks, and waits for the answer; with the number of the question. When whoever wants it goes away,
/// this future is dropped, and the question with it.
pub async fn ask<R: ServerRequest>(
    calls: &Calls,
    id: &ServerId,
    pending: &PendingRequest<R>,
    surface: &Surface,
) -> Result<(Decision, QuestionId), Refusal> {
    let masker = calls.secrets().masker();
    let mut arguments = pending.request().chosen();
    masker.mask_map(&mut arguments);
    let concerns = conversations::shown(pending.concerns(), &masker);
    let subject = Subject::Request {
        caller: surface.caller.clone(),
        conversation: surface.conversation.clone(),
        request: pending.kind(),
        arguments,
        reason: pending.reason().clone(),
        concerns,
    };
    let server = Some(id.clone());
    let question = Question::new(server, subject, calls.now(), calls.question_time());
    let asked = question.id.clone();
    let answer = waiting::ask(calls, question, &CancellationToken::new()).await?;
    Ok((answer, asked))
}
