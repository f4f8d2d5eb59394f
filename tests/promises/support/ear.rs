//! Hears everything that the host tells.

use super::PATIENCE;
use host::Host;
use host::api::{HostEvent, Numbered};
use std::sync::Arc;
use tokio::sync::broadcast::Receiver;

/// Hears what is told from when it was made.
pub struct Ear(Receiver<Arc<Numbered>>);

impl Ear {
    pub fn new(host: &Host) -> Self {
        Self(host.follow())
    }

    /// Waits for the next event that fits.
    pub async fn until(&mut self, mut fits: impl FnMut(&HostEvent) -> bool) -> Arc<Numbered> {
        let wait = async {
            loop {
                let event = self
                    .0
                    .recv()
                    .await
                    .expect("the host has ended, or told more than could be heard");
                if fits(&event.event) {
                    return event;
                }
            }
        };
        tokio::time::timeout(PATIENCE, wait)
            .await
            .expect("it was not told")
    }

    /// What was told since the last look.
    pub fn heard(&mut self) -> Vec<Arc<Numbered>> {
        std::iter::from_fn(|| self.0.try_recv().ok()).collect()
    }
}
