//! The switch: on, with a collector, or off.

use crate::post::Post;
use crate::queue::Entrance;
use crate::status::Notes;
use crate::{Collector, CollectorError, Status, Surroundings, TARGET, contents, deliver};
use egress::{Egress, Settings};
use opentelemetry::trace::{TraceContextExt as _, TracerProvider as _};
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanData};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Metadata, Span, Subscriber};
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt as _};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// How long the end of the program waits for what is still to be sent.
const FAREWELL: Duration = Duration::from_secs(2);

/// Traces and metrics of one program. Clones are the same. Off until [`Telemetry::send_to`].
#[derive(Debug, Clone)]
pub struct Telemetry {
    switch: Arc<Switch>,
    spans: SdkTracerProvider,
}

/// What everyone looks at.
pub(crate) struct Switch {
    on: AtomicBool,
    /// Whether what servers and callers say goes along.
    contents: AtomicBool,
    queue: RwLock<Option<mpsc::Sender<SpanData>>>,
    /// What is still being sent, to this collector and to those of before.
    under_way: Mutex<Vec<UnderWay>>,
    notes: Arc<Notes>,
}

/// Lets no span of ours into the program's registry while nobody listens. A filter of one layer does
/// not: what every layer refuses is made all the same, and kept until it ends.
struct Gate(Arc<Switch>);

impl<S: Subscriber> Layer<S> for Gate {
    fn register_callsite(&self, about: &'static Metadata<'static>) -> Interest {
        if is_ours(about) {
            // Asked anew each time, as the switch may be turned at any time.
            Interest::sometimes()
        } else {
            Interest::always()
        }
    }

    fn enabled(&self, about: &Metadata<'_>, _: Context<'_, S>) -> bool {
        !is_ours(about) || self.0.on.load(Ordering::Relaxed)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::INFO)
    }
}

/// Whether it is a span of those that go to collectors.
fn is_ours(about: &Metadata<'_>) -> bool {
    about.is_span() && about.target() == TARGET
}

/// What goes to one collector.
struct UnderWay {
    delivery: JoinHandle<()>,
    /// True once nothing may go there any more.
    taken_away: watch::Sender<bool>,
}

impl Default for Telemetry {
    fn default() -> Self {
        let notes = Arc::default();
        let (on, contents) = (AtomicBool::new(false), AtomicBool::new(false));
        let switch = Arc::new(Switch {
            on,
            contents,
            queue: RwLock::default(),
            under_way: Mutex::default(),
            notes,
        });
        let spans = SdkTracerProvider::builder()
            .with_sampler(Sampler::AlwaysOn)
            .with_span_processor(Entrance(switch.clone()))
            .build();
        Self { switch, spans }
    }
}

impl Telemetry {
    /// What hears the spans of the program. Without it in the program's subscriber nothing is ever
    /// recorded.
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        let recorded = OpenTelemetryLayer::new(self.spans.tracer("majordomo"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false)
            .with_context_activation(false)
            .with_filter(filter_fn(is_ours).with_max_level_hint(LevelFilter::INFO));
        recorded.and_then(Gate(self.switch.clone()))
    }

    /// From now on everything goes to this collector, with what servers and callers say only if
    /// `contents` is true. What waits for another one still goes there.
    ///
    /// # Errors
    /// [`CollectorError`] if there is no way out, and then nothing has changed.
    pub fn send_to(
        &self,
        collector: &Collector,
        contents: bool,
        out: Settings,
        surroundings: Arc<dyn Surroundings>,
    ) -> Result<(), CollectorError> {
        let (notes, (taken_away, gone)) = (self.switch.notes.clone(), watch::channel(false));
        let post = Post {
            egress: Egress::new(out)?,
            notes,
            surroundings,
            runtime: Handle::current(),
            gone,
        };
        let (queue, delivery) = deliver::begin(collector, post)?;
        self.switch.turn(Some(queue), contents);
        let mut under_way = self.switch.under_way();
        under_way.retain(|earlier| !earlier.delivery.is_finished());
        under_way.push(UnderWay {
            delivery,
            taken_away,
        });
        Ok(())
    }

    /// Nothing is recorded any more, and nothing is sent: what waits is dropped.
    pub fn off(&self) {
        self.switch.turn(None, false);
        for earlier in self.switch.under_way().iter() {
            earlier.taken_away.send_replace(true);
        }
    }

    /// Whether what is done is recorded.
    pub fn is_on(&self) -> bool {
        self.switch.on.load(Ordering::Relaxed)
    }

    /// Whether what is sent arrives.
    pub fn status(&self) -> Status {
        self.switch.notes.status()
    }

    /// Nothing is recorded any more. What waits is still sent, as far as that is quick: for the end
    /// of the program.
    pub async fn close(&self) {
        self.switch.turn(None, false);
        let under_way = std::mem::take(&mut *self.switch.under_way());
        let all = async {
            for earlier in under_way {
                // One that panicked sends nothing more.
                let _ = earlier.delivery.await;
            }
        };
        let _ = timeout(FAREWELL, all).await;
    }

    /// The `traceparent` (W3C Trace Context) of this span, for a server that may know of it; none
    /// if the span is not recorded.
    pub fn traceparent(span: &Span) -> Option<String> {
        let context = span.context();
        let span = context.span();
        let about = span.span_context();
        about.is_valid().then(|| {
            format!(
                "00-{}-{}-{:02x}",
                about.trace_id(),
                about.span_id(),
                about.trace_flags()
            )
        })
    }
}

impl Switch {
    /// Takes a span that has ended.
    pub(crate) fn take(&self, mut span: SpanData) {
        let queue = self.queue.read().unwrap_or_else(PoisonError::into_inner);
        // Turned off while it ran: nobody wants it any more.
        let Some(queue) = &*queue else { return };
        if !self.contents.load(Ordering::Relaxed) {
            contents::leave_out(&mut span);
        }
        if queue.try_send(span).is_err() {
            self.notes.dropped(1);
        }
    }

    fn turn(&self, queue: Option<mpsc::Sender<SpanData>>, contents: bool) {
        let mut now = self.queue.write().unwrap_or_else(PoisonError::into_inner);
        self.on.store(queue.is_some(), Ordering::Relaxed);
        self.contents.store(contents, Ordering::Relaxed);
        *now = queue;
    }

    fn under_way(&self) -> MutexGuard<'_, Vec<UnderWay>> {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Switch")
            .field("on", &self.on)
            .finish_non_exhaustive()
    }
}
