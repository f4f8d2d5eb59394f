//! The head of the log, kept elsewhere; and old records, moved out of it.

use crate::api::{AnchorCheck, AnchorExport, Compacted, HostError};
use crate::{ErrorCode, Host, Surface, error, qr};
use protocol::Timestamp;

/// The head of the log as it is now.
pub(crate) async fn export(host: &Host) -> Result<AnchorExport, HostError> {
    let anchor = host.store().audit().export_anchor(host.now()).await?;
    Ok(AnchorExport { qr: qr::svg(&anchor.text).unwrap_or_default(), ..anchor })
}

/// How the log stands to an anchor.
pub(crate) async fn check(host: &Host, text: String) -> Result<AnchorCheck, HostError> {
    Ok(host.store().audit().check_anchor(text).await?)
}

/// Moves old segments into the archive. Only the person may: what is moved out is not shown any more.
pub(crate) async fn compact(host: &Host, before: Timestamp, surface: &Surface) -> Result<Compacted, HostError> {
    if !surface.is_person(host) {
        return Err(error::host(ErrorCode::OnlyForThePerson, "old records are moved out of the log by a person only"));
    }
    Ok(host.store().audit().compact(before).await?)
}
