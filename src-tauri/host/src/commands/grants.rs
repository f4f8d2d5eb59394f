//! What was allowed for more than once.

use crate::Host;
use crate::api::{ErrorCode, HostError, HostEvent};
use crate::error;
use policy::Grant;
use protocol::GrantId;
use store::{Entry, Event};

/// Takes a grant back. Calls already running finish; the next one asks again.
pub(crate) async fn revoke(host: &Host, id: &GrantId) -> Result<Grant, HostError> {
    // Out of the memory first: from here on nothing is allowed by it, whatever fails below.
    let position = host.grants().iter().position(|grant| grant.id == *id);
    let position = position.ok_or_else(|| error::host(ErrorCode::UnknownGrant, format!("there is no grant {id}")))?;
    host.grants().remove(position);
    let grant = match host.store().grants().revoke(id, host.now()).await {
        Ok(revoked) => revoked,
        Err(problem) => {
            tracing::error!(grant = %id, %problem, "a revoked grant is still in the database");
            return Err(problem.into());
        }
    };
    let entry = Entry {
        at: host.now(),
        call: None,
        caller: Some(grant.caller.clone()),
        server: Some(grant.server.clone()),
        tool: Some(grant.tool.name.clone()),
        event: Event::GrantRevoked { grant: id.clone() },
    };
    host.record_synced(entry).await?;
    host.tell(HostEvent::GrantRevoked { grant: id.clone() });
    Ok(grant)
}
