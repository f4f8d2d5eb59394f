//! Whether and how calls are traced: what the person chose, and the switch that follows it.

use api::{TelemetrySettings, TelemetryView};
use std::sync::{PoisonError, RwLock};
use telemetry::Telemetry;

/// The choice, and the switch.
pub struct Traced {
    telemetry: Telemetry,
    settings: RwLock<TelemetrySettings>,
}

impl Traced {
    pub(crate) fn new(telemetry: Telemetry) -> Self {
        Self {
            telemetry,
            settings: RwLock::default(),
        }
    }

    /// Whether arguments and results go along.
    pub(crate) fn contents(&self) -> bool {
        self.telemetry.is_on()
            && self
                .settings
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .contents
    }

    /// Whether servers are told which trace a call belongs to.
    pub(crate) fn propagates(&self) -> bool {
        self.telemetry.is_on()
            && self
                .settings
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .propagate
    }

    /// The switch.
    pub fn telemetry(&self) -> &Telemetry {
        &self.telemetry
    }

    /// Sends what is still to be sent, as far as that is quick.
    pub async fn close(&self) {
        self.telemetry.close().await;
    }

    /// As every surface shows it.
    pub fn view(&self) -> TelemetryView {
        let settings = self
            .settings
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let status = self.telemetry.status();
        TelemetryView {
            settings,
            sent_at: status.sent_at,
            problem: status.problem,
            dropped: status.dropped,
        }
    }

    /// Takes over what a person chose.
    pub fn take(&self, settings: TelemetrySettings) {
        *self
            .settings
            .write()
            .unwrap_or_else(PoisonError::into_inner) = settings;
    }
}
