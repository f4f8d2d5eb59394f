//! What happened.

use crate::Host;
use crate::api::{ActivityDetail, ActivityFilter, ActivityPage, ExportFormat, HostError, LogExport};
use store::Exported;

/// Rows on one page.
const PAGE: u32 = 500;

/// Rows of the log, newest first.
pub(crate) async fn list(host: &Host, filter: ActivityFilter, before: Option<u64>, limit: u32) -> Result<ActivityPage, HostError> {
    Ok(host.store().audit().activity(filter, before, limit.clamp(1, PAGE)).await?)
}

/// One call or change in full.
pub(crate) async fn detail(host: &Host, seq: u64) -> Result<ActivityDetail, HostError> {
    let detail = host.store().audit().detail(seq).await?;
    let whole_kept = match &detail.call {
        Some(call) => host.store().answers().has(call).await,
        None => false,
    };
    Ok(ActivityDetail { whole_kept, ..detail })
}

/// The whole log as text, what was moved out included as far as it is in the archive.
pub(crate) async fn export(host: &Host, format: ExportFormat) -> Result<LogExport, HostError> {
    let Exported { text, records, missing } = host.store().audit().export(format).await?;
    let end = match format {
        ExportFormat::Jsonl => "jsonl",
        ExportFormat::Csv => "csv",
    };
    Ok(LogExport { file_name: format!("majordomo-log.{end}"), text, records, missing })
}
