//! Clients that come over Streamable HTTP, of both eras.
//!
//! Always true here:
//! - a session is one client's, whoever else knows its number;
//! - an answer is JSON if nothing comes before it, and a stream of events else;
//! - sessions and requests of one client are bounded, and so is what a request may hold.

mod batched;
mod body;
mod headers;
mod sessions;
mod streams;

pub use body::Response;

use crate::batch;
use crate::endpoint::Endpoint;
use crate::message::{self, Id, Message, failure};
use crate::methods::tool_of;
use crate::revision;
use crate::rpc_error::RpcError;
use crate::session::{Session, Step};
use crate::visit::Visit;
use api::ClientCarrier;
use futures::future::AbortHandle;
use futures::{StreamExt as _, stream};
use host::Host;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::{HeaderMap, Method, Request, StatusCode};
use protocol::CallerId;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use sessions::{HttpSession, Room, Sessions};
use std::sync::Arc;
use std::time::Duration;
use streams::{carried, followed, listened};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// The largest message that is read, in bytes: as much as a call may hold, and what goes with it.
const LARGEST: usize = 9 * 1024 * 1024;
/// How often is looked for sessions that nobody uses any more.
const LOOK: Duration = Duration::from_secs(60);
/// How long a message may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);

/// The door over HTTP.
pub struct Gateway {
    host: Host,
    sessions: Sessions,
    ending: CancellationToken,
}

type Outcome = Result<Box<RawValue>, RpcError>;

impl Gateway {
    /// The door to a host.
    pub fn new(host: Host) -> Arc<Self> {
        let gateway = Arc::new(Self {
            host,
            sessions: Sessions::default(),
            ending: CancellationToken::new(),
        });
        let weak = Arc::downgrade(&gateway);
        tokio::spawn(async move {
            while let Some(gateway) = weak.upgrade() {
                gateway.sessions.forget_unused();
                let host = gateway.host.clone();
                drop(gateway);
                host.look_for_presence().await;
                drop(host);
                sleep(LOOK).await;
            }
        });
        gateway
    }

    /// Tells nobody any more what nobody has asked for. What is being answered is answered.
    pub fn end(&self) {
        self.ending.cancel();
    }

    /// Answers a request of a client that has proven to be this one.
    pub async fn answer(
        &self,
        client: &CallerId,
        endpoint: Endpoint,
        request: Request<Incoming>,
    ) -> Response {
        let answered = match *request.method() {
            Method::POST => self.post(client, endpoint, request).await,
            Method::GET => self.get(client, request.headers()),
            Method::DELETE => self.delete(client, request.headers()),
            _ => Err(StatusCode::METHOD_NOT_ALLOWED),
        };
        answered.unwrap_or_else(body::refused)
    }

    async fn post(
        &self,
        client: &CallerId,
        endpoint: Endpoint,
        request: Request<Incoming>,
    ) -> Result<Response, StatusCode> {
        let (head, incoming) = request.into_parts();
        let headers = head.headers;
        if !headers::is_json(&headers) {
            return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        // What is read takes memory, too.
        let room = self.sessions.room(client)?;
        let read = timeout(BODY_TIMEOUT, Limited::new(incoming, LARGEST).collect()).await;
        let read = read.map_err(|_| StatusCode::REQUEST_TIMEOUT)?;
        let bytes = read.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?.to_bytes();
        let read = std::str::from_utf8(&bytes).map_err(|_| StatusCode::BAD_REQUEST)?;
        if batch::is_batch(read) {
            return self.batch(client, &headers, read, room);
        }
        let message = match Message::read(read) {
            Ok(message) => message,
            Err(unreadable) => {
                let text = failure(unreadable.id.as_ref(), &unreadable.error);
                return Ok(body::json(StatusCode::BAD_REQUEST, text));
            }
        };
        if headers::revision(&headers) == Some(revision::MODERN) || is_modern(&message) {
            return self.modern(client, endpoint, &headers, message, room).await;
        }
        self.of_session(client, endpoint, &headers, message, room)
            .await
    }

    /// A message that says its own revision.
    async fn modern(
        &self,
        client: &CallerId,
        endpoint: Endpoint,
        headers: &HeaderMap,
        message: Message,
        room: Room,
    ) -> Result<Response, StatusCode> {
        let Message::Request(request) = message else {
            return Ok(body::empty(StatusCode::ACCEPTED));
        };
        let id = request.id.clone();
        if let Err(error) = headers::check(headers, &request) {
            return Ok(body::json(
                StatusCode::BAD_REQUEST,
                failure(Some(&id), &error),
            ));
        }
        let visit = self.visit(client, endpoint).await?;
        let _busy = visit.busy();
        if let Err(error) = check_arguments(headers, &visit, &request) {
            return Ok(refusal(&id, Err(error)));
        }
        let session = Session::new(visit.clone());
        Ok(match session.step(request, true) {
            Step::Answer(outcome) => refusal(&id, outcome),
            Step::Listen(listen) => listened(visit, id, listen, room, self.ending.clone()),
            Step::Work(work) => {
                // It is taken back by closing its stream.
                let (_, registration) = AbortHandle::new_pair();
                carried(visit, work, true, (room, None), registration, modern_reply).await
            }
        })
    }

    /// A message of a session, or one that begins it.
    async fn of_session(
        &self,
        client: &CallerId,
        endpoint: Endpoint,
        headers: &HeaderMap,
        message: Message,
        room: Room,
    ) -> Result<Response, StatusCode> {
        if let Some(said) = headers::revision(headers)
            && !revision::WITH_HANDSHAKE.contains(&said)
        {
            return Err(StatusCode::BAD_REQUEST);
        }
        if let Message::Request(request) = &message
            && request.method == "initialize"
        {
            return self.begin(client, endpoint, message).await;
        }
        let session = self.session(client, headers)?;
        let _busy = session.conversation().visit().busy();
        let request = match message {
            Message::Request(request) => request,
            told => {
                session.heard(told);
                return Ok(body::empty(StatusCode::ACCEPTED));
            }
        };
        let id = request.id.clone();
        Ok(match session.conversation().step(request, false) {
            Step::Answer(outcome) => plain_reply(&id, outcome),
            Step::Listen(_) => {
                plain_reply(&id, Err(RpcError::unknown_method("subscriptions/listen")))
            }
            Step::Work(work) => {
                let (registration, begun) = match session.begin(&id) {
                    Ok(begun) => begun,
                    Err(error) => return Ok(plain_reply(&id, Err(error))),
                };
                let visit = session.conversation().visit().clone();
                let takes_events = headers::takes_events(headers);
                let held = (room, Some(begun));
                carried(visit, work, takes_events, held, registration, plain_reply).await
            }
        })
    }

    /// Messages of a session that come together. Each answer to them is an event of its own.
    fn batch(
        &self,
        client: &CallerId,
        headers: &HeaderMap,
        text: &str,
        room: Room,
    ) -> Result<Response, StatusCode> {
        let session = match headers::session(headers) {
            Some(_) => Some(self.session(client, headers)?),
            None => None,
        };
        let agreed = session
            .as_ref()
            .and_then(|session| session.conversation().agreed());
        let (messages, session) = match (batch::read(text, agreed), session) {
            (Ok(messages), Some(session)) => (messages, session),
            (Err(error), _) => {
                return Ok(body::json(StatusCode::BAD_REQUEST, failure(None, &error)));
            }
            (Ok(_), None) => return Err(StatusCode::BAD_REQUEST),
        };
        if !headers::takes_events(headers) {
            return Err(StatusCode::NOT_ACCEPTABLE);
        }
        let answers = batched::answers(&session, messages);
        if answers.is_empty() {
            return Ok(body::empty(StatusCode::ACCEPTED));
        }
        let answers = stream::iter(answers).flatten_unordered(batched::AT_ONCE);
        // It is held to the end.
        let answers = answers.map(move |text| {
            let _ = &room;
            text
        });
        Ok(body::events(answers))
    }

    async fn begin(
        &self,
        client: &CallerId,
        endpoint: Endpoint,
        message: Message,
    ) -> Result<Response, StatusCode> {
        let Message::Request(request) = message else {
            return Err(StatusCode::BAD_REQUEST);
        };
        let admitted = self.admit(client).await?;
        let visit = Visit::new(self.host.clone(), admitted, endpoint);
        let (id, session) = (request.id.clone(), Session::new(visit));
        let Step::Answer(outcome) = session.step(request, false) else {
            return Err(StatusCode::BAD_REQUEST);
        };
        let has_begun = outcome.is_ok();
        let mut response = plain_reply(&id, outcome);
        if has_begun {
            let number = self.sessions.keep(client, session);
            headers::set_session(&mut response, &number);
        }
        Ok(response)
    }

    /// What a session's client is told beside answers.
    fn get(&self, client: &CallerId, headers: &HeaderMap) -> Result<Response, StatusCode> {
        if !headers::takes_events(headers) {
            return Err(StatusCode::NOT_ACCEPTABLE);
        }
        let session = self.session(client, headers)?;
        Ok(followed(&session, self.ending.clone()))
    }

    fn delete(&self, client: &CallerId, headers: &HeaderMap) -> Result<Response, StatusCode> {
        self.session(client, headers)?;
        if let Some(number) = headers::session(headers) {
            self.sessions.end(number);
        }
        Ok(body::empty(StatusCode::OK))
    }

    fn session(
        &self,
        client: &CallerId,
        headers: &HeaderMap,
    ) -> Result<Arc<HttpSession>, StatusCode> {
        let number = headers::session(headers).ok_or(StatusCode::BAD_REQUEST)?;
        self.sessions
            .find(client, number)
            .ok_or(StatusCode::NOT_FOUND)
    }

    /// A client whose requests belong to no session, at an endpoint.
    async fn visit(&self, client: &CallerId, endpoint: Endpoint) -> Result<Visit, StatusCode> {
        if let Some(visit) = self.sessions.visit(client, &endpoint) {
            return Ok(visit);
        }
        let admitted = self.admit(client).await?;
        let visit = Visit::new(self.host.clone(), admitted, endpoint);
        Ok(self.sessions.keep_visit(client, visit))
    }

    async fn admit(&self, client: &CallerId) -> Result<host::Admitted, StatusCode> {
        let admitted = self.host.admit(client, ClientCarrier::Http).await;
        admitted.map_err(|_| StatusCode::UNAUTHORIZED)
    }
}

fn is_modern(message: &Message) -> bool {
    match message {
        Message::Request(request) => {
            request.method == "server/discover"
                || request
                    .params
                    .meta()
                    .is_ok_and(|meta| meta.revision.is_some())
        }
        Message::Notification { .. } | Message::Reply { .. } => false,
    }
}

/// Whether the headers of a call say the same as its arguments. Of a tool that its client does not
/// find here nothing is said.
fn check_arguments(
    headers: &HeaderMap,
    visit: &Visit,
    request: &message::Request,
) -> Result<(), RpcError> {
    #[derive(Deserialize)]
    struct Called {
        name: String,
    }
    #[derive(Deserialize)]
    struct With {
        #[serde(default)]
        arguments: Option<Map<String, Value>>,
    }
    if request.method != "tools/call" {
        return Ok(());
    }
    let Called { name } = request.params.read()?;
    let Some((server, tool)) = tool_of(visit, &name) else {
        return Ok(());
    };
    let parameters = visit.host().header_parameters(&server, &tool);
    if parameters.is_empty() {
        return Ok(());
    }
    let With { arguments } = request.params.read()?;
    headers::check_parameters(headers, &parameters, &arguments.unwrap_or_default())
}

/// A reply of the era before 2026: what went wrong is in it.
fn plain_reply(id: &Id, outcome: Outcome) -> Response {
    body::json(StatusCode::OK, message::reply(id, outcome))
}

/// What is said of a request of the era of 2026 that is none: it is not carried out.
fn refusal(id: &Id, outcome: Outcome) -> Response {
    body::json(StatusCode::BAD_REQUEST, message::reply(id, outcome))
}

/// A reply of the era of 2026, which says by its status, too, that there is no such method or that
/// its client lacks something.
fn modern_reply(id: &Id, outcome: Outcome) -> Response {
    let status = match &outcome {
        Err(error) if error.code == RpcError::UNKNOWN_METHOD => StatusCode::NOT_FOUND,
        Err(error) if error.code == RpcError::MISSING_CAPABILITY => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    };
    body::json(status, message::reply(id, outcome))
}
