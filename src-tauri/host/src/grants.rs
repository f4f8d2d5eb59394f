//! What was answered for later calls, at hand for every call.
//!
//! Always true here:
//! - a lookup looks at the grants of one caller, server and tool, however many there are;
//! - one of a number of calls is counted in the moment in which it is decided, and on the disk before it has an effect;
//! - a grant that is over is taken out, and everyone is told.

use crate::Host;
use crate::api::{HostError, HostEvent};
use crate::host::WeakHost;
use policy::{Grant, Permission};
use protocol::{Caller, GrantId, Timestamp, ToolCall, ToolName};
use std::collections::HashMap;
use std::time::Duration;
use store::{Entry, Event};

/// How often it is looked whether grants are over.
const LOOK: Duration = Duration::from_secs(60);

/// All grants that hold, by whom, where and what they are for.
#[derive(Debug, Default)]
pub(crate) struct Remembered(HashMap<Key, Vec<Grant>>);

type Key = (Caller, String, ToolName);

/// A grant has decided about a call, and is counted in the memory.
#[derive(Debug)]
#[must_use = "what is counted in the memory only is forgotten in a crash"]
pub(crate) struct Used {
    grant: GrantId,
    used: u32,
    counted: bool,
    over: bool,
}

impl Remembered {
    pub(crate) fn new(grants: Vec<Grant>) -> Self {
        let mut remembered = Self::default();
        for grant in grants {
            remembered.insert(grant);
        }
        remembered
    }

    /// Those for this caller, server and tool, oldest first.
    pub(crate) fn of(&self, call: &ToolCall) -> &[Grant] {
        self.0.get(&(call.caller.clone(), call.server.key(), call.tool.clone())).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.0.values().flatten()
    }

    /// All of them, oldest first.
    pub(crate) fn all(&self) -> Vec<Grant> {
        let mut all: Vec<Grant> = self.iter().cloned().collect();
        all.sort_by(|a, b| (a.made_at, a.id.as_str()).cmp(&(b.made_at, b.id.as_str())));
        all
    }

    pub(crate) fn insert(&mut self, grant: Grant) {
        let key = (grant.caller.clone(), grant.server.key(), grant.tool.name.clone());
        self.0.entry(key).or_default().push(grant);
    }

    pub(crate) fn remove(&mut self, id: &GrantId) -> Option<Grant> {
        let of_it = self.0.values_mut().find(|grants| grants.iter().any(|grant| grant.id == *id))?;
        let position = of_it.iter().position(|grant| grant.id == *id)?;
        let removed = of_it.remove(position);
        self.0.retain(|_, grants| !grants.is_empty());
        Some(removed)
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&Grant) -> bool) {
        for grants in self.0.values_mut() {
            grants.retain(&keep);
        }
        self.0.retain(|_, grants| !grants.is_empty());
    }

    /// Counts that a grant has decided about this call. The lock under which it was decided is still held.
    pub(crate) fn count(&mut self, call: &ToolCall, id: &GrantId, now: Timestamp) -> Option<Used> {
        let grants = self.0.get_mut(&(call.caller.clone(), call.server.key(), call.tool.clone()))?;
        let grant = grants.iter_mut().find(|grant| grant.id == *id)?;
        grant.used = grant.used.saturating_add(1);
        grant.last_used_at = Some(now);
        Some(Used { grant: id.clone(), used: grant.used, counted: grant.is_counted(), over: !grant.holds(now) })
    }

    /// Takes a count back that had no effect and is not on the disk.
    pub(crate) fn uncount(&mut self, used: &Used) {
        for grant in self.0.values_mut().flatten().filter(|grant| grant.id == used.grant) {
            grant.used = grant.used.saturating_sub(1);
        }
    }
}

/// Writes down that a grant has decided about a call. False if it could not be, and it is one of a number of calls.
pub(crate) async fn note(host: &Host, used: Option<Used>) -> bool {
    let Some(used) = used else { return true };
    let now = host.now();
    if used.counted {
        if let Err(error) = host.store().grants().count(&used.grant, used.used, now).await {
            tracing::error!(grant = %used.grant, %error, "a use of a grant could not be counted, so it has no effect");
            return false;
        }
        if used.over {
            lapse(host, &used.grant).await;
        }
    } else {
        // The call does not wait for it: the log says the same.
        let host = host.clone();
        tokio::spawn(async move {
            if let Err(error) = host.store().grants().used(&used.grant, now).await {
                tracing::warn!(grant = %used.grant, %error, "the last use of a grant could not be noted");
            }
        });
    }
    true
}

/// Remembers an answer of `approver`: in the log first, then on the disk, then for the next call.
pub(crate) async fn make(host: &Host, grant: Grant, approver: Option<String>) -> Result<(), HostError> {
    let (scope, effect, arguments) = (grant.scope.clone(), Some(grant.effect.clone()), Some(grant.arguments.clone()));
    let event = Event::GrantMade { grant: grant.id.clone(), scope, effect, arguments };
    host.record_synced(Entry { approver, ..about(&grant, grant.made_at, event) }).await?;
    host.store().grants().insert(grant.clone()).await?;
    host.grants().insert(grant.clone());
    host.tell(HostEvent::GrantMade { grant: Box::new(grant) });
    Ok(())
}

/// What the log says about a grant.
pub(crate) fn about(grant: &Grant, at: Timestamp, event: Event) -> Entry {
    Entry {
        at,
        call: None,
        caller: Some(grant.caller.clone()),
        approver: None,
        server: Some(grant.server.clone()),
        tool: Some(grant.tool.name.clone()),
        event,
    }
}

/// The grant on which a call runs, if there is one.
pub(crate) fn behind(permission: &Permission) -> Option<&GrantId> {
    match permission {
        Permission::Grant { grant } => Some(grant),
        Permission::Answer { grant, .. } => grant.as_ref(),
        Permission::Rules { .. } => None,
    }
}

/// Takes out what is over by now.
pub(crate) async fn sweep(host: &Host) {
    let now = host.now();
    let over: Vec<GrantId> = host.grants().iter().filter(|grant| !grant.holds(now)).map(|grant| grant.id.clone()).collect();
    for id in over {
        lapse(host, &id).await;
    }
}

/// Looks from time to time whether grants are over, as long as the host is there.
pub(crate) async fn sweep_on(host: WeakHost) {
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(host) = host.upgrade() else { return };
        if host.still_open().is_err() {
            return;
        }
        sweep(&host).await;
    }
}

async fn lapse(host: &Host, id: &GrantId) {
    // Whoever takes it out of the memory is the one who tells.
    let Some(grant) = host.grants().remove(id) else { return };
    if let Err(error) = host.store().grants().revoke(id, host.now()).await {
        tracing::warn!(grant = %id, %error, "a grant that is over is still in the database; it holds no more all the same");
    }
    if let Err(error) = host.record(about(&grant, host.now(), Event::GrantLapsed { grant: id.clone() })) {
        tracing::warn!(grant = %id, %error, "the end of a grant could not be written to the log");
    }
    host.tell(HostEvent::GrantLapsed { grant: id.clone() });
}
