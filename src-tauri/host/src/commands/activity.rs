//! What happened.

use crate::Host;
use crate::api::{ActivityFilter, ActivityPage, Export, ExportFormat, HostError};

/// Rows on one page.
const PAGE: u32 = 500;

/// Rows of the log, newest first.
pub(crate) async fn list(host: &Host, filter: ActivityFilter, before: Option<u64>, limit: u32) -> Result<ActivityPage, HostError> {
    Ok(host.store().audit().activity(filter, before, limit.clamp(1, PAGE)).await?)
}

/// The whole log as text.
pub(crate) async fn export(host: &Host, format: ExportFormat) -> Result<Export, HostError> {
    let text = host.store().audit().export(format).await?;
    let end = match format {
        ExportFormat::Jsonl => "jsonl",
        ExportFormat::Csv => "csv",
    };
    Ok(Export { file_name: format!("majordomo-log.{end}"), text })
}
