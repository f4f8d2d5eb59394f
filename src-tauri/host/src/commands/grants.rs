//! What was allowed for more than once.

use crate::api::{ErrorCode, HostError, HostEvent};
use crate::{Host, error, grants};
use policy::Grant;
use protocol::GrantId;
use store::{Entry, Event};

/// All that hold now, oldest first.
pub(crate) async fn list(host: &Host) -> Vec<Grant> {
    grants::sweep(host).await;
    host.grants().all()
}

/// Takes a grant back, on the word of `approver`. Calls already running finish; the next one asks again.
pub(crate) async fn revoke(host: &Host, id: &GrantId, approver: &str) -> Result<Grant, HostError> {
    // Out of the memory first: from here on nothing is allowed by it, whatever fails below.
    host.grants().remove(id).ok_or_else(|| error::host(ErrorCode::UnknownGrant, format!("there is no grant {id}")))?;
    let grant = match host.store().grants().revoke(id, host.now()).await {
        Ok(revoked) => revoked,
        Err(problem) => {
            tracing::error!(grant = %id, %problem, "a revoked grant is still in the database");
            return Err(problem.into());
        }
    };
    let entry = grants::about(&grant, host.now(), Event::GrantRevoked { grant: id.clone() });
    host.record_synced(Entry { approver: Some(approver.to_owned()), ..entry }).await?;
    host.tell(HostEvent::GrantRevoked { grant: id.clone() });
    Ok(grant)
}
