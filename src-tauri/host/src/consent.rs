//! Questions that wait for a person.
//!
//! Always true here:
//! - a question is in the store before anyone sees it, and one about a call outlives the application (see `left_over`);
//! - the first answer wins, and it is in the log, synced, before it has an effect;
//! - late, closed, withdrawn and lost all mean no.

use crate::api::{ErrorCode, HostError, HostEvent};
use crate::commands::questions as answers_of_calls;
use crate::floods::Source;
use crate::{Approver, Host, error, form, left_over, spans};
use policy::{Answer, Question, Refusal, Subject};
use protocol::{FormAnswer, QuestionId};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use store::Event;
use tokio::sync::{oneshot, watch};
use tokio_util::sync::CancellationToken;

#[derive(Debug, Default)]
pub(crate) struct Consent {
    waiting: Mutex<BTreeMap<QuestionId, Waiting>>,
    /// Moves on whenever something may have changed what becomes of a question that waits.
    changes: watch::Sender<u64>,
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

    /// Follows whatever may change what becomes of a question.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Has everything that waits looked at once more, if what happened may matter to it.
    pub(crate) fn notice(&self, event: &HostEvent) {
        let matters = matches!(
            event,
            HostEvent::GrantMade { .. }
                | HostEvent::ToolsChanged { .. }
                | HostEvent::OffersChanged { .. }
                | HostEvent::ServerChanged { .. }
                | HostEvent::ServerRemoved { .. }
                | HostEvent::PolicyChanged
        );
        if matters {
            self.changes.send_modify(|count| *count += 1);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<QuestionId, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks, and waits for the answer. `withdrawn` ends the waiting.
pub(crate) async fn ask(host: &Host, question: Question, withdrawn: &CancellationToken) -> Result<Answer, Refusal> {
    let _room = host.floods().enter(Source::of(&question), host.now()).ok_or(Refusal::TooManyQuestions)?;
    wait(put(host, question).await?, withdrawn).await
}

/// Writes a question down and shows it. Whoever asks has taken room for it.
pub(crate) async fn put(host: &Host, question: Question) -> Result<Showing, Refusal> {
    host.store().questions().insert(question.clone()).await.map_err(|_| Refusal::NoTrace)?;
    let asked = Event::QuestionAsked { question: question.id.clone() };
    host.record_about(&question, asked).map_err(|_| Refusal::NoTrace)?;
    Ok(show(host, question))
}

/// A question on everyone's screen. However its waiting ends, even by being dropped, it does not stay there.
pub(crate) struct Showing {
    host: Host,
    question: Question,
    answered: oneshot::Receiver<Result<Answer, Refusal>>,
}

impl Drop for Showing {
    fn drop(&mut self) {
        self.host.consent().lock().remove(&self.question.id);
        self.host.tell(HostEvent::QuestionClosed { question: self.question.id.clone() });
    }
}

/// Shows a question that is in the store.
pub(crate) fn show(host: &Host, question: Question) -> Showing {
    let (answer, answered) = oneshot::channel();
    host.consent().lock().insert(question.id.clone(), Waiting { question: question.clone(), answer });
    host.tell(HostEvent::QuestionAsked { question: Box::new(question.clone()) });
    Showing { host: host.clone(), question, answered }
}

/// Waits for the answer to a question that is shown.
pub(crate) async fn wait(showing: Showing, withdrawn: &CancellationToken) -> Result<Answer, Refusal> {
    let (host, question) = (showing.host.clone(), showing.question.clone());
    spans::asked(&host, &question, waited(showing, withdrawn)).await
}

async fn waited(mut showing: Showing, withdrawn: &CancellationToken) -> Result<Answer, Refusal> {
    let (host, question) = (showing.host.clone(), showing.question.clone());
    let patience = question.expires_at.since(host.now());
    let (result, how) = tokio::select! {
        biased;
        answer = &mut showing.answered => match answer {
            Ok(Ok(answer)) => (Ok(answer), "answered"),
            Ok(Err(refusal)) => (Err(refusal), "lapsed"),
            Err(_) => (Err(Refusal::QuestionClosed), "closed"),
        },
        () = withdrawn.cancelled() => (Err(Refusal::Cancelled), "withdrawn"),
        () = tokio::time::sleep(patience) => (Err(Refusal::NobodyAnswered), "lapsed"),
    };
    drop(showing);
    // The application ends, and the question does not: it waits again in the next run.
    if how == "withdrawn" && left_over::stays(&host, &question) {
        return result;
    }
    if let Err(error) = host.store().questions().close(&question.id, how, host.now()).await {
        tracing::warn!(question = %question.id, %error, "a question could not be closed in the store; it lapses at the next start");
    }
    result
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
    let answer = answers_of_calls::checked(host, id, answer).await?;
    // Taken out before it is written, so that of two answers only one is ever recorded.
    let waiting = host.consent().lock().remove(id).ok_or_else(|| unknown(id))?;
    host.record_decision(&question, &answer, approver).await?;
    left_over::answered(host, &question, &answer).await?;
    // The one who waited may have gone in this moment; then nothing runs, and the log says that it was allowed.
    let _ = waiting.answer.send(Ok(answer));
    Ok(())
}

/// Refuses all questions about calls: what they were asked for is not in use any more.
pub(crate) fn refuse_calls(host: &Host, refusal: &Refusal) {
    let mut waiting = host.consent().lock();
    for (_, gone) in waiting.extract_if(.., |_, waiting| matches!(waiting.question.subject, Subject::Call { .. })) {
        // Whoever waited may have gone in this moment.
        let _ = gone.answer.send(Err(refusal.clone()));
    }
}

/// Takes a question away that something else has settled. False if it is being answered, or has ended.
pub(crate) async fn settle(host: &Host, id: &QuestionId, how: &str) -> bool {
    let taken = host.consent().lock().remove(id);
    if taken.is_none() {
        return false;
    }
    if let Err(error) = host.store().questions().close(id, how, host.now()).await {
        tracing::warn!(question = %id, %error, "a question could not be closed in the store; it lapses at the next start");
    }
    true
}

/// Closes a question without an answer, as when its window is closed: a no.
pub(crate) fn close(host: &Host, id: &QuestionId) {
    host.consent().lock().remove(id);
}

fn unknown(id: &QuestionId) -> HostError {
    error::host(ErrorCode::UnknownQuestion, format!("{id} does not wait for an answer"))
}

/// The answer in the shape that the question needs; a plain yes to a form sends its defaults. What does not fit is no yes.
fn fitting(subject: &Subject, answer: Answer) -> Result<Answer, HostError> {
    let plain_yes = matches!(answer, Answer::Allow { arguments: None, remember: None });
    match (subject, answer) {
        (Subject::Call { .. }, answer @ (Answer::Allow { .. } | Answer::Deny { .. })) => Ok(answer),
        (Subject::Call { .. }, _) => Err(error::host(ErrorCode::BadAnswer, "this question is about a call")),
        (Subject::Form { form, .. }, answer) => {
            let answer = match answer {
                Answer::Form { answer } => answer,
                _ if plain_yes => FormAnswer::Accept { content: form::defaults(&form.schema) },
                _ => FormAnswer::Decline,
            };
            if let FormAnswer::Accept { content } = &answer {
                policy::check_form(&form.schema, content)
                    .map_err(|problems| error::host(ErrorCode::BadAnswer, format!("the form is not filled in as it asks: {problems}")))?;
            }
            Ok(Answer::Form { answer })
        }
        (Subject::Url { .. }, Answer::OpenUrl) => Ok(Answer::OpenUrl),
        (Subject::Url { .. }, _) if plain_yes => Ok(Answer::OpenUrl),
        (Subject::Sample { model: Some(_), .. }, answer @ Answer::UseModel { .. }) => Ok(answer),
        (Subject::Sample { model: Some(_), .. }, _) if plain_yes => Ok(Answer::UseModel { params: None }),
        (Subject::SampleReply { .. }, answer @ Answer::SendReply { .. }) => Ok(answer),
        (Subject::SampleReply { .. }, _) if plain_yes => Ok(Answer::SendReply { reply: None }),
        (Subject::Rule { .. }, Answer::ChangeRule) => Ok(Answer::ChangeRule),
        (Subject::Rule { .. }, _) if plain_yes => Ok(Answer::ChangeRule),
        (Subject::Url { .. } | Subject::Sample { .. } | Subject::SampleReply { .. } | Subject::Rule { .. }, _) => Ok(Answer::Decline),
    }
}
