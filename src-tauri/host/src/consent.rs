//! Questions that wait for a person.
//!
//! Always true here:
//! - a question is in the store before anyone sees it;
//! - the first answer wins, and it is in the log, synced, before it has an effect;
//! - late, closed, withdrawn and lost all mean no.

use crate::api::{ErrorCode, HostError, HostEvent};
use crate::{Approver, Host, error, form};
use policy::{Answer, Question, Refusal, Subject};
use protocol::{FormAnswer, QuestionId};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use store::Event;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

#[derive(Debug, Default)]
pub(crate) struct Consent {
    waiting: Mutex<BTreeMap<QuestionId, Waiting>>,
}

#[derive(Debug)]
struct Waiting {
    question: Question,
    answer: oneshot::Sender<Result<Answer, Refusal>>,
}

impl Consent {
    pub(crate) fn waiting(&self) -> Vec<Question> {
        let mut questions: Vec<Question> = self.lock().values().map(|waiting| waiting.question.clone()).collect();
        questions.sort_by_key(|question| question.asked_at);
        questions
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<QuestionId, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks, and waits for the answer. `withdrawn` ends the waiting.
pub(crate) async fn ask(host: &Host, question: Question, withdrawn: &CancellationToken) -> Result<Answer, Refusal> {
    let id = question.id.clone();
    host.store().questions().insert(question.clone()).await.map_err(|_| Refusal::NoTrace)?;
    host.record_about(&question, Event::QuestionAsked { question: id.clone() }).map_err(|_| Refusal::NoTrace)?;

    let patience = question.expires_at.since(host.now());
    let (answer, answered) = oneshot::channel();
    host.consent().lock().insert(id.clone(), Waiting { question: question.clone(), answer });
    // However this ends, even by being dropped, the question does not stay on anyone's screen.
    let closing = Closing { host, id: &id };
    host.tell(HostEvent::QuestionAsked { question: Box::new(question.clone()) });

    let (result, how) = tokio::select! {
        biased;
        answer = answered => match answer {
            Ok(Ok(answer)) => (Ok(answer), "answered"),
            Ok(Err(refusal)) => (Err(refusal), "lapsed"),
            Err(_) => (Err(Refusal::QuestionClosed), "closed"),
        },
        () = withdrawn.cancelled() => (Err(Refusal::Cancelled), "withdrawn"),
        () = tokio::time::sleep(patience) => (Err(Refusal::NobodyAnswered), "lapsed"),
    };
    drop(closing);
    if let Err(error) = host.store().questions().close(&id, how, host.now()).await {
        tracing::warn!(question = %id, %error, "a question could not be closed in the store; it lapses at the next start");
    }
    result
}

struct Closing<'a> {
    host: &'a Host,
    id: &'a QuestionId,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.host.consent().lock().remove(self.id);
        self.host.tell(HostEvent::QuestionClosed { question: self.id.clone() });
    }
}

/// Answers a question on behalf of a person.
pub(crate) async fn answer(host: &Host, id: &QuestionId, answer: Answer, approver: Approver) -> Result<(), HostError> {
    if !approver.may_answer(host.approver()) {
        return Err(error::host(ErrorCode::NotAnApprover, "only the question window may answer while a window runs"));
    }
    let question = host.consent().lock().get(id).map(|waiting| waiting.question.clone()).ok_or_else(|| unknown(id))?;
    // The timer of a computer that slept runs late; the clock on the wall does not.
    if host.now() >= question.expires_at {
        if let Some(waiting) = host.consent().lock().remove(id) {
            let _ = waiting.answer.send(Err(Refusal::NobodyAnswered));
        }
        return Err(unknown(id));
    }
    let answer = fitting(&question.subject, answer)?;
    // Taken out before it is written, so that of two answers only one is ever recorded.
    let waiting = host.consent().lock().remove(id).ok_or_else(|| unknown(id))?;
    host.record_decision(&question, &answer, approver).await?;
    // The one who waited may have gone in this moment; then nothing runs, and the log says that it was allowed.
    let _ = waiting.answer.send(Ok(answer));
    Ok(())
}

/// Closes a question without an answer, as when its window is closed: a no.
pub(crate) fn close(host: &Host, id: &QuestionId) {
    host.consent().lock().remove(id);
}

fn unknown(id: &QuestionId) -> HostError {
    error::host(ErrorCode::UnknownQuestion, format!("{id} does not wait for an answer"))
}

/// The answer in the shape that the question needs; a "yes" to a form sends its defaults.
fn fitting(subject: &Subject, answer: Answer) -> Result<Answer, HostError> {
    match (subject, answer) {
        (Subject::Call { .. }, Answer::Form { .. } | Answer::OpenUrl | Answer::Decline) => {
            Err(error::host(ErrorCode::BadAnswer, "this question is about a call, not a form"))
        }
        (Subject::Call { .. }, answer) => Ok(answer),
        (Subject::Form { form, .. }, answer) => {
            let answer = match answer {
                Answer::Form { answer } => answer,
                Answer::Deny { .. } => FormAnswer::Decline,
                _ => FormAnswer::Accept { content: form::defaults(&form.schema) },
            };
            if let FormAnswer::Accept { content } = &answer {
                policy::check_form(&form.schema, content)
                    .map_err(|problems| error::host(ErrorCode::BadAnswer, format!("the form is not filled in as it asks: {problems}")))?;
            }
            Ok(Answer::Form { answer })
        }
        (
            Subject::Url { .. },
            Answer::Deny { .. } | Answer::Decline | Answer::Form { answer: FormAnswer::Decline | FormAnswer::Cancel },
        ) => Ok(Answer::Decline),
        (Subject::Url { .. }, _) => Ok(Answer::OpenUrl),
        // There is no model that could be used.
        (Subject::Sample { .. }, _) => Ok(Answer::Decline),
    }
}
