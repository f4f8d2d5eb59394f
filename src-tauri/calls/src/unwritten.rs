//! What has happened and could not be written down, as on a full disk.
//!
//! Always true here: it is written before another call begins, and soon after there is room. So
//! there is no more of it than was under way when the disk filled, and no call that is over is taken
//! up by a later run.

use policy::waiting::End;
use protocol::QuestionId;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::Entry;
use tokio::sync::MutexGuard as Turn;

/// All of it, oldest first.
#[derive(Default)]
pub(crate) struct Unwritten {
    all: Mutex<VecDeque<Late>>,
    turn: tokio::sync::Mutex<()>,
}

/// One thing that is still to be written.
#[derive(Clone)]
pub(crate) enum Late {
    /// Of the log.
    Record(Box<Entry>),
    /// That a question, or the call that it is about, is over.
    Ended(QuestionId, End),
}

impl Unwritten {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Late>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps one for later.
    pub(crate) fn keep(&self, late: Late) {
        self.lock().push_back(late);
    }

    /// The one that is to be written first.
    pub(crate) fn first(&self) -> Option<Late> {
        self.lock().front().cloned()
    }

    /// The first one is written.
    pub(crate) fn written(&self) {
        self.lock().pop_front();
    }

    /// Waits until nobody else writes them.
    pub(crate) async fn turn(&self) -> Turn<'_, ()> {
        self.turn.lock().await
    }
}
