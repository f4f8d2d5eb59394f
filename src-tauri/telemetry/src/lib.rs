//! Traces and metrics, by the conventions of OpenTelemetry for MCP, to a collector that the person
//! names.
//!
//! Other rooms write down what they do as `tracing` spans with the target [`TARGET`]; this one
//! makes OpenTelemetry spans and metrics of them and sends those by OTLP over HTTP. [`Telemetry`]
//! is the switch.
//!
//! Always true here:
//! - nothing is recorded and nothing is sent until a person names a collector, and nothing any more
//!   when they take it away: what waits then is dropped;
//! - what servers and callers say leaves only if the person wants that too, whatever others put on
//!   their spans;
//! - nobody ever waits for a collector: what does not fit into the queue is dropped and counted;
//! - every text is covered by [`Surroundings::masked`] before it leaves;
//! - everything leaves through `egress`;
//! - metrics are made of the same spans, so that the two cannot disagree.

mod collector;
mod contents;
mod deliver;
mod measures;
mod post;
mod queue;
mod status;
mod surroundings;
mod telemetry;

pub use collector::{Collector, CollectorError};
pub use status::Status;
pub use surroundings::Surroundings;
pub use telemetry::Telemetry;

/// The target of the `tracing` spans that are sent. Spans with another one are not heard here, and
/// these nowhere else.
pub const TARGET: &str = "telemetry";

/// The name of the span that is as long as a connection to a server. It is measured, and not sent
/// as a span.
pub const SESSION: &str = "mcp.session";
/// The name of the span that is as long as a question to a person is open.
pub const CONSENT: &str = "host.consent";
/// The name of the span that says that a server is started again.
pub const RESTART: &str = "host.server.restart";
