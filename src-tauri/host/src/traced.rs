//! Where traces and metrics go: what the person chose, and the switch that follows it.
//!
//! Always true here:
//! - off until a person names a collector, and more leaves only after a person's word;
//! - what leaves has the values of held secrets covered;
//! - a choice is in the log before it has an effect.

use crate::api::{ErrorCode, HostError, TelemetrySettings, TelemetryView};
use crate::host::WeakHost;
use crate::{Host, Surface, error};
use protocol::Timestamp;
use std::sync::{Arc, PoisonError, RwLock};
use store::Event;
use telemetry::{Collector, CollectorError, Surroundings, Telemetry};

/// Under this name the choice is kept.
const KEY: &str = "telemetry";

/// The choice, and the switch.
pub(crate) struct Traced {
    telemetry: Telemetry,
    settings: RwLock<TelemetrySettings>,
}

impl Traced {
    pub(crate) fn new(telemetry: Telemetry) -> Self {
        Self { telemetry, settings: RwLock::default() }
    }

    /// Whether arguments and results go along.
    pub(crate) fn contents(&self) -> bool {
        self.telemetry.is_on() && self.settings.read().unwrap_or_else(PoisonError::into_inner).contents
    }

    /// Whether servers are told which trace a call belongs to.
    pub(crate) fn propagates(&self) -> bool {
        self.telemetry.is_on() && self.settings.read().unwrap_or_else(PoisonError::into_inner).propagate
    }

    /// Sends what is still to be sent, as far as that is quick.
    pub(crate) async fn close(&self) {
        self.telemetry.close().await;
    }

    fn view(&self) -> TelemetryView {
        let settings = self.settings.read().unwrap_or_else(PoisonError::into_inner).clone();
        let status = self.telemetry.status();
        TelemetryView { settings, sent_at: status.sent_at, problem: status.problem, dropped: status.dropped }
    }

    fn take(&self, settings: TelemetrySettings) {
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = settings;
    }
}

/// Goes on as the person chose. A choice that cannot be followed sends nothing, and keeps nobody from working.
pub(crate) async fn begin(host: &Host) {
    let settings = match host.store().settings().get::<TelemetrySettings>(KEY).await {
        Ok(Some(settings)) => settings,
        Ok(None) => return,
        Err(problem) => return tracing::warn!(%problem, "where traces go could not be read; nothing is sent"),
    };
    let turned = match &settings.endpoint {
        Some(endpoint) => Collector::new(endpoint).map_err(refused).and_then(|collector| turn_on(host, &collector, settings.contents)),
        None => Ok(()),
    };
    if let Err(error) = turned {
        tracing::warn!(%error, "no traces are sent");
    }
    host.traced().take(settings);
}

/// Where traces and metrics are sent, and whether they arrive.
pub(crate) fn show(host: &Host) -> TelemetryView {
    host.traced().view()
}

/// Chooses where they are sent, from this moment on. Whoever may not speak for the person can only let less leave.
pub(crate) async fn set(host: &Host, mut settings: TelemetrySettings, surface: &Surface) -> Result<TelemetryView, HostError> {
    settings.endpoint = settings.endpoint.map(|endpoint| endpoint.trim().to_owned()).filter(|endpoint| !endpoint.is_empty());
    let collector = settings.endpoint.as_deref().map(Collector::new).transpose().map_err(refused)?;
    if lets_more_leave(&host.traced().view().settings, &settings) && !surface.is_person(host) {
        return Err(error::host(ErrorCode::OnlyForThePerson, "where traces go, and that more goes with them, is chosen by a person only"));
    }
    let TelemetrySettings { endpoint, contents, propagate } = settings.clone();
    host.record_synced(surface.decided(host, Event::TelemetrySet { endpoint, contents, propagate })).await?;
    // Kept first: what runs now must not be another thing after a restart.
    host.store().settings().set(KEY, &settings).await?;
    match &collector {
        Some(collector) => turn_on(host, collector, settings.contents)?,
        None => host.traced().telemetry.off(),
    }
    host.traced().take(settings);
    Ok(show(host))
}

fn lets_more_leave(before: &TelemetrySettings, after: &TelemetrySettings) -> bool {
    let elsewhere = after.endpoint.is_some() && after.endpoint != before.endpoint;
    elsewhere || after.contents && !before.contents || after.propagate && !before.propagate
}

fn turn_on(host: &Host, collector: &Collector, contents: bool) -> Result<(), HostError> {
    let out = egress::Settings { proxy: host.proxy().clone(), ..egress::Settings::default() };
    host.traced().telemetry.send_to(collector, contents, out, Arc::new(Around(host.weak()))).map_err(refused)
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
struct Around(WeakHost);

impl Surroundings for Around {
    fn masked(&self, text: &str) -> Option<String> {
        Some(self.0.upgrade()?.secrets().masked(text))
    }

    fn now(&self) -> Option<Timestamp> {
        Some(self.0.upgrade()?.now())
    }
}
