//! Calls that were sent and of whose end nobody knows: shown until a person has seen them, and never made again by themselves.

use crate::api::{ErrorCode, HostError, HostEvent, UnknownCall};
use crate::{Host, Surface, error};
use protocol::CallId;
use store::{ActivityDetail, Entry, Event};

/// All of them, oldest first.
pub(crate) async fn list(host: &Host) -> Vec<UnknownCall> {
    match host.store().audit().unknown().await {
        Ok(all) => all.into_iter().filter_map(of).collect(),
        Err(error) => {
            tracing::error!(%error, "calls of which nobody knows the end could not be read");
            Vec::new()
        }
    }
}

/// Tells every surface that they are not the same as before.
pub(crate) async fn changed(host: &Host) {
    host.tell(HostEvent::UnknownChanged { unknown: list(host).await });
}

/// Notes that a person has seen one.
pub(crate) async fn note(host: &Host, call: &CallId, surface: &Surface) -> Result<(), HostError> {
    if !surface.is_person(host) {
        return Err(error::host(ErrorCode::OnlyForThePerson, "that a person has seen it is said in the window, or on a terminal"));
    }
    let unknown = list(host).await.into_iter().find(|unknown| unknown.call == *call);
    let unknown = unknown.ok_or_else(|| error::host(ErrorCode::UnknownCall, format!("{call} is none of which nobody knows the end")))?;
    let entry = Entry {
        at: host.now(),
        call: Some(unknown.call),
        caller: Some(surface.caller.clone()),
        approver: Some(surface.decides().to_owned()),
        server: Some(unknown.server),
        tool: Some(unknown.tool),
        event: Event::UnknownNoted,
    };
    host.record_synced(entry).await?;
    host.store().journal().noted(call, host.now()).await?;
    changed(host).await;
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
