//! Questions that wait for a person, and the calls that wait for their answers.
//!
//! Always true here:
//! - what becomes of a question is said by `policy::waiting` alone; here it is done, in its order;
//! - a question is in the store before anyone sees it, and one about a call outlives the
//!   application;
//! - the first answer wins, and it is in the log, synced, before it has an effect;
//! - late, closed, withdrawn and lost all mean no.

mod answering;
mod driver;
mod guard;
mod log;
mod reevaluate;
mod rounds;
mod span;

pub use answering::{answer, settle_folders};
pub(crate) use driver::persist;
pub(crate) use guard::PendingGuard;
pub use reevaluate::would_settle;
pub(crate) use rounds::{CallRounds, perform};

use crate::Calls;
use crate::floods::Source;
use crate::found::Found;
use driver::drive;
use policy::waiting::{Event, Resolution, Superseded};
use policy::{Decision, Pending, PermittedCall, Question, Refusal, Subject};
use protocol::{CallerKind, QuestionId};
use servers::{Approver, Core, error};
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

/// How long a program waits for a person where nobody is there who could see the question. They may
/// be about to come.
const ATTENDED: Duration = Duration::from_secs(120);
/// How often is looked whether anybody is there.
const LOOK: Duration = Duration::from_secs(1);

/// What came of the waiting.
pub(crate) enum Waited {
    /// A person has answered.
    Answered(Decision),
    /// Something else has allowed the call.
    Allowed(Box<PermittedCall>, Box<Found>),
    /// No.
    Refused(Refusal),
    /// The application ends, and the next run takes the question up.
    LeftToNextRun,
}

/// Asks about anything but a call, and waits for the answer. `withdrawn` ends the waiting.
pub async fn ask(
    calls: &Calls,
    question: Question,
    withdrawn: &CancellationToken,
) -> Result<Decision, Refusal> {
    let _room = calls
        .floods()
        .enter(Source::of(&question), calls.now())
        .ok_or(Refusal::TooManyQuestions)?;
    let mut guard = Box::pin(put(calls, question, None)).await?;
    match Box::pin(guard.wait(withdrawn)).await {
        Waited::Answered(answer) => Ok(answer),
        Waited::Refused(refusal) => Err(refusal),
        // Neither fits a question that is about no call.
        Waited::Allowed(..) | Waited::LeftToNextRun => Err(Refusal::QuestionClosed),
    }
}

/// A no in the name of whoever gave it: who holds the approver token is a program, and no person.
pub async fn as_denied(calls: &Calls, question: &QuestionId, refusal: Refusal) -> Refusal {
    let Refusal::DeniedByPerson { reason } = refusal else {
        return refusal;
    };
    match calls.store().audit().answered_by(question).await {
        Ok(Some(approver)) if approver == Approver::Token.key() => {
            Refusal::DeniedByToken { reason }
        }
        Ok(_) => Refusal::DeniedByPerson { reason },
        Err(error) => {
            tracing::warn!(%question, %error, "who said no could not be read");
            Refusal::DeniedByPerson { reason }
        }
    }
}

/// Writes a question down and shows it. Whoever asks has taken room for it.
pub(crate) async fn put(
    calls: &Calls,
    question: Question,
    pending: Option<&Pending>,
) -> Result<PendingGuard, Refusal> {
    let guard = PendingGuard::enter(calls, question, pending.cloned());
    match drive(calls, guard.id(), Event::Asked, None).await {
        Ok(_) => Ok(guard),
        Err(error) => {
            tracing::error!(question = %guard.id(), %error, "a question could not be written down; the answer is no");
            let _ = drive(calls, guard.id(), Event::Failed, None).await;
            guard.settled().await;
            Err(error::unwritten(&error))
        }
    }
}

impl PendingGuard {
    /// Waits until the question is over, at the latest when it expires.
    pub(crate) async fn wait(&mut self, withdrawn: &CancellationToken) -> Waited {
        let (calls, question) = (self.calls().clone(), self.question().clone());
        span::asked(&calls, &question, self.waited(&question, withdrawn)).await
    }

    async fn waited(&mut self, question: &Question, withdrawn: &CancellationToken) -> Waited {
        let calls = self.calls().clone();
        let mut changes = calls.decisive_changes();
        // What changed until the question was shown was told to nobody who waited for it.
        changes.mark_changed();
        let pending = calls.pending_calls().pending(&question.id);
        let mut reopened = calls.pending_calls().reopened(&question.id);
        let lapses = tokio::time::sleep(question.expires_at.since(calls.now()));
        tokio::pin!(lapses);
        let by_program = is_by_program(question);
        let mut look = interval_at(Instant::now() + LOOK, LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let resolution = loop {
            let event = tokio::select! {
                biased;
                resolution = self.resolution() => break resolution,
                () = withdrawn.cancelled() => leaves(&calls),
                () = &mut lapses => Event::Lapsed,
                _ = look.tick(), if by_program => {
                    let is_early = calls.now().since(question.asked_at) < ATTENDED;
                    if is_early || calls.is_anybody_there() {
                        continue;
                    }
                    Event::Superseded(Superseded::ByRefusal(Refusal::NobodyThere))
                }
                Ok(()) = changes.changed(), if pending.is_some() => {
                    if let Some(pending) = &pending
                        && let Some(settled) = reevaluate::reevaluate(&calls, pending, &question.id).await
                    {
                        return settled;
                    }
                    continue;
                }
            };
            if !matches!(drive(&calls, &question.id, event, None).await, Ok(false)) {
                break self.resolution().await;
            }
            // It is being answered. That counts, if it can be written down; else it waits again.
            tokio::select! {
                biased;
                resolution = self.resolution() => break resolution,
                Ok(()) = reopened.changed() => {}
            }
        };
        self.resolved(resolution, withdrawn).await
    }

    async fn resolved(&self, resolution: Resolution, withdrawn: &CancellationToken) -> Waited {
        match resolution {
            // Whoever waited has gone while it was being answered. Nothing runs now, and the log
            // says that it was allowed.
            Resolution::Answered(_) if withdrawn.is_cancelled() => {
                let event = leaves(self.calls());
                match drive(self.calls(), self.id(), event, None).await {
                    Ok(true) => Waited::LeftToNextRun,
                    _ => Waited::Refused(Refusal::Cancelled),
                }
            }
            Resolution::Answered(answer) => Waited::Answered(*answer),
            Resolution::Refused(refusal) => Waited::Refused(refusal),
            Resolution::LeftToNextRun => Waited::LeftToNextRun,
            // Only what was permitted runs, and that is in nobody's hands here.
            Resolution::Allowed => Waited::Refused(Refusal::ChangedWhileAsking),
        }
    }

    /// Writes down that the call is about to be sent. Fails if it must not be.
    pub(crate) async fn sends(&self) -> Result<(), Refusal> {
        match drive(self.calls(), self.id(), Event::Sends, None).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Refusal::NoTrace),
            Err(error) => Err(error::unwritten(&error)),
        }
    }

    /// The end of the call is in the log.
    pub(crate) async fn settled(&self) {
        if let Err(error) = drive(self.calls(), self.id(), Event::Settled, None).await {
            tracing::warn!(question = %self.id(), %error, "the end of a call could not be noted; the log has it");
        }
    }
}

/// Whether it is another application that waits for the answer. It cannot look for a person.
fn is_by_program(question: &Question) -> bool {
    matches!(
        &question.subject,
        Subject::Call { caller, left_over: false, .. } if *caller.kind() == CallerKind::Client
    )
}

/// Withdrawn, either by whoever asked or because the application ends.
fn leaves(core: &Core) -> Event {
    if core.leaving().is_cancelled() {
        Event::HostEnds
    } else {
        Event::Withdrawn
    }
}

/// Refuses all questions about calls: what they were asked for is not in use any more.
pub async fn refuse_calls(calls: &Calls, refusal: &Refusal) {
    for (id, _) in calls.pending_calls().all() {
        let event = Event::Superseded(Superseded::ByRefusal(refusal.clone()));
        // It says by itself what went wrong, and whoever waited may have gone in this moment.
        let _ = drive(calls, &id, event, None).await;
    }
}

/// Closes a question without an answer, as when its window is closed: a no.
pub fn close(calls: &Calls, id: &QuestionId) {
    let (calls, id) = (calls.clone(), id.clone());
    tokio::spawn(async move {
        let _ = drive(&calls, &id, Event::Closed, None).await;
    });
}
