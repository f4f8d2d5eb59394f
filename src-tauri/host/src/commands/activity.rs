//! What happened.

use api::{ActivityDetail, ActivityFilter, ActivityPage, ExportFormat};
use api::{ErrorCode, HostError, LogExport};
use calls::Calls;
use protocol::{CallId, Caller};
use servers::{Core, error};
use store::Exported;

/// Rows on one page.
const PAGE: u32 = 500;

/// Rows of the log, newest first.
pub(crate) async fn list(
    core: &Core,
    filter: ActivityFilter,
    before: Option<u64>,
    limit: u32,
) -> Result<ActivityPage, HostError> {
    Ok(core
        .store()
        .audit()
        .activity(filter, before, limit.clamp(1, PAGE))
        .await?)
}

/// Everyone who can ask for something or has, as far as the log can be read.
pub(crate) async fn callers(calls: &Calls) -> Vec<Caller> {
    let mut callers = vec![Caller::window(), Caller::terminal(), Caller::browser()];
    let asked = calls
        .store()
        .audit()
        .callers()
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "who has asked for something could not be read");
            Vec::new()
        });
    let granted: Vec<Caller> = calls
        .grants()
        .iter()
        .map(|grant| grant.caller.clone())
        .collect();
    for caller in asked.into_iter().chain(granted) {
        if !callers.contains(&caller) {
            callers.push(caller);
        }
    }
    callers
}

/// One call or change in full.
pub(crate) async fn detail(core: &Core, seq: u64) -> Result<ActivityDetail, HostError> {
    let detail = core.store().audit().detail(seq).await?;
    Ok(whole(core, detail).await)
}

/// The same of a call by its number.
pub(crate) async fn of_call(core: &Core, call: &CallId) -> Result<ActivityDetail, HostError> {
    let found = core.store().audit().call(call).await?;
    let unknown = || {
        let message = format!("the log does not hold the call {call}");
        error::host(ErrorCode::UnknownRecord, message)
    };
    Ok(whole(core, found.ok_or_else(unknown)?).await)
}

async fn whole(core: &Core, detail: ActivityDetail) -> ActivityDetail {
    let whole_kept = match &detail.call {
        Some(call) => core.store().full_results().has(call).await,
        None => false,
    };
    ActivityDetail {
        whole_kept,
        ..detail
    }
}

/// The whole log as text, what was moved out included as far as it is in the archive; or what
/// belongs to the rows that fit.
pub(crate) async fn export(
    core: &Core,
    format: ExportFormat,
    filter: Option<ActivityFilter>,
) -> Result<LogExport, HostError> {
    let Exported {
        text,
        records,
        missing,
    } = core.store().audit().export(format, filter).await?;
    let end = match format {
        ExportFormat::Jsonl => "jsonl",
        ExportFormat::Csv => "csv",
    };
    Ok(LogExport {
        file_name: format!("majordomo-log.{end}"),
        text,
        records,
        missing,
    })
}
