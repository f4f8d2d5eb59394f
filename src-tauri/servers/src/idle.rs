//! Ends a server that nobody has used for a while; its next use starts it again.
//!
//! Always true here:
//! - one that is in use, or is watched for somebody, is not ended, and one that a person keeps
//!   running neither;
//! - who begins to use a server in the same moment finds it running, or resting.

use crate::WeakServers;
use crate::registry::Idle;
use protocol::ServerId;
use std::pin::pin;

/// Looks after one start of a server, until its end.
pub(crate) async fn end_when_idle(servers: WeakServers, id: ServerId, generation: u64) {
    let Some((mut wait, over)) = servers.upgrade().and_then(|servers| {
        let over = servers.registry().over(&id, generation).ok()?;
        Some((servers.idle_time(), over))
    }) else {
        return;
    };
    let mut over = pin!(over);
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = &mut over => return,
        }
        let Some(servers) = servers.upgrade() else {
            return;
        };
        // Until nothing of it is left it is not started again.
        let Ok(_ending) = servers.registry().ending(&id).await else {
            return;
        };
        match servers
            .registry()
            .rest(&id, generation, servers.idle_time())
        {
            Ok(Idle::Rests(connection)) => {
                tracing::info!(server = %id, "ended: nobody has used it for a while");
                servers.tell_changed(&id);
                connection.stop().await;
                return;
            }
            Ok(Idle::GoesOn(time)) => wait = time,
            Ok(Idle::Gone) | Err(_) => return,
        }
    }
}
