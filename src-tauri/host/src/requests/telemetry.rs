//! Traces and metrics.

use crate::telemetry;
use api::{HostError, SetTelemetry, ShowTelemetry, TelemetryView};
use calls::Calls;
use servers::Surface;

pub(crate) async fn show_telemetry(
    calls: &Calls,
    _: ShowTelemetry,
    _: &Surface,
) -> Result<TelemetryView, HostError> {
    Ok(telemetry::show(calls.traced()))
}

pub(crate) async fn set_telemetry(
    calls: &Calls,
    SetTelemetry { settings }: SetTelemetry,
    surface: &Surface,
) -> Result<TelemetryView, HostError> {
    telemetry::set(calls, settings, surface).await
}
