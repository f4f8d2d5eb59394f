//! Whether what is sent arrives.

use protocol::Timestamp;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether what is sent arrives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// When something last arrived.
    pub sent_at: Option<Timestamp>,
    /// Why the last attempt failed, if it did.
    pub problem: Option<String>,
    /// How many spans were dropped, because the collector did not take them in time.
    pub dropped: u64,
}

/// The place where it is noted.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    last: Mutex<Status>,
    dropped: AtomicU64,
}

impl Notes {
    pub(crate) fn arrived(&self, at: Option<Timestamp>) {
        let mut last = self.last();
        last.sent_at = at.or(last.sent_at);
        last.problem = None;
    }

    pub(crate) fn failed(&self, problem: String) {
        self.last().problem = Some(problem);
    }

    pub(crate) fn dropped(&self, spans: usize) {
        self.dropped
            .fetch_add(u64::try_from(spans).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn status(&self) -> Status {
        Status {
            dropped: self.dropped.load(Ordering::Relaxed),
            ..self.last().clone()
        }
    }

    fn last(&self) -> MutexGuard<'_, Status> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
