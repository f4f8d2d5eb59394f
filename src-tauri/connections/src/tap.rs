//! Stands between the protocol's service loop and a transport, and sees every message of either direction in order.
//!
//! It hands the steps of a call to whoever follows that call, and notes the end of the connection at once: the service loop
//! itself may still be busy with questions of the server when nobody is there any more to hear the answers.

use crate::ending::{Ending, Why};
use crate::follow::{Listener, Progress};
use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ProgressToken, RequestMetaObject, ServerJsonRpcMessage, ServerNotification,
};
use rmcp::transport::Transport;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Who follows which call, by progress token.
#[derive(Default)]
pub(crate) struct Listeners(Mutex<HashMap<ProgressToken, Arc<Listener>>>);

impl Listeners {
    fn add(&self, token: ProgressToken, listener: Arc<Listener>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(token, listener);
    }

    /// Nobody follows this call any more.
    pub(crate) fn remove(&self, token: &ProgressToken) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
    }

    fn of(&self, token: &ProgressToken) -> Option<Arc<Listener>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(token).cloned()
    }
}

/// A transport with an ear at it.
pub(crate) struct Tap<T> {
    transport: T,
    listeners: Arc<Listeners>,
    ending: Arc<Ending>,
}

impl<T> Tap<T> {
    pub(crate) fn new(transport: T, listeners: Arc<Listeners>, ending: Arc<Ending>) -> Self {
        Self { transport, listeners, ending }
    }

    /// Before the request leaves, so that no step can come before someone listens.
    fn note_listener(&self, message: &ClientJsonRpcMessage) {
        let JsonRpcMessage::Request(request) = message else { return };
        let ClientRequest::CallToolRequest(call) = &request.request else { return };
        let token = call.extensions.get::<RequestMetaObject>().and_then(RequestMetaObject::get_progress_token);
        if let (Some(token), Some(listener)) = (token, call.extensions.get::<Arc<Listener>>()) {
            self.listeners.add(token, listener.clone());
        }
    }

    fn tell_step(&self, message: &ServerJsonRpcMessage) -> bool {
        let JsonRpcMessage::Notification(notification) = message else { return false };
        let ServerNotification::ProgressNotification(step) = &notification.notification else { return false };
        if let Some(listener) = self.listeners.of(&step.params.progress_token) {
            let step = &step.params;
            (listener.progress)(Progress { progress: step.progress, total: step.total, message: step.message.clone() });
            listener.stepped.notify_one();
        }
        true
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Tap<T> {
    type Error = T::Error;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.note_listener(&message);
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            match self.transport.receive().await {
                Some(message) if self.tell_step(&message) => {}
                Some(message) => return Some(message),
                None => {
                    self.ending.end(Why::Lost { status: None });
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}
