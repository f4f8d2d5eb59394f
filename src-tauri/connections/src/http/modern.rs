//! Every request for itself (2026-07-28): one POST each, its answer on the way back. To stop
//! waiting is to cancel.

use super::address::{Address, Seen, posted};
use super::headers::carried;
use crate::ConnectionError;
use crate::carrier::{Carrier, Kind, Outgoing};
use crate::wire::{Frame, MODERN, frames};
use egress::{HeaderMap, HeaderName, HeaderValue, Method};
use futures::future::BoxFuture;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::AbortHandle;

/// Requests that may be under way at once.
const AT_ONCE: usize = 256;

/// The carrier.
pub(super) struct Modern {
    address: Arc<Address>,
    under_way: Arc<Mutex<HashMap<u64, AbortHandle>>>,
}

impl Modern {
    pub(super) fn new(address: Address) -> Self {
        Self {
            address: Arc::new(address),
            under_way: Arc::default(),
        }
    }
}

impl Carrier for Modern {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), ConnectionError>> {
        Box::pin(async move {
            let headers = headers(&message.kind);
            match message.kind {
                Kind::Request { id, .. } => {
                    let (address, under_way) =
                        (Arc::clone(&self.address), Arc::clone(&self.under_way));
                    let mut running = lock(&self.under_way);
                    if running.len() >= AT_ONCE {
                        return Err(ConnectionError::Unreachable {
                            problem: "too many requests are under way".to_owned(),
                        });
                    }
                    // It cannot take itself out before it was put in: that needs the lock.
                    let task = tokio::spawn(async move {
                        if let Err(error) = exchange(&address, id, headers, message.body).await {
                            address.dispatcher.settle(id, Err(error));
                        }
                        lock(&under_way).remove(&id);
                    });
                    running.insert(id, task.abort_handle());
                    Ok(())
                }
                Kind::Notification { .. } | Kind::Reply => {
                    let sent = self
                        .address
                        .send(
                            Method::POST,
                            &self.address.url,
                            headers,
                            Some(message.body.into()),
                        )
                        .await?;
                    sent.map(|_| ()).map_err(super::address::Refused::error)
                }
            }
        })
    }

    fn withdraw(&self, id: u64) -> bool {
        if let Some(task) = lock(&self.under_way).remove(&id) {
            task.abort();
        }
        true
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        for (_, task) in lock(&self.under_way).drain() {
            task.abort();
        }
        Box::pin(async {})
    }
}

impl Drop for Modern {
    fn drop(&mut self) {
        for (_, task) in lock(&self.under_way).drain() {
            task.abort();
        }
    }
}

async fn exchange(
    address: &Address,
    id: u64,
    headers: HeaderMap,
    body: Vec<u8>,
) -> Result<(), ConnectionError> {
    match address
        .send(Method::POST, &address.url, headers, Some(body.into()))
        .await?
    {
        Ok(response) => address.read(response, &mut Seen::default()).await?,
        // The protocol's own error says more than the status.
        Err(refused) if matches!(refused.status, 401 | 403) => return Err(refused.error()),
        Err(refused) => return Err(said(&refused.body).unwrap_or_else(|| refused.error())),
    }
    // The stream has ended; what was not answered on it is lost, and was perhaps done.
    if address.dispatcher.waits(id) {
        Err(ConnectionError::ConnectionLost { status: None })
    } else {
        Ok(())
    }
}

/// The protocol's own error in the body of a refusal, whichever request it says it is about.
fn said(body: &[u8]) -> Option<ConnectionError> {
    match frames(body).ok()??.into_iter().next()? {
        Frame::Reply {
            result: Err(error), ..
        }
        | Frame::Stray { error: Some(error) } => Some(error),
        _ => None,
    }
}

fn headers(kind: &Kind) -> HeaderMap {
    let mut headers = posted();
    headers.insert("mcp-protocol-version", HeaderValue::from_static(MODERN[0]));
    let (method, name, parameters) = match kind {
        Kind::Request {
            method,
            name,
            parameters,
            ..
        } => (Some(*method), name.as_deref(), parameters.as_slice()),
        Kind::Notification { method } => (Some(*method), None, &[][..]),
        Kind::Reply => (None, None, &[][..]),
    };
    if let Some(method) = method {
        headers.insert("mcp-method", HeaderValue::from_static(method));
    }
    if let Some(name) = name.and_then(carried) {
        headers.insert("mcp-name", name);
    }
    for (name, value) in parameters {
        if let (Ok(name), Some(value)) = (
            HeaderName::try_from(format!("mcp-param-{name}")),
            carried(value),
        ) {
            headers.insert(name, value);
        }
    }
    headers
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
