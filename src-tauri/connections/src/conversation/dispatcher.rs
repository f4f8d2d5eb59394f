//! Where everything that a server sends arrives: answers go to whoever waits, requests to
//! the handler, and nothing is believed to be an answer that was not asked for.

use super::client_handler::ClientHandler;
use super::codex;
use super::wire_log::{MessageInfo, WireLog};
use crate::beside::beside_others;
use crate::carrier::{Carrier, Kind, Outgoing};
use crate::follow::{Listener, Progress};
use crate::pace::Pace;
use crate::wire::{Frame, INTERNAL, RpcError, frames};
use crate::{ConnectionError, During};
use protocol::{Budget, CallId};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::AbortHandle;

/// Questions of one server that may be open at once, and refusals of more that may be on their way
/// to it. A server that does not read them is not read.
const QUESTIONS: usize = 64;
const REFUSALS: usize = 16;
/// What a message that nobody asked for costs beside the time in which it is read: what it sets
/// going elsewhere.
const EACH: Duration = Duration::from_micros(50);
/// `Invalid params`: what a question gets that belongs to nothing any more (SEP-2260).
const INVALID_PARAMS: i32 = -32_602;

/// What was answered, as it came.
pub(crate) type Reply = Result<Box<RawValue>, ConnectionError>;

/// The dispatcher of one conversation.
pub(crate) struct Dispatcher {
    handler: Arc<ClientHandler>,
    wire_log: WireLog,
    carrier: OnceLock<Weak<dyn Carrier>>,
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, Waiter>>,
    /// Changes with each request that has ended.
    ended: watch::Sender<()>,
    /// Until they are answered, and the answer has left.
    questions: Mutex<HashMap<String, AbortHandle>>,
    refusals: Arc<Semaphore>,
    /// Requests of ours that stay open for what they were asked to tell.
    subscriptions: Mutex<HashSet<u64>>,
    /// Whether the server may ask by itself. A newer one must not.
    modern: AtomicBool,
    /// How often the server was greeted anew.
    renewals: watch::Sender<u32>,
    /// For what it says without being asked.
    pace: Mutex<Pace>,
}

/// Who waits for an answer.
struct Waiter {
    reply: oneshot::Sender<Reply>,
    listener: Option<Arc<Listener>>,
    call: Option<CallId>,
    number: Option<CallId>,
    /// Whether somebody wanted it, so that the server may ask something before it answers.
    wanted: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Step {
    progress_token: u64,
    progress: f64,
    total: Option<f64>,
    message: Option<String>,
}

impl Dispatcher {
    /// Of a server of which no more is kept than `budget` says.
    pub(crate) fn new(handler: Arc<ClientHandler>, budget: Budget) -> Arc<Self> {
        Arc::new(Self {
            handler,
            wire_log: WireLog::new(budget),
            carrier: OnceLock::new(),
            next: AtomicU64::new(1),
            waiting: Mutex::default(),
            ended: watch::Sender::default(),
            questions: Mutex::default(),
            refusals: Arc::new(Semaphore::new(REFUSALS)),
            subscriptions: Mutex::default(),
            modern: AtomicBool::new(false),
            renewals: watch::Sender::new(0),
            pace: Mutex::new(Pace::new(Instant::now())),
        })
    }

    pub(super) fn handler(&self) -> &Arc<ClientHandler> {
        &self.handler
    }

    pub(super) fn wire_log(&self) -> &WireLog {
        &self.wire_log
    }

    pub(super) fn attach(&self, carrier: &Arc<dyn Carrier>) {
        // There is one carrier to a dispatcher.
        let _ = self.carrier.set(Arc::downgrade(carrier));
    }

    pub(super) fn be_modern(&self) {
        self.modern.store(true, Ordering::Relaxed);
    }

    /// A new number, and where its answer will arrive.
    pub(super) fn expect(
        &self,
        method: &str,
        listener: Option<Arc<Listener>>,
        call: Option<CallId>,
        number: Option<CallId>,
    ) -> (u64, oneshot::Receiver<Reply>) {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (reply, answered) = oneshot::channel();
        self.waiting().insert(
            id,
            Waiter {
                reply,
                listener,
                call,
                number,
                wanted: may_ask_back(method),
            },
        );
        (id, answered)
    }

    /// Nobody waits for this answer any more.
    pub(super) fn forget(&self, id: u64) {
        self.waiting().remove(&id);
        self.ended.send_replace(());
        lock(&self.subscriptions).remove(&id);
    }

    /// This request stays open, and what belongs to it says so.
    pub(super) fn subscribe(&self, id: u64) {
        lock(&self.subscriptions).insert(id);
    }

    /// Keeps what was sent for whoever wants to look at it.
    pub(super) fn note_sent(&self, message: &Outgoing, method: Option<&str>, call: Option<CallId>) {
        let id = match &message.kind {
            Kind::Request { id, .. } => Some(id.to_string()),
            Kind::Notification { .. } | Kind::Reply => None,
        };
        self.wire_log
            .note(true, &message.body, MessageInfo { method, id, call });
        self.handler.exchanged();
    }

    /// Takes one message or batch as it came. Waits while the server does not read what it is
    /// answered, and where it says more than it is asked for. False if it is not the protocol. An
    /// error ends the connection.
    pub(crate) async fn take(self: &Arc<Self>, bytes: &[u8]) -> Result<bool, ConnectionError> {
        let begun = Instant::now();
        let frames = beside_others(bytes.len(), || frames(bytes))?;
        let is_protocol = frames.is_some();
        let (mut wanted, mut each) = (false, EACH);
        for (index, frame) in frames.into_iter().flatten().enumerate() {
            wanted |= matches!(frame, Frame::Reply { id, .. } if self.waits(id));
            let about = self.about(&frame);
            // The progress of a call that somebody waits for costs what it takes to read it.
            if about.call.is_some() {
                each = Duration::ZERO;
            }
            // The parts of a batch are one message on the wire.
            if index == 0 {
                self.wire_log.note(false, bytes, about);
                self.handler.exchanged();
            }
            self.dispatch(frame).await;
        }
        if !wanted {
            let now = Instant::now();
            let wait = lock(&self.pace).pay(now.duration_since(begun) + each, now);
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
        }
        Ok(is_protocol)
    }

    fn about<'a>(&self, frame: &'a Frame<'_>) -> MessageInfo<'a> {
        match frame {
            Frame::Request { id, method, .. } => MessageInfo {
                method: Some(method),
                id: Some(id.get().to_owned()),
                call: None,
            },
            Frame::Notification { method, params } => {
                let request = match method.as_ref() {
                    "notifications/progress" => step(*params).map(|step| step.progress_token),
                    codex::EVENT => params.and_then(|params| codex::request_of(params.get())),
                    _ => None,
                };
                let call = request.and_then(|id| self.call(id));
                MessageInfo {
                    method: Some(method),
                    id: None,
                    call,
                }
            }
            Frame::Reply { id, .. } => MessageInfo {
                method: None,
                id: Some(id.to_string()),
                call: self.call(*id),
            },
            Frame::Stray { .. } => MessageInfo::default(),
        }
    }

    fn call(&self, id: u64) -> Option<CallId> {
        self.waiting()
            .get(&id)
            .and_then(|waiter| waiter.call.clone())
    }

    async fn dispatch(self: &Arc<Self>, frame: Frame<'_>) {
        match frame {
            Frame::Reply { id, result } => self.settle(id, result.map(RawValue::to_owned)),
            Frame::Request { id, method, params } => self.question(id, &method, params).await,
            Frame::Notification { method, params } => {
                let bytes = params.map_or(0, |params| params.get().len());
                beside_others(bytes, || self.notification(&method, params));
            }
            Frame::Stray { error } => {
                tracing::debug!(?error, "a server answered something that was not asked")
            }
        }
    }

    /// This request has ended, with an answer or because its carrier lost it. A second end is not
    /// heard.
    pub(crate) fn settle(&self, id: u64, reply: Reply) {
        lock(&self.subscriptions).remove(&id);
        let waiter = self.waiting().remove(&id);
        self.ended.send_replace(());
        match waiter {
            // Who waited may have gone in this moment.
            Some(waiter) => _ = waiter.reply.send(reply),
            None => tracing::debug!(id, "an answer came that nobody waits for"),
        }
    }

    /// What somebody wants of the server now: the requests, and what they are.
    fn wanted(&self) -> (Vec<u64>, During) {
        let waiting = self.waiting();
        let wanted = waiting.iter().filter(|(_, waiter)| waiter.wanted);
        let mut wanted: Vec<(&u64, &Waiter)> = wanted.collect();
        wanted.sort_by_key(|(id, _)| **id);
        let (calls, others): (Vec<_>, Vec<_>) =
            wanted.iter().partition(|(_, waiter)| waiter.call.is_some());
        let calls = calls.into_iter();
        let during = During {
            calls: calls
                .filter_map(|(_, waiter)| waiter.call.clone())
                .collect(),
            others: others
                .into_iter()
                .map(|(_, waiter)| waiter.number.clone())
                .collect(),
            key: None,
        };
        (wanted.into_iter().map(|(id, _)| *id).collect(), during)
    }

    /// Waits until all these requests have ended.
    async fn all_ended(&self, requests: &[u64]) {
        let mut ended = self.ended.subscribe();
        // The sender lives in self.
        let _ = ended
            .wait_for(|()| !requests.iter().any(|id| self.waits(*id)))
            .await;
    }

    /// Whether somebody still waits for this answer.
    pub(crate) fn waits(&self, id: u64) -> bool {
        self.waiting().contains_key(&id)
    }

    fn notification(&self, method: &str, params: Option<&RawValue>) {
        match method {
            codex::EVENT => {
                let call = params.and_then(|params| codex::request_of(params.get()));
                let waiting = self.waiting();
                let listener = call.and_then(|id| waiting.get(&id)?.listener.as_ref());
                if let Some(listener) = listener {
                    listener.stepped.notify_one();
                }
            }
            "notifications/progress" => {
                let Some(step) = step(params) else { return };
                let listener = self
                    .waiting()
                    .get(&step.progress_token)
                    .and_then(|waiter| waiter.listener.clone());
                if let Some(listener) = listener {
                    (listener.progress)(Progress {
                        progress: step.progress,
                        total: step.total,
                        message: step.message,
                    });
                    listener.stepped.notify_one();
                }
            }
            "notifications/cancelled" => {
                let params =
                    params.and_then(|params| serde_json::from_str::<Value>(params.get()).ok());
                let id = params
                    .as_ref()
                    .and_then(|params| params.get("requestId"))
                    .map(Value::to_string);
                if let Some(question) = id.and_then(|id| lock(&self.questions).remove(&id)) {
                    question.abort();
                }
            }
            _ => {
                let params =
                    params.and_then(|params| serde_json::from_str::<Value>(params.get()).ok());
                if self.concerns_us(params.as_ref()) {
                    self.handler.on_event(method, params);
                }
            }
        }
    }

    /// Whether a notification that names a subscription names one of ours.
    fn concerns_us(&self, params: Option<&Value>) -> bool {
        let named = params.and_then(|params| {
            params
                .get("_meta")?
                .get("io.modelcontextprotocol/subscriptionId")
        });
        named.is_none_or(|id| {
            id.as_u64()
                .is_some_and(|id| lock(&self.subscriptions).contains(&id))
        })
    }

    async fn question(self: &Arc<Self>, id: &RawValue, method: &str, params: Option<&RawValue>) {
        // A newer server must not ask by itself, and nothing may be answered to it.
        if self.modern.load(Ordering::Relaxed) {
            tracing::debug!(
                method,
                "a server asked by itself, which its revision forbids"
            );
            return;
        }
        let (key, params) = (id.get().to_owned(), params.map(RawValue::get));
        if self.open(&key, method, params) {
            return;
        }
        // Nothing more is read until there is room for the refusal.
        let Ok(room) = Arc::clone(&self.refusals).acquire_owned().await else {
            return;
        };
        let dispatcher = Arc::clone(self);
        tokio::spawn(async move {
            let refused = RpcError {
                code: INTERNAL,
                message: "too many questions at once, or two of one id".to_owned(),
                data: None,
            };
            dispatcher.reply(&key, Err(refused)).await;
            drop(room);
        });
    }

    /// Has a question answered in a task of its own. False if too many are open; and two with one id
    /// could not be told apart when one is taken back.
    fn open(self: &Arc<Self>, key: &str, method: &str, params: Option<&str>) -> bool {
        let mut questions = lock(&self.questions);
        if questions.len() >= QUESTIONS || questions.contains_key(key) {
            return false;
        }
        let (dispatcher, method) = (Arc::clone(self), method.to_owned());
        let params = params.and_then(|params| serde_json::from_str(params).ok());
        // Looked up now: what is wanted later is no occasion for this.
        let (requests, during) = self.wanted();
        let during = (!requests.is_empty()).then_some(during);
        // It cannot take itself out before it was put in: that needs the lock.
        let task = tokio::spawn({
            let key = key.to_owned();
            async move {
                let is_tied = during.is_some() && asks_person(&method);
                let reply = tokio::select! {
                    reply = dispatcher.handler.reply(&method, params, during) => reply,
                    // A question does not outlive what it is about.
                    () = dispatcher.all_ended(&requests), if is_tied => Err(RpcError {
                        code: INVALID_PARAMS,
                        message: "what this was asked for has ended".to_owned(),
                        data: None,
                    }),
                };
                dispatcher.reply(&key, reply).await;
                lock(&dispatcher.questions).remove(&key);
            }
        });
        questions.insert(key.to_owned(), task.abort_handle());
        true
    }

    async fn reply(&self, id: &str, reply: Result<Value, RpcError>) {
        let Some(carrier) = self.carrier.get().and_then(Weak::upgrade) else {
            return;
        };
        let id: Value = serde_json::from_str(id).unwrap_or_default();
        let body = match reply {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(error) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": error.code, "message": error.message } })
            }
        };
        let message = Outgoing {
            body: body.to_string().into_bytes(),
            kind: Kind::Reply,
        };
        self.wire_log.note(
            true,
            &message.body,
            MessageInfo {
                method: None,
                id: Some(id.to_string()),
                call: None,
            },
        );
        self.handler.exchanged();
        if let Err(error) = carrier.send(message).await {
            tracing::debug!(%error, "an answer did not reach its server");
        }
    }

    /// The server was greeted anew: it knows nothing of before, and may offer something else.
    pub(crate) fn renewed(&self) {
        self.renewals.send_modify(|count| *count += 1);
        for list in [
            "notifications/tools/list_changed",
            "notifications/resources/list_changed",
        ] {
            self.handler.on_event(list, None);
        }
    }

    /// How often the server was greeted anew.
    pub(super) fn renewals(&self) -> watch::Receiver<u32> {
        self.renewals.subscribe()
    }

    /// The conversation is over: nobody is answered, and no question stays open.
    pub(super) fn close(&self) {
        self.waiting().clear();
        for (_, question) in lock(&self.questions).drain() {
            question.abort();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<u64, Waiter>> {
        lock(&self.waiting)
    }
}

/// Whether a server may ask for something before it answers this (SEP-2260).
fn may_ask_back(method: &str) -> bool {
    matches!(method, "tools/call" | "resources/read" | "prompts/get")
}

/// Whether a person is asked because of this.
fn asks_person(method: &str) -> bool {
    matches!(method, "elicitation/create" | "sampling/createMessage")
}

fn step(params: Option<&RawValue>) -> Option<Step> {
    serde_json::from_str(params?.get()).ok()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "dispatcher_test.rs"]
mod tests;
