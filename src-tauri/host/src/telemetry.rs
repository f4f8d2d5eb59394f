//! Where traces and metrics go: what the person chose.
//!
//! Always true here:
//! - off until a person names a collector, and more leaves only after a person's word;
//! - what leaves has the values of held secrets covered;
//! - a choice is in the log before it has an effect.

use ::telemetry::{Collector, CollectorError, Surroundings};
use api::{ErrorCode, HostError, TelemetrySettings, TelemetryView};
use calls::traced::Traced;
use calls::{Calls, WeakCalls};
use protocol::Timestamp;
use servers::{Surface, error};
use std::sync::Arc;
use store::Event;

/// Under this name the choice is kept.
const KEY: &str = "telemetry";

/// Goes on as the person chose. A choice that cannot be followed sends nothing, and keeps nobody
/// from working.
pub(crate) async fn begin(calls: &Calls) {
    let settings = match calls.store().settings().get::<TelemetrySettings>(KEY).await {
        Ok(Some(settings)) => settings,
        Ok(None) => return,
        Err(problem) => {
            return tracing::warn!(%problem, "where traces go could not be read; nothing is sent");
        }
    };
    let turned = match &settings.endpoint {
        Some(endpoint) => Collector::new(endpoint)
            .map_err(refused)
            .and_then(|collector| turn_on(calls, &collector, settings.contents)),
        None => Ok(()),
    };
    if let Err(error) = turned {
        tracing::warn!(%error, "no traces are sent");
    }
    calls.traced().take(settings);
}

/// Where traces and metrics are sent, and whether they arrive.
pub(crate) fn show(traced: &Traced) -> TelemetryView {
    traced.view()
}

/// Chooses where they are sent, from this moment on.
pub(crate) async fn set(
    calls: &Calls,
    mut settings: TelemetrySettings,
    surface: &Surface,
) -> Result<TelemetryView, HostError> {
    settings.endpoint = settings
        .endpoint
        .map(|endpoint| endpoint.trim().to_owned())
        .filter(|endpoint| !endpoint.is_empty());
    let collector = settings
        .endpoint
        .as_deref()
        .map(Collector::new)
        .transpose()
        .map_err(refused)?;
    let TelemetrySettings {
        endpoint,
        contents,
        propagate,
    } = settings.clone();
    calls
        .record_synced(surface.decided(
            calls,
            Event::TelemetrySet {
                endpoint,
                contents,
                propagate,
            },
        ))
        .await?;
    // Kept first: what runs now must not be another thing after a restart.
    calls.store().settings().set(KEY, &settings).await?;
    match &collector {
        Some(collector) => turn_on(calls, collector, settings.contents)?,
        None => calls.traced().telemetry().off(),
    }
    calls.traced().take(settings);
    Ok(show(calls.traced()))
}

pub(crate) fn lets_more_leave(before: &TelemetrySettings, after: &TelemetrySettings) -> bool {
    let elsewhere = after.endpoint.is_some() && after.endpoint != before.endpoint;
    elsewhere || after.contents && !before.contents || after.propagate && !before.propagate
}

fn turn_on(calls: &Calls, collector: &Collector, contents: bool) -> Result<(), HostError> {
    let out = egress::Settings {
        proxy: calls.proxy().clone(),
        ..egress::Settings::default()
    };
    calls
        .traced()
        .telemetry()
        .send_to(collector, contents, out, Arc::new(Around(calls.weak())))
        .map_err(refused)
}

fn refused(problem: CollectorError) -> HostError {
    let code = match &problem {
        CollectorError::BadUrl { .. } => ErrorCode::BadUrl,
        CollectorError::NoWay(egress::EgressError::ProxyFailed { .. }) => ErrorCode::ProxyFailed,
        CollectorError::NoWay(_) => ErrorCode::Unreachable,
        CollectorError::NotPrepared { .. } => ErrorCode::Internal,
    };
    error::host(code, problem.to_string())
}

/// What the delivery needs of the host, which it does not keep alive.
struct Around(WeakCalls);

impl Surroundings for Around {
    fn masked(&self, text: &str) -> Option<String> {
        Some(self.0.upgrade()?.secrets().masked(text))
    }

    fn now(&self) -> Option<Timestamp> {
        Some(self.0.upgrade()?.now())
    }
}
