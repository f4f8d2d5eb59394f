//! Calls that were sent and of whose end nobody knows: shown until a person has seen them, and
//! never made again by themselves.
//!
//! Always true here: no call waits until they are read, those that come together are told together,
//! and what is told at once is bounded in number and in bytes, however many there are.

use crate::Calls;
use api::ActivityDetail;
use api::{ErrorCode, HostError, HostEvent, UnknownCall};
use protocol::CallId;
use servers::{Core, Surface, error};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::{Entry, Event};
use tokio::sync::Mutex;
use tokio::time::sleep;

/// For how long those that come together are gathered before they are told.
const GATHER: Duration = Duration::from_millis(100);

/// Whether they are about to be told.
#[derive(Default)]
pub(crate) struct Telling {
    is_due: AtomicBool,
    /// Held while they are read and told, so that the last word is the one that holds.
    turn: Mutex<()>,
}

/// The oldest of them, oldest first, and how many more there are.
pub async fn list(core: &Core) -> (Vec<UnknownCall>, u32) {
    match core.store().audit().unknown().await {
        Ok(all) => {
            let more = u32::try_from(all.more).unwrap_or(u32::MAX);
            (all.first.into_iter().filter_map(of).collect(), more)
        }
        Err(error) => {
            tracing::error!(%error, "calls of which nobody knows the end could not be read");
            Default::default()
        }
    }
}

/// Has every surface told soon that they are not the same as before.
pub(crate) fn changed(calls: &Calls) {
    if calls
        .running()
        .unknown()
        .is_due
        .swap(true, Ordering::SeqCst)
    {
        return;
    }
    let calls = calls.weak();
    tokio::spawn(async move {
        sleep(GATHER).await;
        if let Some(calls) = calls.upgrade()
            && calls.still_open().is_ok()
        {
            tell(&calls).await;
        }
    });
}

async fn tell(calls: &Calls) {
    let telling = calls.running().unknown();
    let _turn = telling.turn.lock().await;
    // What changes while they are read is told after it.
    telling.is_due.store(false, Ordering::SeqCst);
    let (unknown, more) = list(calls).await;
    calls.publish(HostEvent::UnknownChanged { unknown, more });
}

/// Notes that a person has seen one.
pub async fn note(calls: &Calls, call: &CallId, surface: &Surface) -> Result<(), HostError> {
    let found = calls.store().audit().unknown_call(call.clone()).await?;
    let unknown = found.and_then(of).ok_or_else(|| {
        error::host(
            ErrorCode::UnknownCall,
            format!("{call} is none of which nobody knows the end"),
        )
    })?;
    let entry = Entry {
        call: Some(unknown.call),
        server: Some(unknown.server),
        tool: Some(unknown.tool),
        ..surface.decided(calls, Event::UnknownNoted)
    };
    calls.record_synced(entry).await?;
    calls.store().waiting().noted(call, calls.now()).await?;
    tell(calls).await;
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
