//! One conversation with a server over any carrier: what is asked gets a number, and its answer
//! finds the one who waits.
//!
//! Whoever stops waiting for an answer has the server told, by the way the carrier has for that.

mod client_handler;
mod codex;
mod dispatcher;
mod params;
mod wire_log;

pub(crate) use client_handler::ClientHandler;
pub(crate) use dispatcher::{Dispatcher, Reply};
pub(crate) use params::Tool;
pub use wire_log::Message;

use crate::ConnectionError;
use crate::carrier::{Carrier, Kind, Outgoing};
use crate::follow::Listener;
use crate::trace::{self, Line};
use params::Params;
use protocol::CallId;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tokio::sync::{oneshot, watch};
use tracing::{Instrument as _, Span};

/// One conversation. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Conversation {
    carrier: Arc<dyn Carrier>,
    dispatcher: Arc<Dispatcher>,
    line: Arc<Line>,
}

/// One request, before it has a number.
pub(crate) struct Ask<'a> {
    pub(crate) method: &'static str,
    /// What is called, of a call only.
    pub(crate) tool: Option<Tool<'a>>,
    /// All other parameters.
    pub(crate) params: Map<String, Value>,
    /// Who hears its steps.
    pub(crate) listener: Option<Arc<Listener>>,
    /// The call that it belongs to.
    pub(crate) call: Option<CallId>,
    /// The number of something else, by which who wants it is found.
    pub(crate) number: Option<CallId>,
    /// Arguments that also travel as headers.
    pub(crate) parameters: Vec<(String, String)>,
}

impl Ask<'_> {
    pub(crate) fn new(method: &'static str, params: Map<String, Value>) -> Self {
        Self {
            method,
            tool: None,
            params,
            listener: None,
            call: None,
            number: None,
            parameters: Vec::new(),
        }
    }

    /// What it is about, where that is said beside the message.
    fn name(&self) -> Option<String> {
        if let Some(tool) = &self.tool {
            return Some(tool.name.as_str().to_owned());
        }
        let key = match self.method {
            "prompts/get" => "name",
            "resources/read" => "uri",
            "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
            _ => return None,
        };
        self.params.get(key)?.as_str().map(str::to_owned)
    }
}

#[derive(Serialize)]
struct Request<'a> {
    jsonrpc: &'static str,
    id: u64,
    method: &'a str,
    params: Params<'a>,
}

impl Conversation {
    pub(crate) fn new(carrier: Arc<dyn Carrier>, dispatcher: Arc<Dispatcher>, line: Line) -> Self {
        dispatcher.attach(&carrier);
        Self {
            carrier,
            dispatcher,
            line: Arc::new(line),
        }
    }

    /// Numbers a request. It leaves when it is waited for.
    pub(crate) fn request(&self, ask: Ask<'_>) -> Sent {
        let name = ask.name();
        let Ask {
            method,
            tool,
            params,
            listener,
            call,
            number,
            parameters,
        } = ask;
        let wants_steps = listener.is_some();
        let (id, answered) = self
            .dispatcher
            .expect(method, listener, call.clone(), number);
        let span = self
            .line
            .request(method, name.as_deref(), id, || self.carrier.session());
        // A map of values can always be written.
        let body = serde_json::to_vec(&Request {
            jsonrpc: "2.0",
            id,
            method,
            params: Params {
                tool,
                others: &params,
                progress_token: wants_steps.then_some(id),
            },
        })
        .unwrap_or_default();
        let message = Outgoing {
            body,
            kind: Kind::Request {
                id,
                method,
                name,
                parameters,
            },
        };
        Sent {
            conversation: self.clone(),
            id,
            method,
            call,
            message: Some(message),
            answered,
            open: true,
            span,
        }
    }

    /// Tells the server something.
    pub(crate) async fn notify(
        &self,
        method: &'static str,
        params: Map<String, Value>,
    ) -> Result<(), ConnectionError> {
        let body = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        let message = Outgoing {
            body: body.to_string().into_bytes(),
            kind: Kind::Notification { method },
        };
        self.dispatcher.note_sent(&message, Some(method), None);
        self.carrier.send(message).await
    }

    /// The two sides have agreed on a revision.
    pub(crate) fn agreed(&self, revision: &str) {
        self.carrier.agreed(revision);
        self.line.agreed(revision);
    }

    /// The server speaks the newer protocol: it never asks by itself.
    pub(crate) fn be_modern(&self) {
        self.dispatcher.be_modern();
    }

    /// Where it goes, as far as that may be known.
    pub(crate) fn line(&self) -> &Line {
        &self.line
    }

    /// What the server asks in the middle of an answer of its own is answered here too.
    pub(crate) fn handler(&self) -> &Arc<ClientHandler> {
        self.dispatcher.handler()
    }

    /// How many questions to a person are open.
    pub(crate) fn open_questions(&self) -> watch::Receiver<usize> {
        self.dispatcher.handler().open()
    }

    /// How often the server was greeted anew.
    pub(crate) fn renewals(&self) -> watch::Receiver<u32> {
        self.dispatcher.renewals()
    }

    /// The newest messages.
    pub(crate) fn messages(&self) -> Vec<Message> {
        self.dispatcher.wire_log().messages()
    }

    /// Ends it: nobody is answered any more, and the server is told where there is a way to.
    pub(crate) async fn close(&self) {
        self.dispatcher.close();
        self.carrier.close().await;
    }
}

/// A request that was numbered. Dropped without an answer, it tells the server that nobody waits
/// any more.
pub(crate) struct Sent {
    conversation: Conversation,
    id: u64,
    method: &'static str,
    call: Option<CallId>,
    message: Option<Outgoing>,
    answered: oneshot::Receiver<Reply>,
    open: bool,
    span: Span,
}

impl Sent {
    /// What comes of this request by itself, later and as often as the server likes, is ours.
    pub(crate) fn subscribe(&self) {
        self.conversation.dispatcher.subscribe(self.id);
    }

    /// Sends it and waits for the answer. A caller that stops waiting in between gives the request
    /// up. No answer at all means that the conversation is over.
    pub(crate) async fn reply(&mut self) -> Option<Reply> {
        let span = self.span.clone();
        let answered = self.exchange().instrument(span).await;
        match &answered {
            // Of a call more than one message may be sent; its end is not known here.
            _ if self.method == "tools/call" => {}
            Some(Err(error)) => trace::failed(&self.span, error),
            Some(Ok(_)) => {}
            None => trace::failed(
                &self.span,
                &ConnectionError::ConnectionLost { status: None },
            ),
        }
        answered
    }

    async fn exchange(&mut self) -> Option<Reply> {
        if let Some(message) = self.message.take() {
            self.conversation
                .dispatcher
                .note_sent(&message, Some(self.method), self.call.clone());
            let carrier = Arc::clone(&self.conversation.carrier);
            if let Err(error) = carrier.send(message).await {
                self.open = false;
                self.conversation.dispatcher.forget(self.id);
                return Some(Err(error));
            }
        }
        let answered = (&mut self.answered).await;
        self.open = false;
        answered.ok()
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        self.conversation.dispatcher.forget(self.id);
        if self.open && self.method != "tools/call" {
            trace::failed(&self.span, &ConnectionError::Cancelled);
        }
        // Not of something that never left; and the first message must not be taken back.
        if !self.open
            || self.message.is_some()
            || matches!(self.method, "initialize" | "server/discover")
        {
            return;
        }
        if self.conversation.carrier.withdraw(self.id) {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (conversation, id) = (self.conversation.clone(), self.id);
            runtime.spawn(async move {
                let params = Map::from_iter([
                    ("requestId".to_owned(), id.into()),
                    ("reason".to_owned(), "nobody waits any more".into()),
                ]);
                // A connection that is over needs no telling.
                let _ = conversation.notify("notifications/cancelled", params).await;
            });
        }
    }
}

/// An answer → its JSON.
pub(crate) fn value(raw: &RawValue) -> Result<Value, ConnectionError> {
    serde_json::from_str(raw.get()).map_err(ConnectionError::unreadable)
}
