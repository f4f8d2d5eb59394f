//! Metrics, made of spans that have ended.
//!
//! Always true here: no measure has an attribute that is different at every call.

use crate::{CONSENT, RESTART, SESSION};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};
use opentelemetry_sdk::trace::SpanData;

/// The bounds that the conventions want, in seconds.
const SECONDS: [f64; 14] = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0,
];

/// Attributes of spans that measures have too.
const KEPT: [&str; 16] = [
    "error.type",
    "gen_ai.operation.name",
    "gen_ai.prompt.name",
    "gen_ai.tool.name",
    "host.consent.answer",
    "host.question.kind",
    "host.server",
    "mcp.method.name",
    "mcp.protocol.version",
    "network.protocol.name",
    "network.transport",
    "rpc.response.status_code",
    "server.address",
    "server.port",
    "host.restart.cause",
    "host.caller",
];

/// Everything that is measured.
pub(crate) struct Measures {
    operations: Histogram<f64>,
    sessions: Histogram<f64>,
    consent: Histogram<f64>,
    questions: Counter<u64>,
    restarts: Counter<u64>,
}

impl Measures {
    pub(crate) fn new(meter: &Meter) -> Self {
        let seconds = |name: &'static str, what: &'static str| {
            meter
                .f64_histogram(name)
                .with_unit("s")
                .with_description(what)
                .with_boundaries(SECONDS.to_vec())
                .build()
        };
        Self {
            operations: seconds(
                "mcp.client.operation.duration",
                "From a request to a server to its answer.",
            ),
            sessions: seconds(
                "mcp.client.session.duration",
                "From the first word to a server to the end of the connection.",
            ),
            consent: seconds(
                "host.consent.duration",
                "From a question to a person to its end.",
            ),
            questions: meter
                .u64_counter("host.questions")
                .with_unit("{question}")
                .with_description("Questions to a person.")
                .build(),
            restarts: meter
                .u64_counter("host.server.restarts")
                .with_unit("{restart}")
                .with_description("Servers that are started again after a failure.")
                .build(),
        }
    }

    /// Measures a span. True if it is to be sent as a span too.
    pub(crate) fn measure(&self, span: &SpanData) -> bool {
        let seconds = span
            .end_time
            .duration_since(span.start_time)
            .unwrap_or_default()
            .as_secs_f64();
        match &*span.name {
            SESSION => {
                self.sessions.record(seconds, &span_attributes(span));
                return false;
            }
            CONSENT => {
                let about = span_attributes(span);
                self.consent.record(seconds, &about);
                self.questions.add(1, &about);
            }
            RESTART => self.restarts.add(1, &span_attributes(span)),
            _ if span
                .attributes
                .iter()
                .any(|attribute| attribute.key.as_str() == "mcp.method.name") =>
            {
                self.operations.record(seconds, &span_attributes(span));
            }
            _ => {}
        }
        true
    }
}

fn span_attributes(span: &SpanData) -> Vec<KeyValue> {
    span.attributes
        .iter()
        .filter(|attribute| KEPT.contains(&attribute.key.as_str()))
        .cloned()
        .collect()
}
