//! What was allowed for more than once.

use api::{ErrorCode, HostError, HostEvent};
use calls::Calls;
use calls::grants;
use policy::Grant;
use protocol::GrantId;
use servers::{Surface, error};
use store::{Entry, Event};

/// All that hold now, oldest first.
pub(crate) async fn list(calls: &Calls) -> Vec<Grant> {
    grants::sweep(calls).await;
    calls.grants().all()
}

/// Takes a grant back, on the word of whoever is at `surface`. Calls already running finish; the
/// next one asks again.
pub(crate) async fn revoke(
    calls: &Calls,
    id: &GrantId,
    surface: &Surface,
) -> Result<Grant, HostError> {
    // Out of the memory first: from here on nothing is allowed by it, whatever fails below.
    calls
        .grants()
        .remove(id)
        .ok_or_else(|| error::host(ErrorCode::UnknownGrant, format!("there is no grant {id}")))?;
    let grant = match calls.store().grants().revoke(id, calls.now()).await {
        Ok(revoked) => revoked,
        Err(problem) => {
            tracing::error!(grant = %id, %problem, "a revoked grant is still in the database");
            return Err(problem.into());
        }
    };
    let entry = grants::about(
        &grant,
        calls.now(),
        Event::GrantRevoked { grant: id.clone() },
    );
    calls
        .record_synced(Entry {
            approver: surface.decides(),
            ..entry
        })
        .await?;
    calls.publish(HostEvent::GrantRevoked { grant: id.clone() });
    Ok(grant)
}

/// Takes all grants back that are meant.
pub(crate) async fn revoke_all(
    calls: &Calls,
    is_meant: impl Fn(&Grant) -> bool,
    surface: &Surface,
) -> Result<(), HostError> {
    let meant: Vec<_> = calls
        .grants()
        .iter()
        .filter(|grant| is_meant(grant))
        .map(|grant| grant.id.clone())
        .collect();
    for grant in meant {
        match revoke(calls, &grant, surface).await {
            // Taken back by a person, or over, in this moment.
            Ok(_)
            | Err(HostError {
                code: ErrorCode::UnknownGrant,
                ..
            }) => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(())
}
