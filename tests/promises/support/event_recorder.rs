//! Hears everything that the host tells.

use super::WAIT_TIMEOUT;
use host::api::{EventEnvelope, HostEvent};
use host::{Follower, Host};
use std::sync::Arc;

/// Hears what is told from when it was made.
pub struct EventRecorder(Follower);

impl EventRecorder {
    pub fn new(host: &Host) -> Self {
        Self(host.follow())
    }

    /// Waits for the next event that fits.
    pub async fn until(&mut self, mut fits: impl FnMut(&HostEvent) -> bool) -> Arc<EventEnvelope> {
        let wait = async {
            loop {
                let event = self
                    .0
                    .next()
                    .await
                    .expect("the host has ended, or told more than could be heard");
                if fits(&event.event) {
                    return event;
                }
            }
        };
        tokio::time::timeout(WAIT_TIMEOUT, wait)
            .await
            .expect("it was not told")
    }

    /// What was told since the last look.
    pub fn heard(&mut self) -> Vec<Arc<EventEnvelope>> {
        std::iter::from_fn(|| self.0.heard()?.ok()).collect()
    }
}
