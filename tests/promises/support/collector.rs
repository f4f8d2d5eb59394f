//! A collector that speaks OTLP over HTTP, as far as it takes to read what arrives.

use super::WAIT_TIMEOUT;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::{
    HistogramDataPoint, Metric, metric, number_data_point,
};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

/// The collector. It listens until the test ends.
pub struct Collector {
    pub url: String,
    heard: Arc<Heard>,
}

#[derive(Default)]
struct Heard {
    requests: Mutex<Vec<Arrived>>,
    more: Condvar,
    /// Nobody is answered as long as this is true.
    holding: Mutex<bool>,
    answering: Condvar,
}

/// One request as it arrived.
#[derive(Clone)]
pub struct Arrived {
    /// The request line and the headers, in lower case.
    pub head: Vec<String>,
    pub body: Vec<u8>,
}

impl Collector {
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heard: Arc<Heard> = Arc::default();
        let hears = heard.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let hears = hears.clone();
                // Whoever goes away in the middle is no concern of a collector.
                std::thread::spawn(move || {
                    while let Some(arrived) = read(&stream) {
                        hears.note(arrived);
                        if hears.answer(&stream).is_none() {
                            return;
                        }
                    }
                });
            }
        });
        Self { url, heard }
    }

    /// One that hears, and does not answer until [`Collector::answer`].
    #[cfg(target_os = "linux")]
    pub fn holding() -> Self {
        let collector = Self::new();
        *collector.heard.holding.lock().unwrap() = true;
        collector
    }

    /// Answers what it has heard and what it hears from now on.
    #[cfg(target_os = "linux")]
    pub fn answer(&self) {
        *self.heard.holding.lock().unwrap() = false;
        self.heard.answering.notify_all();
    }

    /// Everything that arrived.
    pub fn arrived(&self) -> Vec<Arrived> {
        self.heard.requests.lock().unwrap().clone()
    }

    /// Waits until there is what is looked for in all that arrived.
    fn until<T>(&self, what: &str, look: impl Fn(&[Arrived]) -> Option<T>) -> T {
        let end = Instant::now() + WAIT_TIMEOUT;
        let mut requests = self.heard.requests.lock().unwrap();
        loop {
            if let Some(found) = look(&requests) {
                return found;
            }
            let (more, waited) = self
                .heard
                .more
                .wait_timeout(requests, end.saturating_duration_since(Instant::now()))
                .unwrap();
            assert!(
                !waited.timed_out(),
                "{what} did not arrive; spans: {:?}",
                spans(&more)
                    .iter()
                    .map(|span| &span.name)
                    .collect::<Vec<_>>()
            );
            requests = more;
        }
    }

    /// Waits for a span of this name.
    pub fn span(&self, name: &str) -> Span {
        self.until(name, |requests| {
            spans(requests).into_iter().find(|span| span.name == name)
        })
    }

    /// Waits until the spans of this name are as they should be.
    pub fn until_spans(&self, name: &str, fit: impl Fn(&[Span]) -> bool) {
        self.until(name, |requests| {
            let spans: Vec<_> = spans(requests)
                .into_iter()
                .filter(|span| span.name == name)
                .collect();
            fit(&spans).then_some(())
        });
    }

    /// The spans of this name that are there.
    pub fn spans(&self, name: &str) -> Vec<Span> {
        spans(&self.arrived())
            .into_iter()
            .filter(|span| span.name == name)
            .collect()
    }

    /// Waits for a metric of this name.
    pub fn metric(&self, name: &str) -> Metric {
        self.until(name, |requests| {
            metrics(requests)
                .into_iter()
                .rfind(|metric| metric.name == name)
        })
    }

    /// Whether a text is anywhere in what arrived.
    pub fn knows(&self, text: &str) -> bool {
        self.arrived().iter().any(|request| {
            request
                .body
                .windows(text.len())
                .any(|window| window == text.as_bytes())
        })
    }
}

impl Heard {
    fn note(&self, arrived: Arrived) {
        self.requests.lock().unwrap().push(arrived);
        self.more.notify_all();
    }

    fn answer(&self, mut stream: &TcpStream) -> Option<()> {
        drop(
            self.answering
                .wait_while(self.holding.lock().unwrap(), |holding| *holding)
                .unwrap(),
        );
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n").ok()
    }
}

fn read(stream: &TcpStream) -> Option<Arrived> {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_lowercase()),
        }
    }
    let length = head
        .iter()
        .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Arrived { head, body })
}

/// The spans in what arrived.
fn spans(requests: &[Arrived]) -> Vec<Span> {
    let traces = requests
        .iter()
        .filter(|request| request.head[0].starts_with("post /v1/traces "));
    let read = traces.map(|request| ExportTraceServiceRequest::decode(&request.body[..]).unwrap());
    read.flat_map(|request| request.resource_spans)
        .flat_map(|all| all.scope_spans)
        .flat_map(|all| all.spans)
        .collect()
}

fn metrics(requests: &[Arrived]) -> Vec<Metric> {
    let metrics = requests
        .iter()
        .filter(|request| request.head[0].starts_with("post /v1/metrics "));
    let read =
        metrics.map(|request| ExportMetricsServiceRequest::decode(&request.body[..]).unwrap());
    read.flat_map(|request| request.resource_metrics)
        .flat_map(|all| all.scope_metrics)
        .flat_map(|all| all.metrics)
        .collect()
}

/// Attributes as text.
pub fn attributes(all: &[KeyValue]) -> BTreeMap<String, String> {
    all.iter()
        .map(|one| {
            (
                one.key.clone(),
                one.value.as_ref().map(text).unwrap_or_default(),
            )
        })
        .collect()
}

fn text(value: &AnyValue) -> String {
    match &value.value {
        Some(any_value::Value::StringValue(text)) => text.clone(),
        Some(any_value::Value::IntValue(number)) => number.to_string(),
        Some(any_value::Value::DoubleValue(number)) => number.to_string(),
        Some(any_value::Value::BoolValue(yes)) => yes.to_string(),
        other => format!("{other:?}"),
    }
}

/// The points of a histogram.
pub fn points(metric: &Metric) -> Vec<HistogramDataPoint> {
    match &metric.data {
        Some(metric::Data::Histogram(histogram)) => histogram.data_points.clone(),
        other => panic!("{} is no histogram: {other:?}", metric.name),
    }
}

/// The sum of a counter.
pub fn count(metric: &Metric) -> i64 {
    match &metric.data {
        Some(metric::Data::Sum(sum)) => sum
            .data_points
            .iter()
            .map(|point| match point.value {
                Some(number_data_point::Value::AsInt(number)) => number,
                other => panic!("{other:?}"),
            })
            .sum(),
        other => panic!("{} is no counter: {other:?}", metric.name),
    }
}
