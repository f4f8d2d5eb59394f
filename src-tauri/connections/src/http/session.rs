//! Streamable HTTP with a session (2025-03-26 to 2025-11-25). A server that forgot the session is
//! greeted anew and asked again: it has not done what it refused. A stream that ends early is taken
//! up where it ended, where the server numbers its events.

use super::address::{Address, Refused, Seen, posted, streamed};
use crate::ConnectionError;
use crate::carrier::{Carrier, Kind, Outgoing};
use crate::wire::{Frame, frames};
use egress::{HeaderMap, HeaderValue, Method, Response};
use futures::future::BoxFuture;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

const SESSION: &str = "mcp-session-id";
/// How long before an ended stream is taken up again, unless the server says otherwise; it doubles
/// with each failure.
const RETRY: Duration = Duration::from_secs(1);
const LONGEST_RETRY: Duration = Duration::from_secs(60);
/// How often in a row the stream of one answer is taken up without anything new.
const RESUMES: u32 = 8;
/// How long the stream for what the server says by itself may take to open. What it says before
/// that is lost with many servers.
const OPENING: Duration = Duration::from_secs(1);
/// How long a new greeting may take.
const GREETING: Duration = Duration::from_secs(30);

/// The carrier.
pub(super) struct Session(Arc<Inner>);

struct Inner {
    address: Address,
    known: Mutex<Known>,
    /// Held while the server is greeted anew.
    renewing: tokio::sync::Mutex<()>,
    under_way: Mutex<HashMap<u64, AbortHandle>>,
    listening: Mutex<Option<AbortHandle>>,
}

/// What is said with every request.
#[derive(Debug, Default, Clone)]
struct Known {
    session: Option<HeaderValue>,
    revision: Option<HeaderValue>,
    /// The first message, for greeting anew.
    greeting: Vec<u8>,
}

impl Session {
    pub(super) fn new(address: Address) -> Self {
        Self(Arc::new(Inner {
            address,
            known: Mutex::default(),
            renewing: tokio::sync::Mutex::default(),
            under_way: Mutex::default(),
            listening: Mutex::default(),
        }))
    }
}

impl Carrier for Session {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), ConnectionError>> {
        Box::pin(async move {
            let Kind::Request { id, method, .. } = message.kind else {
                let initialized = matches!(
                    message.kind,
                    Kind::Notification {
                        method: "notifications/initialized"
                    }
                );
                self.0.post(&message.body).await?;
                if initialized {
                    let _ = timeout(OPENING, Inner::listen(&self.0)).await;
                }
                return Ok(());
            };
            if method == "initialize" {
                lock(&self.0.known).greeting.clone_from(&message.body);
            }
            let inner = Arc::clone(&self.0);
            let mut under_way = lock(&self.0.under_way);
            let task = tokio::spawn(async move {
                if let Err(error) = inner.exchange(id, &message.body).await {
                    inner.address.dispatcher.settle(id, Err(error));
                }
                lock(&inner.under_way).remove(&id);
            });
            under_way.insert(id, task.abort_handle());
            Ok(())
        })
    }

    fn withdraw(&self, id: u64) -> bool {
        if let Some(task) = lock(&self.0.under_way).remove(&id) {
            task.abort();
        }
        // To go away is not to cancel here; the server must be told.
        false
    }

    fn agreed(&self, revision: &str) {
        // 2025-03-26 does not know the header.
        if revision > "2025-03-26" {
            lock(&self.0.known).revision = HeaderValue::try_from(revision).ok();
        }
    }

    fn session(&self) -> Option<String> {
        lock(&self.0.known)
            .session
            .as_ref()
            .and_then(|session| session.to_str().ok())
            .map(str::to_owned)
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.0.abort();
            if lock(&self.0.known).session.is_some() {
                // A server may refuse to forget a session, or be gone.
                let _ = self
                    .0
                    .address
                    .send(
                        Method::DELETE,
                        &self.0.address.url,
                        self.0.with(HeaderMap::new()),
                        None,
                    )
                    .await;
            }
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Inner {
    fn abort(&self) {
        for (_, task) in lock(&self.under_way).drain() {
            task.abort();
        }
        if let Some(task) = lock(&self.listening).take() {
            task.abort();
        }
    }

    /// One request and everything that comes back for it.
    async fn exchange(self: &Arc<Self>, id: u64, body: &[u8]) -> Result<(), ConnectionError> {
        let response = self.post(body).await?;
        let mut seen = Seen::default();
        let mut ended = self.address.read(response, &mut seen).await;
        let mut failures = 0;
        while self.address.dispatcher.waits(id) {
            let before = seen.clone();
            // A stream without numbers cannot be taken up; what was not answered on it is lost.
            let Some(last) = seen.last.clone() else {
                return Err(ended
                    .err()
                    .unwrap_or(ConnectionError::ConnectionLost { status: None }));
            };
            if failures == RESUMES {
                return Err(ConnectionError::ConnectionLost { status: None });
            }
            sleep(pause(&seen, failures)).await;
            ended = match self.resume(Some(&last)).await? {
                Ok(response) => self.address.events(response, &mut seen).await,
                Err(refused) => return Err(refused.error()),
            };
            failures = if seen.last == before.last {
                failures + 1
            } else {
                0
            };
        }
        Ok(())
    }

    async fn resume(
        &self,
        last: Option<&str>,
    ) -> Result<Result<Response, Refused>, ConnectionError> {
        let mut headers = self.with(streamed());
        if let Some(last) = last.and_then(|last| HeaderValue::try_from(last).ok()) {
            headers.insert("last-event-id", last);
        }
        self.address
            .send(Method::GET, &self.address.url, headers, None)
            .await
    }

    /// Sends a message; if the server has forgotten the session, once more in a new one.
    async fn post(self: &Arc<Self>, body: &[u8]) -> Result<Response, ConnectionError> {
        let session = lock(&self.known).session.clone();
        let body = egress::Bytes::copy_from_slice(body);
        let sent = self
            .address
            .send(
                Method::POST,
                &self.address.url,
                self.with(posted()),
                Some(body.clone()),
            )
            .await?;
        let refused = match sent {
            Ok(response) => {
                self.note_session(&response);
                return Ok(response);
            }
            Err(refused) => refused,
        };
        let Some(session) = session.filter(|_| forgotten(&refused)) else {
            return Err(refused.error());
        };
        self.renew(&session).await?;
        match self
            .address
            .send(
                Method::POST,
                &self.address.url,
                self.with(posted()),
                Some(body),
            )
            .await?
        {
            Ok(response) => Ok(response),
            Err(refused) if forgotten(&refused) => Err(ConnectionError::SessionLost),
            Err(refused) => Err(refused.error()),
        }
    }

    /// Greets the server anew, unless somebody else has just done so.
    async fn renew(self: &Arc<Self>, old: &HeaderValue) -> Result<(), ConnectionError> {
        let _one_at_a_time = self.renewing.lock().await;
        if lock(&self.known).session.as_ref() != Some(old) {
            return Ok(());
        }
        tracing::info!("a server has forgotten the session; it is greeted anew");
        lock(&self.known).session = None;
        let greeted = timeout(GREETING, self.greet())
            .await
            .unwrap_or(Err(ConnectionError::SessionLost));
        if greeted.is_err() {
            // The next one who asks tries again.
            lock(&self.known).session = Some(old.clone());
            return Err(ConnectionError::SessionLost);
        }
        drop(Self::listen(self));
        self.address.dispatcher.renewed();
        Ok(())
    }

    async fn greet(self: &Arc<Self>) -> Result<(), ConnectionError> {
        let greeting = lock(&self.known).greeting.clone();
        let sent = self
            .address
            .send(
                Method::POST,
                &self.address.url,
                self.with(posted()),
                Some(greeting.into()),
            )
            .await?;
        let response = sent.map_err(Refused::error)?;
        self.note_session(&response);
        // What it says is what it said before; nobody waits for it.
        self.address.read(response, &mut Seen::default()).await?;
        let initialized = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let sent = self
            .address
            .send(
                Method::POST,
                &self.address.url,
                self.with(posted()),
                Some(initialized.to_vec().into()),
            )
            .await?;
        sent.map(|_| ()).map_err(Refused::error)
    }

    /// Hears what the server says by itself, in a task of its own, for servers that have a stream
    /// for that. The answer comes when the stream is open, or there is none.
    fn listen(self: &Arc<Self>) -> oneshot::Receiver<()> {
        let inner = Arc::downgrade(self);
        let (opened, open) = oneshot::channel();
        let task = tokio::spawn(async move {
            let (mut seen, mut failures, mut opened) = (Seen::default(), 0, Some(opened));
            loop {
                let Some(inner) = inner.upgrade() else { return };
                let before = seen.last.clone();
                let answered = inner.resume(seen.last.as_deref()).await;
                // Nobody may wait for it any more.
                let _ = opened.take().map(|opened| opened.send(()));
                match answered {
                    Ok(Ok(response)) => _ = inner.address.events(response, &mut seen).await,
                    // It has none, or the session is over.
                    Ok(Err(refused)) if refused.status < 500 => return,
                    Ok(Err(_)) | Err(_) => {}
                }
                drop(inner);
                failures = if seen.last == before { failures + 1 } else { 0 };
                sleep(pause(&seen, failures)).await;
            }
        });
        if let Some(before) = lock(&self.listening).replace(task.abort_handle()) {
            before.abort();
        }
        open
    }

    fn note_session(&self, response: &Response) {
        if let Some(session) = response.headers.get(SESSION) {
            let mut session = session.clone();
            session.set_sensitive(true);
            lock(&self.known).session = Some(session);
        }
    }

    fn with(&self, mut headers: HeaderMap) -> HeaderMap {
        let known = lock(&self.known);
        for (name, value) in [
            (SESSION, &known.session),
            ("mcp-protocol-version", &known.revision),
        ] {
            if let Some(value) = value {
                headers.insert(name, value.clone());
            }
        }
        headers
    }
}

/// Whether a refusal means that the session is not known there any more. The specification says
/// 404; the reference server says 400 with an error that belongs to no request.
fn forgotten(refused: &Refused) -> bool {
    let stray = || {
        frames(&refused.body)
            .ok()
            .flatten()
            .is_some_and(|frames| matches!(frames.first(), Some(Frame::Stray { .. })))
    };
    refused.status == 404 || refused.status == 400 && stray()
}

fn pause(seen: &Seen, failures: u32) -> Duration {
    let own = RETRY
        .saturating_mul(1 << failures.min(6))
        .min(LONGEST_RETRY);
    match seen.retry {
        Some(wanted) if failures < 2 => wanted,
        Some(wanted) => wanted.max(own),
        None => own,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
