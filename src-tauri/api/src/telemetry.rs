//! Where traces and metrics are sent, if the person names a collector.

use protocol::Timestamp;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where traces and metrics are sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct TelemetrySettings {
    /// The address of an OpenTelemetry collector that speaks OTLP over HTTP, such as
    /// `https://collector.example:4318`; none sends nothing.
    pub endpoint: Option<String>,
    /// Whether the arguments and results of calls go with the traces; values of held secrets are
    /// covered all the same.
    #[serde(default)]
    pub contents: bool,
    /// Whether servers are told which trace a call belongs to.
    #[serde(default)]
    pub propagate: bool,
}

/// Where traces and metrics are sent, and whether they arrive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TelemetryView {
    /// What the person chose.
    pub settings: TelemetrySettings,
    /// When something last arrived there.
    pub sent_at: Option<Timestamp>,
    /// Why the last attempt failed, if it did.
    pub problem: Option<String>,
    /// How many spans were dropped since the start, because the collector did not take them.
    pub dropped: u64,
}
