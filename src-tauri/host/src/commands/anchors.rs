//! The head of the log, kept elsewhere; and old records, moved out of it.

use crate::qr;
use api::HostError;
use api::{AnchorCheck, AnchorExport, Compacted};
use protocol::Timestamp;
use servers::Core;

/// The head of the log as it is now.
pub(crate) async fn export(core: &Core) -> Result<AnchorExport, HostError> {
    let anchor = core.store().audit().export_anchor(core.now()).await?;
    Ok(AnchorExport {
        qr: qr::svg(&anchor.text).unwrap_or_default(),
        ..anchor
    })
}

/// How the log stands to an anchor.
pub(crate) async fn check(core: &Core, text: String) -> Result<AnchorCheck, HostError> {
    Ok(core.store().audit().check_anchor(text).await?)
}

/// Moves old segments into the archive.
pub(crate) async fn compact(core: &Core, before: Timestamp) -> Result<Compacted, HostError> {
    Ok(core.store().audit().compact(before).await?)
}
