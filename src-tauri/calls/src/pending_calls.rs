//! Everything that waits for a person, by its question, until it is over: what an answer would make
//! of a call can be found out before it is given.

use policy::waiting::{Effect, Event, Resolution, Waiting};
use policy::{Pending, Question};
use protocol::{GrantId, QuestionId};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::{oneshot, watch};

/// All of it.
#[derive(Default)]
pub struct PendingCalls {
    all: Mutex<BTreeMap<QuestionId, Open>>,
}

/// One of them.
pub(crate) struct Open {
    pub(crate) question: Question,
    /// The call, if it is about one.
    pub pending: Option<Pending>,
    pub(crate) life: Waiting,
    pub(crate) resolve: Option<oneshot::Sender<Resolution>>,
    pub(crate) applied: watch::Sender<Option<Applied>>,
    /// Moves on when an answer could not be taken, and the question waits again.
    pub(crate) reopened: watch::Sender<()>,
}

/// An answer has had its effect.
#[derive(Debug, Clone)]
pub struct Applied {
    /// The grant that came of it.
    pub grant: Option<GrantId>,
}

impl PendingCalls {
    pub(crate) fn lock(&self) -> MutexGuard<'_, BTreeMap<QuestionId, Open>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Questions that wait for an answer, oldest first.
    pub fn questions(&self) -> Vec<Question> {
        let all = self.lock();
        let waiting = all.values().filter(|open| open.life.is_open());
        let mut questions: Vec<Question> = waiting.map(|open| open.question.clone()).collect();
        questions.sort_by_key(|question| question.asked_at);
        questions
    }

    /// A question that waits for an answer.
    pub(crate) fn question(&self, id: &QuestionId) -> Option<Question> {
        let all = self.lock();
        let open = all.get(id).filter(|open| open.life.is_open())?;
        Some(open.question.clone())
    }

    /// The call of a question.
    pub fn pending(&self, id: &QuestionId) -> Option<Pending> {
        self.lock().get(id)?.pending.clone()
    }

    /// Calls that wait for an answer.
    pub fn all(&self) -> Vec<(QuestionId, Pending)> {
        let all = self.lock();
        let waiting = all.iter().filter(|(_, open)| open.life.is_open());
        waiting
            .filter_map(|(id, open)| Some((id.clone(), open.pending.clone()?)))
            .collect()
    }

    /// Follows what comes of an answer.
    pub fn follow(&self, id: &QuestionId) -> Option<watch::Receiver<Option<Applied>>> {
        self.lock().get(id).map(|open| open.applied.subscribe())
    }

    /// Follows whether a question waits again, as its answer could not be taken.
    pub(crate) fn reopened(&self, id: &QuestionId) -> watch::Receiver<()> {
        // Of one that is over there is nothing to follow.
        let follow = |open: &Open| open.reopened.subscribe();
        let over = || watch::Sender::new(()).subscribe();
        self.lock().get(id).map_or_else(over, follow)
    }

    /// Tells who waits for an answer that the last one could not be taken.
    pub(crate) fn reopen(&self, id: &QuestionId) {
        if let Some(open) = self.lock().get(id) {
            open.reopened.send_replace(());
        }
    }

    /// Takes an event; nothing if it does not fit.
    pub(crate) fn on(&self, id: &QuestionId, event: Event) -> Option<(Question, Vec<Effect>)> {
        let mut all = self.lock();
        let open = all.get_mut(id)?;
        let effects = open.life.on(event)?;
        Some((open.question.clone(), effects))
    }

    /// Tells whoever waits, who may have gone in this moment.
    pub(crate) fn resolve(&self, id: &QuestionId, resolution: Resolution) {
        let resolve = self.lock().get_mut(id).and_then(|open| open.resolve.take());
        if let Some(resolve) = resolve {
            let _ = resolve.send(resolution);
        }
    }
}
