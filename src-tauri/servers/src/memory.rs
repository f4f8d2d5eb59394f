//! Memory that was needed for what servers said, and is not any more.

use crate::servers::WeakServers;
use sandbox::memory::{resident, trim};
use std::time::Duration;

/// How often it is looked.
const LOOK: Duration = Duration::from_secs(30);
/// So many bytes more than after the last time are worth the trouble. Of what a besieged host takes
/// they are less than a tenth.
const MUCH: u64 = 16 * 1024 * 1024;

/// Gives memory back to the system from time to time, as long as the host is there: long answers
/// leave many small pieces.
pub async fn give_back_on(servers: WeakServers) {
    let Some(mut least) = resident() else { return };
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(servers) = servers.upgrade() else {
            return;
        };
        if servers.still_open().is_err() {
            return;
        }
        let now = resident().unwrap_or(least);
        if now > least + MUCH {
            // Others may wait for this thread. A look that panicked has given back nothing.
            let _ = tokio::task::spawn_blocking(trim).await;
            least = resident().unwrap_or(now);
        } else {
            least = least.min(now);
        }
    }
}
