//! What is over and is not needed any more: removed when the host starts, and once a day.
//!
//! Always true here: what still waits for somebody stays, however old it is.

use crate::{Calls, WeakCalls};
use std::time::Duration;

/// How often it is looked.
const LOOK: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes what has been over for long enough.
pub async fn tidy(calls: &Calls) {
    let (store, now) = (calls.store(), calls.now());
    if let Err(error) = store.waiting().tidy(now).await {
        tracing::warn!(%error, "questions that are long over could not be removed; they are tomorrow");
    }
    if let Err(error) = store.full_results().tidy(now).await {
        tracing::warn!(%error, "old texts of answers could not be removed; they are tomorrow");
    }
}

/// Does so every day, as long as the host is there.
pub async fn tidy_on(calls: WeakCalls) {
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(calls) = calls.upgrade() else { return };
        if calls.still_open().is_err() {
            return;
        }
        tidy(&calls).await;
    }
}
