//! Calls that wait for a person, by their question: what an answer would make of them can be found out before it is given.

use crate::Host;
use policy::Pending;
use protocol::{GrantId, QuestionId};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// All of them.
#[derive(Default)]
pub(crate) struct Pendings(Mutex<BTreeMap<QuestionId, Open>>);

struct Open {
    pending: Pending,
    /// Closed when the answer has had its effect; the value is the grant that came of it.
    made: watch::Sender<Option<GrantId>>,
}

/// Keeps a call listed until it is dropped.
pub(crate) struct Listed {
    host: Host,
    id: QuestionId,
}

impl Pendings {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<QuestionId, Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, id: &QuestionId) -> Option<Pending> {
        self.lock().get(id).map(|open| open.pending.clone())
    }

    pub(crate) fn all(&self) -> Vec<(QuestionId, Pending)> {
        self.lock().iter().map(|(id, open)| (id.clone(), open.pending.clone())).collect()
    }

    /// Follows what comes of a question.
    pub(crate) fn follow(&self, id: &QuestionId) -> Option<watch::Receiver<Option<GrantId>>> {
        self.lock().get(id).map(|open| open.made.subscribe())
    }
}

impl Listed {
    pub(crate) fn new(host: &Host, id: &QuestionId, pending: &Pending) -> Self {
        let open = Open { pending: pending.clone(), made: watch::Sender::new(None) };
        host.pendings().lock().insert(id.clone(), open);
        Self { host: host.clone(), id: id.clone() }
    }

    /// A grant came of the answer.
    pub(crate) fn made(&self, grant: &GrantId) {
        if let Some(open) = self.host.pendings().lock().get(&self.id) {
            open.made.send_replace(Some(grant.clone()));
        }
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.host.pendings().lock().remove(&self.id);
    }
}
