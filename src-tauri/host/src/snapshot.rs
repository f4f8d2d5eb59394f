//! Everything that a surface needs on connecting.

use crate::commands::activity;
use crate::workspaces;
use api::{HostInfo, KeyringStatus, Snapshot};
use calls::{Calls, unknown_outcomes};
use servers::Core;
use store::VaultStatus;

pub(crate) async fn snapshot(calls: &Calls) -> Snapshot {
    // The number is taken first: what happens meanwhile is in the snapshot and comes once more
    // as an event.
    let seq = calls.last_event();
    let (unknown, unknown_more) = unknown_outcomes::list(calls).await;
    Snapshot {
        seq,
        info: info(calls).await,
        servers: calls.registry().views(),
        questions: calls.pending_calls().questions(),
        calls: calls.running().running(),
        unknown,
        unknown_more,
        workspaces: workspaces::views(calls).await.unwrap_or_else(|problem| {
            tracing::error!(%problem, "the workspaces could not be read");
            Vec::new()
        }),
        callers: activity::callers(calls).await,
    }
}

async fn info(core: &Core) -> HostInfo {
    let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
    HostInfo {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_dir: path(core.store().dir()),
        log_dir: path(&core.store().audit().dir()),
        keyring: match core.store().vault().status().await {
            VaultStatus::Ready => KeyringStatus::Ready,
            VaultStatus::Missing { reason } => KeyringStatus::Missing { reason },
        },
        approver: core.approver(),
    }
}
