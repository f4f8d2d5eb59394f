//! What is done at a door: `POST /rpc` for requests and `GET /events` for what happens; at that of
//! programs `GET /bridge/…` for another application, `POST /make-way` for a window and a proof of who
//! this is, at that of a browser the files of the user interface.
//!
//! Always true here:
//! - where a request comes from is checked before anything else, and its token before its body is
//!   read;
//! - a reply is written once, and leaves as it was written.

use crate::accept::{Answers, over};
use crate::guard::Guard;
use crate::make_way::MakeWay;
use crate::response::{self, Response};
use crate::strangers::Stranger;
use crate::{bridge, make_way, proof};
use api::{AnyRequest, HostError};
use futures::{Stream, StreamExt as _, stream};
use host::{Host, Surface};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::watch;
use tower_http::services::ServeDir;

/// The largest request that is read, in bytes; a conversation to import may have 32 MiB, in which
/// each quote takes two.
const MAX_REQUEST: usize = 48 * 1024 * 1024;

/// One door to a host.
pub(crate) struct Door {
    host: Host,
    guard: Guard,
    /// The user interface, where a browser comes.
    files: Option<ServeDir>,
    ending: watch::Receiver<bool>,
    make_way: Arc<MakeWay>,
}

impl Door {
    /// For programs, which see no files.
    pub(crate) fn of_programs(
        host: Host,
        guard: Guard,
        ending: watch::Receiver<bool>,
        make_way: Arc<MakeWay>,
    ) -> Self {
        Self {
            host,
            guard,
            files: None,
            ending,
            make_way,
        }
    }

    /// For a browser, with the folder of the user interface.
    pub(crate) fn of_page(
        host: Host,
        guard: Guard,
        ending: watch::Receiver<bool>,
        folder: &Path,
    ) -> Self {
        Self {
            host,
            guard,
            files: Some(ServeDir::new(folder)),
            ending,
            make_way: Arc::default(),
        }
    }

    /// What answers each request of a connection.
    pub(crate) fn answers(self: Arc<Self>) -> impl Answers {
        move |request, stranger: Arc<Stranger>| {
            let door = self.clone();
            async move { door.answer(request, &stranger).await }
        }
    }

    async fn answer(&self, request: Request<Incoming>, stranger: &Stranger) -> Response {
        if let Err(status) = self.guard.check_place(request.headers()) {
            return response::empty(status);
        }
        let answer = match request.uri().path() {
            path if path.starts_with(bridge::PATH) && self.files.is_none() => {
                self.admitted(request, stranger, Method::GET).await
            }
            make_way::PATH if self.files.is_none() => {
                self.admitted(request, stranger, Method::POST).await
            }
            "/rpc" => self.admitted(request, stranger, Method::POST).await,
            "/events" => self.admitted(request, stranger, Method::GET).await,
            _ => self.open(request).await,
        };
        response::guarded(answer)
    }

    /// What needs a token.
    async fn admitted(
        &self,
        request: Request<Incoming>,
        stranger: &Stranger,
        method: Method,
    ) -> Response {
        let (surface, admitted) = match self.guard.check_token(request.headers()) {
            Ok(admitted) => admitted,
            Err(status) => return response::empty(status),
        };
        if !stranger.is_known(&admitted) {
            // The connection is being closed: nothing is begun whose end nobody would hear of.
            return response::empty(StatusCode::SERVICE_UNAVAILABLE);
        }
        if request.method() != method {
            return response::empty(StatusCode::METHOD_NOT_ALLOWED);
        }
        if request.uri().path().starts_with(bridge::PATH) {
            return bridge::answer(&self.host, request, self.ending.clone()).await;
        }
        if request.uri().path() == make_way::PATH {
            let makes_way = self.make_way.ask();
            return response::empty(if makes_way {
                StatusCode::OK
            } else {
                StatusCode::CONFLICT
            });
        }
        if method == Method::GET {
            return response::events(self.events());
        }
        self.rpc(request.into_body(), &surface).await
    }

    async fn rpc(&self, body: Incoming, surface: &Surface) -> Response {
        let Ok(body) = Limited::new(body, MAX_REQUEST).collect().await else {
            return response::empty(StatusCode::PAYLOAD_TOO_LARGE);
        };
        let request: AnyRequest = match serde_json::from_slice(&body.to_bytes()) {
            Ok(request) => request,
            // The parser quotes what it read, and that may be a secret: it is not told.
            Err(_) => return response::failed(&HostError::not_understood()),
        };
        match self.host.handle(request, surface).await {
            Ok(reply) => response::json(StatusCode::OK, Box::<str>::from(reply).into()),
            Err(error) => response::failed(&error),
        }
    }

    /// What happens from now on, each as a line of JSON.
    fn events(&self) -> impl Stream<Item = String> + Send + 'static {
        // Who falls behind is cut off, connects again and takes a snapshot.
        let events = stream::unfold(self.host.follow(), |mut events| async move {
            let event = events.next().await.ok()?;
            Some((event, events))
        });
        let ended = over(self.ending.clone());
        Box::pin(events)
            .take_until(Box::pin(ended))
            .filter_map(|event| async move { serde_json::to_string(&*event).ok() })
    }

    /// What is open to everybody.
    async fn open(&self, request: Request<Incoming>) -> Response {
        if let Some(files) = &self.files {
            return response::file(files.clone().try_call(request).await);
        }
        let Some(number) = request.uri().path().strip_prefix(proof::PATH) else {
            return response::empty(StatusCode::NOT_FOUND);
        };
        if request.method() != Method::GET {
            return response::empty(StatusCode::METHOD_NOT_ALLOWED);
        }
        let token = self.guard.note_token();
        match token.and_then(|token| proof::prove(token, number)) {
            Some(proof) => response::bytes(proof),
            None => response::empty(StatusCode::BAD_REQUEST),
        }
    }
}
