//! What becomes of answers that are remembered.
//!
//! Always true here:
//! - one of a number of calls is counted on the disk before it has an effect;
//! - a grant that is over is taken out, and everyone is told.

use crate::remembered::Used;
use crate::{Calls, WeakCalls, catch_up};
use api::{HostError, HostEvent};
use policy::{Grant, Permission, Refusal};
use protocol::{GrantId, Timestamp};
use servers::error;
use std::time::Duration;
use store::{Entry, Event};

/// So long after a use it is noted on the disk, with all that came after it.
const NOTED_AFTER: Duration = Duration::from_secs(1);
/// How often it is looked whether grants are over.
const LOOK: Duration = Duration::from_secs(60);

/// Writes down that a grant has decided about a call. Fails if that cannot be, and it is one of a
/// number of calls.
pub async fn note(calls: &Calls, used: Option<Used>) -> Result<(), Refusal> {
    let Some(used) = used else { return Ok(()) };
    let now = calls.now();
    if used.counted {
        if let Err(error) = calls
            .store()
            .grants()
            .count(&used.grant, used.used, now)
            .await
        {
            tracing::error!(grant = %used.grant, %error, "a use of a grant could not be counted, so it has no effect");
            return Err(error::unwritten(&error.into()));
        }
        if used.over {
            lapse(calls, &used.grant).await;
        }
    } else if calls.grants().note_later(used) {
        // The call does not wait for it: the log says the same.
        let calls = calls.weak();
        tokio::spawn(async move {
            tokio::time::sleep(NOTED_AFTER).await;
            if let Some(calls) = calls.upgrade() {
                note_uses(&calls).await;
            }
        });
    }
    Ok(())
}

/// Notes on the disk how often grants were used that let any number of calls through.
pub async fn note_uses(calls: &Calls) {
    let uses = calls.grants().take_unnoted();
    if uses.is_empty() {
        return;
    }
    if let Err(error) = calls.store().grants().note_uses(uses).await {
        tracing::warn!(%error, "the last uses of grants could not be noted");
    }
}

/// Remembers an answer of `approver`: in the log first, then on the disk, then for the next call.
pub async fn make(calls: &Calls, grant: Grant, approver: Option<String>) -> Result<(), HostError> {
    let event = Event::grant_made(&grant)?;
    calls
        .record_synced(Entry {
            approver,
            ..about(&grant, grant.made_at, event)
        })
        .await?;
    calls.store().grants().insert(grant.clone()).await?;
    calls.grants().insert(grant.clone());
    calls.publish(HostEvent::GrantMade {
        grant: Box::new(grant),
    });
    Ok(())
}

/// What the log says about a grant.
pub fn about(grant: &Grant, at: Timestamp, event: Event) -> Entry {
    Entry {
        caller: Some(grant.caller.clone()),
        server: Some(grant.server.clone()),
        tool: Some(grant.tool.name.clone()),
        ..Entry::new(at, event)
    }
}

/// The grant on which a call runs, if there is one.
pub fn behind(permission: &Permission) -> Option<&GrantId> {
    match permission {
        Permission::Grant { grant } => Some(grant),
        Permission::Answer { grant, .. } => grant.as_ref(),
        Permission::Rules { .. } => None,
    }
}

/// Takes out what is over by now.
pub async fn sweep(calls: &Calls) {
    let now = calls.now();
    let over: Vec<GrantId> = calls
        .grants()
        .iter()
        .filter(|grant| !grant.holds(now))
        .map(|grant| grant.id.clone())
        .collect();
    for id in over {
        lapse(calls, &id).await;
    }
}

/// Looks from time to time whether grants are over, as long as the host is there.
pub async fn sweep_on(calls: WeakCalls) {
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(calls) = calls.upgrade() else { return };
        if calls.still_open().is_err() {
            return;
        }
        // The next call would do it, and there may be none.
        if let Err(error) = catch_up::catch_up(&calls).await {
            tracing::debug!(%error, "what was left to be written still cannot be");
        }
        sweep(&calls).await;
    }
}

async fn lapse(calls: &Calls, id: &GrantId) {
    // Whoever takes it out of the memory is the one who tells.
    let Some(grant) = calls.grants().remove(id) else {
        return;
    };
    if let Err(error) = calls.store().grants().revoke(id, calls.now()).await {
        tracing::warn!(grant = %id, %error, "a grant that is over is still in the database; it holds no more all the same");
    }
    if let Err(error) = calls.record(about(
        &grant,
        calls.now(),
        Event::GrantLapsed { grant: id.clone() },
    )) {
        tracing::warn!(grant = %id, %error, "the end of a grant could not be written to the log");
    }
    calls.publish(HostEvent::GrantLapsed { grant: id.clone() });
}
