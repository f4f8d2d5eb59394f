//! The head of the log, kept elsewhere; and old records, moved out of it.

use crate::qr;
use api::HostError;
use api::{AnchorCheck, AnchorExport, Compacted};
use calls::Calls;
use protocol::Timestamp;

/// The head of the log as it is now.
pub(crate) async fn export(calls: &Calls) -> Result<AnchorExport, HostError> {
    let anchor = calls.store().audit().export_anchor(calls.now()).await?;
    Ok(AnchorExport {
        qr: qr::svg(&anchor.text).unwrap_or_default(),
        ..anchor
    })
}

/// How the log stands to an anchor.
pub(crate) async fn check(calls: &Calls, text: String) -> Result<AnchorCheck, HostError> {
    Ok(calls.store().audit().check_anchor(text).await?)
}

/// Moves old segments into the archive.
pub(crate) async fn compact(calls: &Calls, before: Timestamp) -> Result<Compacted, HostError> {
    Ok(calls.store().audit().compact(before).await?)
}
