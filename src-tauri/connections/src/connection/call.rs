//! One call, from the permitted call to the answer: with its own clock, cancellation, and the server told whenever nobody
//! waits any more.

use super::Inner;
use crate::clock::Clock;
use crate::ending::Why;
use crate::follow::Listener;
use crate::tap::Listeners;
use crate::{ConnectionError, Follow, http, wire};
use policy::PermittedCall;
use protocol::ToolAnswer;
use rmcp::RoleClient;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ServerResult};
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError};
use serde_json::Value;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// How long a lost call waits to learn how its server ended.
const SOON: Duration = Duration::from_secs(1);

/// Runs a tool and waits for its answer.
pub(super) async fn call(inner: &Inner, call: PermittedCall, follow: Follow) -> Result<ToolAnswer, ConnectionError> {
    let call = call.into_call();
    let listener = Arc::new(Listener { progress: follow.progress, stepped: Notify::new() });
    let mut params = CallToolRequestParams::new(call.tool.0);
    params.arguments = Some(call.arguments);
    let mut request = CallToolRequest::new(params);
    request.extensions.insert(Arc::clone(&listener));
    let request = send(inner, ClientRequest::CallToolRequest(request)).await?;
    let result = wait(inner, request, &listener, &follow.cancelled).await?;
    wire::answer(result).map_err(|problem| unreadable(&problem))
}

/// Sends a request. A connection that is over, or a server that does not read, does not hold up anyone.
pub(super) async fn send(inner: &Inner, request: ClientRequest) -> Result<Sent<'_>, ConnectionError> {
    if inner.ending.is_over() {
        return Err(inner.ending.error());
    }
    let handle =
        inner.peer.send_request_with_option(request, PeerRequestOptions::no_options()).await.map_err(|error| told(inner, error))?;
    Ok(Sent { handle: Some(handle), listeners: &inner.listeners })
}

async fn wait(inner: &Inner, mut sent: Sent<'_>, listener: &Listener, cancelled: &CancellationToken) -> Result<Value, ConnectionError> {
    let mut clock = Clock::new(inner.limits.call, inner.limits.call_maximum);
    let mut open = inner.open.clone();
    clock.hold(*open.borrow_and_update() > 0);
    loop {
        let out_of_time = async {
            match clock.end() {
                Some(end) => sleep_until(end).await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            answer = sent.answer(inner) => return answer,
            () = cancelled.cancelled() => return Err(ConnectionError::Cancelled),
            () = inner.ending.over() => return Err(lost(inner).await),
            () = listener.stepped.notified() => clock.stepped(),
            Ok(()) = open.changed() => clock.hold(*open.borrow_and_update() > 0),
            () = out_of_time => return Err(ConnectionError::TimedOut { after: clock.limit() }),
        }
    }
}

/// A request that was sent. Dropped without an answer, it tells the server that nobody waits any more.
pub(super) struct Sent<'a> {
    handle: Option<RequestHandle<RoleClient>>,
    listeners: &'a Listeners,
}

impl Sent<'_> {
    /// Waits for the answer. Nothing is lost when the caller stops waiting in between.
    pub(super) async fn answer(&mut self, inner: &Inner) -> Result<Value, ConnectionError> {
        let Some(handle) = self.handle.as_mut() else { return Err(inner.ending.error()) };
        let answer = (&mut handle.rx).await;
        if let Some(handle) = self.handle.take() {
            self.listeners.remove(&handle.progress_token);
        }
        match answer {
            Ok(Ok(ServerResult::CustomResult(result))) => Ok(result.0),
            Ok(Ok(result)) => serde_json::to_value(result).map_err(|problem| unreadable(&problem)),
            Ok(Err(error)) => Err(told(inner, error)),
            // The service loop is gone.
            Err(_) => Err(lost(inner).await),
        }
    }
}

impl Drop for Sent<'_> {
    fn drop(&mut self) {
        let Some(handle) = self.handle.take() else { return };
        self.listeners.remove(&handle.progress_token);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                // A connection that is over needs no telling.
                let _ = handle.cancel(None).await;
            });
        }
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

/// rmcp's words for a failed request → ours.
fn told(inner: &Inner, error: ServiceError) -> ConnectionError {
    match error {
        ServiceError::McpError(error) => {
            ConnectionError::Server { code: error.code.0, message: error.message.into_owned(), data: error.data }
        }
        ServiceError::TransportSend(error) => http::failure(&*error.error).unwrap_or_else(|| inner.ending.error()),
        ServiceError::Cancelled { .. } => ConnectionError::Cancelled,
        _ => inner.ending.error(),
    }
}

/// An answer that is no answer to what was asked.
pub(super) fn unreadable(problem: &serde_json::Error) -> ConnectionError {
    const INTERNAL: i32 = -32_603;
    ConnectionError::Server { code: INTERNAL, message: format!("its answer cannot be read: {problem}"), data: None }
}
