//! Tells every surface what happened. Events are numbered without gaps; who misses one asks for a snapshot.

use crate::api::{HostEvent, Numbered};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::broadcast;

/// How many events a slow surface may be behind before it misses some.
const BACKLOG: usize = 1024;

#[derive(Debug)]
pub(crate) struct Events {
    // Number and sending under one lock, so that numbers arrive in order.
    last: Mutex<u64>,
    sender: broadcast::Sender<Arc<Numbered>>,
}

impl Events {
    pub(crate) fn new() -> Self {
        Self { last: Mutex::new(0), sender: broadcast::Sender::new(BACKLOG) }
    }

    pub(crate) fn tell(&self, event: HostEvent) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last += 1;
        // Nobody listening is no error.
        let _ = self.sender.send(Arc::new(Numbered { seq: *last, event }));
    }

    pub(crate) fn last(&self) -> u64 {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn follow(&self) -> broadcast::Receiver<Arc<Numbered>> {
        self.sender.subscribe()
    }
}
