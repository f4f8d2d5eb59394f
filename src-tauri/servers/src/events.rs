//! Tells every surface what happened. Events are numbered without gaps; who misses one asks for a
//! snapshot.

use api::{EventEnvelope, HostEvent};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{broadcast, watch};

/// How many events a slow surface may be behind before it misses some.
const BACKLOG: usize = 1024;

#[derive(Debug)]
pub(crate) struct Events {
    // Number and sending under one lock, so that numbers arrive in order.
    last: Mutex<u64>,
    sender: broadcast::Sender<Arc<EventEnvelope>>,
    decisive: watch::Sender<u64>,
}

impl Events {
    pub(crate) fn new() -> Self {
        Self {
            last: Mutex::new(0),
            sender: broadcast::Sender::new(BACKLOG),
            decisive: watch::Sender::new(0),
        }
    }

    pub fn publish(&self, event: HostEvent) {
        if is_decisive(&event) {
            self.decisive.send_modify(|count| *count += 1);
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last += 1;
        // Nobody listening is no error.
        let _ = self
            .sender
            .send(Arc::new(EventEnvelope { seq: *last, event }));
    }

    pub(crate) fn last(&self) -> u64 {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn follow(&self) -> broadcast::Receiver<Arc<EventEnvelope>> {
        self.sender.subscribe()
    }

    /// Moves on whenever something happened that may change what is decided.
    pub(crate) fn decisive_changes(&self) -> watch::Receiver<u64> {
        self.decisive.subscribe()
    }
}

/// Whether it may change what becomes of a question that waits.
fn is_decisive(event: &HostEvent) -> bool {
    matches!(
        event,
        HostEvent::GrantMade { .. }
            | HostEvent::ToolsChanged { .. }
            | HostEvent::OffersChanged { .. }
            | HostEvent::ServerChanged { .. }
            | HostEvent::ServerRemoved { .. }
            | HostEvent::PolicyChanged
    )
}
