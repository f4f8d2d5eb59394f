//! Takes spans out of the queue, covers what must not leave, measures and sends them.

use crate::measures::Measures;
use crate::post::Post;
use crate::queue::LENGTH;
use crate::surroundings::Surroundings;
use crate::{Collector, CollectorError};
use opentelemetry::metrics::MeterProvider as _;
use opentelemetry::trace::Status as SpanStatus;
use opentelemetry::{Array, KeyValue, Value};
use opentelemetry_otlp::{
    MetricExporter, SpanExporter, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanExporter as _, SpanLinks};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

/// Spans that are sent at once.
const BATCH: usize = 512;
/// How long the first span of a batch waits for others.
const GATHER: Duration = Duration::from_secs(1);
/// How often metrics are sent.
const EVERY: Duration = Duration::from_secs(15);
/// How long one attempt to send may take, with everything.
const ATTEMPT: Duration = Duration::from_secs(8);

/// Begins to deliver what is put into the queue. It ends, with everything sent that can be, when
/// the queue is closed.
pub(crate) fn begin(
    collector: &Collector,
    post: Post,
) -> Result<(mpsc::Sender<SpanData>, JoinHandle<()>), CollectorError> {
    let prepare = |problem: &dyn std::fmt::Display| CollectorError::NotPrepared {
        problem: problem.to_string(),
    };
    let about = Resource::builder_empty()
        .with_service_name("majordomo")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    let mut spans = SpanExporter::builder()
        .with_http()
        .with_http_client(post.clone())
        .with_endpoint(collector.address("traces"))
        .with_timeout(ATTEMPT)
        .build()
        .map_err(|problem| prepare(&problem))?;
    spans.set_resource(&about);
    let metrics = MetricExporter::builder()
        .with_http()
        .with_http_client(post.clone())
        .with_endpoint(collector.address("metrics"))
        .with_timeout(ATTEMPT)
        .build()
        .map_err(|problem| prepare(&problem))?;
    let reader = PeriodicReader::builder(metrics)
        .with_interval(EVERY)
        .build();
    let meters = SdkMeterProvider::builder()
        .with_reader(reader)
        .with_resource(about)
        .build();
    let (queue, waiting) = mpsc::channel(LENGTH);
    let delivery = Delivery {
        waiting,
        measures: Measures::new(&meters.meter("majordomo")),
        meters,
        spans,
        post,
    };
    Ok((queue, tokio::spawn(delivery.run())))
}

struct Delivery {
    waiting: mpsc::Receiver<SpanData>,
    measures: Measures,
    meters: SdkMeterProvider,
    spans: SpanExporter,
    post: Post,
}

impl Delivery {
    async fn run(mut self) {
        while let Some(batch) = self.batch().await {
            self.send(batch).await;
        }
        let meters = self.meters;
        // It sends what was measured last, and waits for that.
        let _ = tokio::task::spawn_blocking(move || meters.shutdown_with_timeout(ATTEMPT)).await;
    }

    /// What came within a moment; none when the queue is closed and empty.
    async fn batch(&mut self) -> Option<Vec<SpanData>> {
        let mut batch = Vec::new();
        if self.waiting.recv_many(&mut batch, BATCH).await == 0 {
            return None;
        }
        let end = Instant::now() + GATHER;
        while batch.len() < BATCH {
            let room = BATCH - batch.len();
            // Closed and empty, or nothing more in this moment.
            if matches!(
                timeout_at(end, self.waiting.recv_many(&mut batch, room)).await,
                Ok(0) | Err(_)
            ) {
                break;
            }
        }
        Some(batch)
    }

    async fn send(&mut self, batch: Vec<SpanData>) {
        let all = batch.len();
        let covered: Vec<_> = batch
            .into_iter()
            .filter_map(|span| covered(span, &self.post.surroundings))
            .collect();
        let lost = all - covered.len();
        let spans: Vec<_> = covered
            .into_iter()
            .filter(|span| self.measures.measure(span))
            .collect();
        let count = spans.len();
        // Why it did not arrive was noted where it was sent.
        let unsent = count > 0 && self.spans.export(spans).await.is_err();
        self.post
            .notes
            .dropped(lost + if unsent { count } else { 0 });
    }
}

/// The span with every text of it covered; none if it cannot be covered.
fn covered(mut span: SpanData, surroundings: &Arc<dyn Surroundings>) -> Option<SpanData> {
    span.name = surroundings.masked(&span.name)?.into();
    let mut attributes: Vec<KeyValue> = Vec::with_capacity(span.attributes.len());
    for KeyValue { key, value, .. } in span.attributes {
        let value = match value {
            Value::String(text) => Value::from(surroundings.masked(text.as_str())?),
            Value::Array(Array::String(texts)) => {
                let texts: Option<Vec<_>> = texts
                    .iter()
                    .map(|text| surroundings.masked(text.as_str()).map(Into::into))
                    .collect();
                Value::Array(Array::String(texts?))
            }
            plain => plain,
        };
        // What was said later of the same thing is what holds.
        attributes.retain(|earlier| earlier.key != key);
        attributes.push(KeyValue::new(key, value));
    }
    span.attributes = attributes;
    if let SpanStatus::Error { description } = &span.status {
        span.status = SpanStatus::error(surroundings.masked(description)?);
    }
    // Nothing of ours puts events or links on a span, and what others put there is not covered.
    span.events = SpanEvents::default();
    span.links = SpanLinks::default();
    Some(span)
}
