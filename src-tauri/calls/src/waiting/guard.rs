//! Keeps a question as long as somebody waits for its answer.
//!
//! Always true here: however the waiting ends, even by being dropped, the question stays on
//! nobody's screen.

use crate::pending_calls::{Applied, Open};
use crate::{Calls, took};
use api::HostEvent;
use policy::waiting::{Resolution, Waiting};
use policy::{Pending, Question, Refusal};
use protocol::{GrantId, QuestionId};
use tokio::sync::{oneshot, watch};

/// Keeps a question, and the call that it is about, until it is dropped.
pub(crate) struct PendingGuard {
    calls: Calls,
    question: Box<Question>,
    resolved: oneshot::Receiver<Resolution>,
}

impl PendingGuard {
    /// A question that nobody has written down yet.
    pub(crate) fn enter(calls: &Calls, question: Question, pending: Option<Pending>) -> Self {
        Self::again(calls, question, pending, Waiting::default())
    }

    /// One of an earlier run.
    pub(crate) fn again(
        calls: &Calls,
        question: Question,
        pending: Option<Pending>,
        life: Waiting,
    ) -> Self {
        let (resolve, resolved) = oneshot::channel();
        let open = Open {
            question: question.clone(),
            pending,
            life,
            resolve: Some(resolve),
            applied: watch::Sender::new(None),
            reopened: watch::Sender::new(()),
        };
        calls
            .pending_calls()
            .lock()
            .insert(question.id.clone(), open);
        Self {
            calls: calls.clone(),
            question: Box::new(question),
            resolved,
        }
    }

    pub(crate) fn id(&self) -> &QuestionId {
        &self.question.id
    }

    pub(crate) fn question(&self) -> &Question {
        &self.question
    }

    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// What whoever waits is told.
    pub(crate) async fn resolution(&mut self) -> Resolution {
        let closed = Resolution::Refused(Refusal::QuestionClosed);
        (&mut self.resolved).await.unwrap_or(closed)
    }

    /// The answer has had its effect.
    pub(crate) fn applied(&self, grant: Option<GrantId>) {
        if let Some(open) = self.calls.pending_calls().lock().get(self.id()) {
            open.applied.send_replace(Some(Applied { grant }));
        }
    }
}

impl Drop for PendingGuard {
    fn drop(&mut self) {
        let gone = self.calls.pending_calls().lock().remove(self.id());
        // Whoever asked has gone without a word. The next start notes in the store that it lapsed.
        if gone.is_some_and(|open| open.life.is_open()) {
            took::stop_to_wait(self.calls.running(), &self.question, self.calls.now());
            self.calls.publish(HostEvent::QuestionClosed {
                question: self.id().clone(),
            });
        }
    }
}
