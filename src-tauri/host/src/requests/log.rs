//! The audit log.

use crate::commands::{activity, anchors};
use api::{
    ActivityDetail, ActivityFigures, ActivityPage, AnchorCheck, AnchorExport, Compacted, LogReport,
};
use api::{
    CheckAnchor, CompactLog, CountActivity, ExportAnchor, ExportLog, HostError, ListActivity,
    LogExport, ShowActivity, ShowCall, VerifyLog,
};
use calls::Calls;
use servers::Surface;

pub(crate) async fn list_activity(
    calls: &Calls,
    ListActivity {
        filter,
        before,
        limit,
    }: ListActivity,
    _: &Surface,
) -> Result<ActivityPage, HostError> {
    activity::list(calls, filter, before, limit).await
}

pub(crate) async fn count_activity(
    calls: &Calls,
    CountActivity { filter }: CountActivity,
    _: &Surface,
) -> Result<ActivityFigures, HostError> {
    Ok(calls.store().audit().figures(filter).await?)
}

pub(crate) async fn show_activity(
    calls: &Calls,
    ShowActivity { seq }: ShowActivity,
    _: &Surface,
) -> Result<ActivityDetail, HostError> {
    activity::detail(calls, seq).await
}

pub(crate) async fn show_call(
    calls: &Calls,
    ShowCall { call }: ShowCall,
    _: &Surface,
) -> Result<ActivityDetail, HostError> {
    activity::of_call(calls, &call).await
}

pub(crate) async fn export_anchor(
    calls: &Calls,
    _: ExportAnchor,
    _: &Surface,
) -> Result<AnchorExport, HostError> {
    anchors::export(calls).await
}

pub(crate) async fn check_anchor(
    calls: &Calls,
    CheckAnchor { text }: CheckAnchor,
    _: &Surface,
) -> Result<AnchorCheck, HostError> {
    anchors::check(calls, text).await
}

pub(crate) async fn compact_log(
    calls: &Calls,
    CompactLog { before }: CompactLog,
    _: &Surface,
) -> Result<Compacted, HostError> {
    anchors::compact(calls, before).await
}

pub(crate) async fn verify_log(
    calls: &Calls,
    _: VerifyLog,
    _: &Surface,
) -> Result<LogReport, HostError> {
    Ok(calls.store().audit().verify().await?)
}

pub(crate) async fn export_log(
    calls: &Calls,
    ExportLog { format, filter }: ExportLog,
    _: &Surface,
) -> Result<LogExport, HostError> {
    activity::export(calls, format, filter).await
}
