//! Calls that were sent and of whose end nobody knows: shown until a person has seen them, and
//! never made again by themselves.

use api::ActivityDetail;
use api::{ErrorCode, HostError, HostEvent, UnknownCall};
use protocol::CallId;
use servers::{Core, Surface, error};
use store::{Entry, Event};

/// All of them, oldest first.
pub async fn list(core: &Core) -> Vec<UnknownCall> {
    match core.store().audit().unknown().await {
        Ok(all) => all.into_iter().filter_map(of).collect(),
        Err(error) => {
            tracing::error!(%error, "calls of which nobody knows the end could not be read");
            Vec::new()
        }
    }
}

/// Tells every surface that they are not the same as before.
pub async fn changed(core: &Core) {
    core.publish(HostEvent::UnknownChanged {
        unknown: list(core).await,
    });
}

/// Notes that a person has seen one.
pub async fn note(core: &Core, call: &CallId, surface: &Surface) -> Result<(), HostError> {
    let unknown = list(core)
        .await
        .into_iter()
        .find(|unknown| unknown.call == *call);
    let unknown = unknown.ok_or_else(|| {
        error::host(
            ErrorCode::UnknownCall,
            format!("{call} is none of which nobody knows the end"),
        )
    })?;
    let entry = Entry {
        call: Some(unknown.call),
        server: Some(unknown.server),
        tool: Some(unknown.tool),
        ..surface.decided(core, Event::UnknownNoted)
    };
    core.record_synced(entry).await?;
    core.store().waiting().noted(call, core.now()).await?;
    changed(core).await;
    Ok(())
}

fn of(detail: ActivityDetail) -> Option<UnknownCall> {
    Some(UnknownCall {
        call: detail.call?,
        caller: detail.row.caller?,
        server: detail.row.server?,
        tool: detail.row.tool?,
        sent_at: detail.row.at,
        arguments: detail.arguments.unwrap_or_default(),
    })
}
