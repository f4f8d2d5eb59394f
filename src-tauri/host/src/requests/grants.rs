//! What is remembered of answers.

use crate::commands::{grants, tighten};
use api::{HostError, ListGrants, ListTightenings, RevokeGrant, Tighten, Tightening};
use calls::Calls;
use policy::Grant;
use servers::Surface;

pub(crate) async fn list_grants(
    calls: &Calls,
    _: ListGrants,
    _: &Surface,
) -> Result<Vec<Grant>, HostError> {
    Ok(grants::list(calls).await)
}

pub(crate) async fn list_tightenings(
    calls: &Calls,
    _: ListTightenings,
    _: &Surface,
) -> Result<Vec<Tightening>, HostError> {
    tighten::list(calls).await
}

pub(crate) async fn tighten(
    calls: &Calls,
    Tighten { grant }: Tighten,
    surface: &Surface,
) -> Result<Grant, HostError> {
    tighten::tighten(calls, &grant, surface).await
}

pub(crate) async fn revoke_grant(
    calls: &Calls,
    RevokeGrant { grant }: RevokeGrant,
    surface: &Surface,
) -> Result<Grant, HostError> {
    grants::revoke(calls, &grant, surface).await
}
