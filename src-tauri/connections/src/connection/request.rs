//! One request and its answer, under a clock that stands still while a person is asked.

use super::Inner;
use crate::beside::beside_others;
use crate::call_deadline::CallDeadline;
use crate::conversation::{Ask, Sent, value};
use crate::ending::Why;
use crate::follow::Listener;
use crate::wire;
use crate::{ConnectionError, Follow, Progress, Rounds, Task};
use protocol::{CallId, Era};
use serde_json::{Map, Value};
use std::future::pending;
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::{sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// How long a lost call waits to learn how its server ended.
const SOON: Duration = Duration::from_secs(1);

/// How long someone waits, who hears the steps meanwhile, and how they stop waiting.
pub(super) struct Patience {
    clock: CallDeadline,
    open: watch::Receiver<usize>,
    pub(super) listener: Arc<Listener>,
    pub(super) cancelled: CancellationToken,
    task: Box<dyn Fn(&Task) + Send + Sync>,
    pub(super) rounds: Option<Arc<dyn Rounds>>,
    /// The trace that the server is told.
    pub(super) traceparent: Option<String>,
}

impl Patience {
    pub(super) fn new(inner: &Inner, follow: Follow) -> Self {
        Self {
            clock: CallDeadline::new(inner.limits.call, inner.limits.call_maximum),
            open: inner.open.clone(),
            listener: Arc::new(Listener {
                progress: follow.progress,
                stepped: Notify::new(),
            }),
            cancelled: follow.cancelled,
            task: follow.task,
            rounds: follow.rounds,
            traceparent: follow.trace.parent,
        }
    }

    /// The server has made a task of it: it takes as long as it takes, and every word about it is a
    /// step.
    pub(super) fn becomes(&mut self, task: &Task, inner: &Inner) {
        (self.task)(task);
        self.clock = CallDeadline::new(inner.limits.call, Duration::MAX);
    }

    /// Tells a step that did not come as progress.
    pub(super) fn step(&mut self, message: Option<String>) {
        self.clock.stepped();
        if message.is_some() {
            (self.listener.progress)(Progress {
                progress: 0.0,
                total: None,
                message,
            });
        }
    }

    /// Time in which a person is asked, or nobody has to do anything, does not count.
    pub(super) fn hold(&mut self, held: bool) {
        self.clock.hold(held);
    }
}

/// What goes with every request in the era of this server; `call` is the call that it is, if it is one.
pub(super) fn dressed(
    inner: &Inner,
    mut params: Map<String, Value>,
    call: Option<&CallId>,
) -> Map<String, Value> {
    if inner.initialize_result.era == Era::Modern {
        let level = *inner
            .log_level
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let model = inner.conversation.handler().has_model(call);
        let meta = wire::request_meta(level, model);
        params.insert("_meta".to_owned(), Value::Object(meta));
    }
    params
}

/// Sends a request and waits for its answer.
pub(super) async fn once(
    inner: &Inner,
    ask: Ask<'_>,
    patience: &mut Patience,
) -> Result<Value, ConnectionError> {
    if inner.ending.is_over() {
        return Err(inner.ending.error());
    }
    let mut sent = inner.conversation.request(ask);
    let held = *patience.open.borrow_and_update() > 0;
    patience.hold(held);
    // One future for the whole wait: a request that is still being sent must not be given up
    // because the clock is looked at.
    let mut answered = pin!(reply(inner, &mut sent));
    loop {
        let out_of_time = async {
            match patience.clock.end() {
                Some(end) => sleep_until(end).await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            reply = &mut answered => return reply,
            () = patience.cancelled.cancelled() => return Err(ConnectionError::Cancelled),
            () = inner.ending.over() => return Err(lost(inner).await),
            () = patience.listener.stepped.notified() => patience.clock.stepped(),
            Ok(()) = patience.open.changed() => patience.clock.hold(*patience.open.borrow_and_update() > 0),
            () = out_of_time => return Err(ConnectionError::TimedOut { after: patience.clock.limit() }),
        }
    }
}

/// Sends a request that is no call, and waits for its answer within the limit for lists. It changes
/// nothing, so it is made once more where its answer was lost on the way.
pub(super) async fn plain(inner: &Inner, ask: Ask<'_>) -> Result<Value, ConnectionError> {
    let again = Ask::new(ask.method, ask.params.clone());
    match one(inner, ask).await {
        Err(ConnectionError::ConnectionLost { .. })
            if inner.over_http && !inner.ending.is_over() =>
        {
            one(inner, again).await
        }
        answered => answered,
    }
}

/// Whether the server still answers anything: an error is an answer too.
pub(super) async fn is_alive(inner: &Inner) -> bool {
    let method = match inner.initialize_result.era {
        Era::Modern => "server/discover",
        Era::Legacy => "ping",
    };
    match one(inner, Ask::new(method, dressed(inner, Map::new(), None))).await {
        Ok(_) | Err(ConnectionError::Server { .. } | ConnectionError::Unreadable { .. }) => true,
        Err(_) => false,
    }
}

async fn one(inner: &Inner, ask: Ask<'_>) -> Result<Value, ConnectionError> {
    let after = inner.limits.list;
    let request = async {
        if inner.ending.is_over() {
            return Err(inner.ending.error());
        }
        reply(inner, &mut inner.conversation.request(ask)).await
    };
    tokio::select! {
        biased;
        answered = timeout(after, request) => answered.unwrap_or(Err(ConnectionError::TimedOut { after })),
        () = inner.ending.over() => Err(lost(inner).await),
    }
}

async fn reply(inner: &Inner, sent: &mut Sent) -> Result<Value, ConnectionError> {
    match sent.reply().await {
        Some(Ok(raw)) => beside_others(raw.get().len(), || value(&raw)),
        Some(Err(ConnectionError::ConnectionLost { status: None })) if inner.ending.is_over() => {
            Err(lost(inner).await)
        }
        Some(Err(error)) => Err(error),
        None => Err(lost(inner).await),
    }
}

/// The end of the connection, with the exit code if it is known soon.
async fn lost(inner: &Inner) -> ConnectionError {
    if inner.ending.why() == Some(Why::Lost { status: None }) {
        let mut gone = inner.gone.clone();
        // Without its guard there is nothing to wait for.
        let _ = timeout(SOON, gone.wait_for(|gone| *gone)).await;
    }
    inner.ending.error()
}
