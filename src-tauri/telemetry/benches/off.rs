//! What it costs a call that traces could be sent and are not: the spans of one call, while no
//! collector is named.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use telemetry::Telemetry;
use tracing::field::Empty;
use tracing::{Span, info_span};
use tracing_subscriber::layer::SubscriberExt as _;

/// As many spans as a call that is asked about has, with as many fields and as many looks at them.
fn spans_of_a_call(tool: &str) {
    let call = info_span!(target: "telemetry", "host.call", host.call.id = %tool, gen_ai.tool.name = %tool, error.type = Empty).entered();
    Span::current().record("host.policy.decision", "ask");
    info_span!(target: "telemetry", "host.consent", host.consent.answer = Empty).in_scope(|| {
        Span::current().record("host.consent.answer", "once");
    });
    Span::current().record("host.permission.kind", "answer");
    let request = info_span!(target: "telemetry", "tools/call", otel.name = %format_args!("tools/call {tool}"), otel.kind = "client", error.type = Empty).entered();
    request.record("error.type", "none");
    drop(black_box(request));
    drop(black_box(call));
}

fn off(c: &mut Criterion) {
    let telemetry = Telemetry::default();
    let heard = tracing_subscriber::registry().with(telemetry.layer());
    tracing::subscriber::with_default(heard, || {
        c.bench_function("the spans of a call while no collector is named", |bench| {
            bench.iter(|| spans_of_a_call(black_box("echo")))
        });
    });
}

criterion_group!(benches, off);
criterion_main!(benches);
