//! Connections at one door that have shown no valid token yet.
//!
//! Always true here:
//! - there are at most [`MOST`]; one too many sends the oldest away, so that a flood keeps nobody
//!   out;
//! - only the check of a token takes a connection out of the count.

use crate::guard::Admitted;
use crate::guests::Place;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::Notify;

/// How many there are at most.
pub(crate) const MOST: usize = 64;

/// All of them. Cloning gives another handle to the same ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strangers(Arc<Mutex<Inside>>);

#[derive(Debug, Default)]
struct Inside {
    next: u64,
    /// By when they came.
    waiting: BTreeMap<u64, Arc<Notify>>,
}

/// A connection's place among them, until its end.
#[derive(Debug)]
pub(crate) struct Stranger {
    number: u64,
    dismissed: Arc<Notify>,
    known: AtomicBool,
    /// Its place among the connections of an application, once it is known as one.
    place: OnceLock<Place>,
    all: Strangers,
}

impl Strangers {
    /// A connection that has just come. If it is one too many, the oldest is sent away.
    pub(crate) fn enter(&self) -> Stranger {
        let mut inside = self.inside();
        let number = inside.next;
        inside.next += 1;
        let dismissed = Arc::new(Notify::new());
        inside.waiting.insert(number, dismissed.clone());
        if inside.waiting.len() > MOST
            && let Some((_, oldest)) = inside.waiting.pop_first()
        {
            oldest.notify_one();
        }
        Stranger {
            number,
            dismissed,
            known: AtomicBool::new(false),
            place: OnceLock::new(),
            all: self.clone(),
        }
    }

    /// Sends all of them away.
    pub(crate) fn dismiss_all(&self) {
        for (_, stranger) in std::mem::take(&mut self.inside().waiting) {
            stranger.notify_one();
        }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stranger {
    /// It has shown a valid token, and is none any more. False if it was sent away meanwhile.
    pub(crate) fn is_known(&self, _: &Admitted) -> bool {
        if self.all.inside().waiting.remove(&self.number).is_some() {
            self.known.store(true, Ordering::Relaxed);
        }
        self.known.load(Ordering::Relaxed)
    }

    /// Whether it has a place among the connections of an application, or takes one.
    pub(crate) fn has_place(&self, enter: impl FnOnce() -> Option<Place>) -> bool {
        if self.place.get().is_some() {
            return true;
        }
        enter().is_some_and(|place| {
            // One request of a connection comes after the other.
            let _ = self.place.set(place);
            true
        })
    }

    /// Waits until it is sent away.
    pub(crate) async fn dismissed(&self) {
        self.dismissed.notified().await;
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.all.inside().waiting.remove(&self.number);
    }
}
