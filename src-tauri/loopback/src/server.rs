//! The serving side: at the door of programs `POST /rpc` for requests, `GET /events` for what
//! happens and a proof of who this is; at that of a browser the first two, and the user interface's
//! files.

use crate::accept::{accept, over};
use crate::guard::{Admitted, Guard};
use crate::strangers::{Stranger, Strangers};
use crate::{carrier, proof, random_token};
use api::{AnyRequest, ApproverKind, ErrorCode, HostError};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path as PathPart, Request as HttpRequest, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use futures::{Stream, StreamExt as _, stream};
use host::{Approver, Host, Note, Surface};
use protocol::Caller;
use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tower_http::services::ServeDir;

/// The largest request that is read, in bytes; a configuration to import may have 4 MiB.
const MAX_REQUEST: usize = 8 * 1024 * 1024;

/// A content policy as strict as the window's.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/// A host that is being served. Dropping it ends the serving and takes the note away.
pub struct Serving {
    host: Host,
    page: Option<String>,
    ending: watch::Sender<bool>,
    doors: JoinSet<()>,
}

/// How long requests that are being answered may go on when the serving ends.
const FAREWELL: Duration = Duration::from_secs(10);

impl Serving {
    /// Where a browser opens the user interface, with the page's token behind `#`, which speaks for
    /// the person; `None` where no user interface is served.
    ///
    /// A browser keeps what stands behind `#` to itself when it fetches the page; the page sends
    /// the token with its requests, to this serving only.
    pub fn page(&self) -> Option<&str> {
        self.page.as_deref()
    }

    /// Ends the serving in order: nobody new gets in, and requests that are being answered are
    /// answered.
    pub async fn end(mut self) {
        self.host.take_note_away();
        self.ending.send_replace(true);
        let doors = &mut self.doors;
        // What takes longer is cut off when this is dropped.
        let _ = timeout(FAREWELL, async {
            while doors.join_next().await.is_some() {}
        })
        .await;
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if !*self.ending.borrow() {
            self.host.take_note_away();
        }
    }
}

/// One door to a host.
#[derive(Clone)]
struct Door {
    host: Host,
    guard: Arc<Guard>,
    ending: watch::Receiver<bool>,
}

/// Serves a host to programs of this user, and notes in its data directory how they reach it.
///
/// `ui` is the folder of the built user interface, for a browser on this computer;
/// `approver_token_file` is written with the one token that lets programs answer.
///
/// Fails with `disk_full`, or with `internal` where a file or a socket cannot be made.
pub async fn serve(
    host: Host,
    ui: Option<&Path>,
    approver_token_file: Option<&Path>,
) -> Result<Serving, HostError> {
    begin(host, ui, approver_token_file)
        .await
        .map_err(|problem| {
            let (code, why) = if host::is_full(&problem) {
                (ErrorCode::DiskFull, "the disk is full")
            } else {
                (
                    ErrorCode::Internal,
                    "check that files can be made in the data folder, and the token file where you want it",
                )
            };
            HostError::of(
                code,
                format!("other programs cannot reach this host; {why}: {problem}"),
            )
        })
}

async fn begin(
    host: Host,
    ui: Option<&Path>,
    approver_token_file: Option<&Path>,
) -> io::Result<Serving> {
    let by_terminal = host.approver() == ApproverKind::Terminal;
    let unattended_token = by_terminal.then(random_token);
    // One token only tells who may answer, wherever it lies.
    let answering = match approver_token_file {
        _ if !by_terminal => None,
        Some(file) => {
            let token = random_token();
            host::write_private(file, &token)?;
            Some((token, Approver::Token))
        }
        None => Some((random_token(), Approver::Terminal)),
    };
    let browser = match ui {
        Some(folder) => {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            Some((listener.local_addr()?.port(), listener, folder))
        }
        None => None,
    };
    let (programs, door) = carrier::listen(host.data_dir())?;
    let note = Note {
        door,
        token: random_token(),
        terminal_token: answering
            .clone()
            .and_then(|(token, approver)| (approver == Approver::Terminal).then_some(token)),
        unattended_token: unattended_token.clone(),
    };
    host.leave_note(&note)
        .inspect_err(|_| host.take_note_away())?;

    let (ending, ended) = watch::channel(false);
    let mut doors = JoinSet::new();
    let door = |guard| Door {
        host: host.clone(),
        guard: Arc::new(guard),
        ending: ended.clone(),
    };
    let unattended = unattended_token.map(|token| (token, Approver::Unattended));
    let words = answering.into_iter().chain(unattended).collect();
    let at_programs = door(Guard::of_programs(note.token, words));
    let proof = Router::new().route(proof::ROUTE, get(prove));
    doors.spawn(accept(
        programs,
        routes(at_programs, proof),
        // A crowd at one door is no concern of the other.
        Strangers::default(),
        ended.clone(),
    ));
    let mut page = None;
    if let Some((port, listener, folder)) = browser {
        let token = random_token();
        page = Some(format!("http://127.0.0.1:{port}/#token={token}"));
        let at_page = door(Guard::of_page(port, token));
        let files = Router::new().fallback_service(ServeDir::new(folder));
        doors.spawn(accept(
            listener,
            routes(at_page, files),
            Strangers::default(),
            ended.clone(),
        ));
    }
    Ok(Serving {
        host,
        page,
        ending,
        doors,
    })
}

/// What is done at a door: what needs a token, and what is open to everybody.
fn routes(door: Door, open: Router<Door>) -> Router {
    Router::new()
        .route("/rpc", post(rpc))
        .route("/events", get(events))
        .layer(middleware::from_fn_with_state(door.clone(), check_token))
        .merge(open)
        .layer(DefaultBodyLimit::max(MAX_REQUEST))
        .layer(middleware::from_fn_with_state(door.clone(), check_place))
        .with_state(door)
}

async fn check_place(State(door): State<Door>, request: HttpRequest, next: Next) -> Response {
    if let Err(status) = door.guard.check_place(request.headers()) {
        return status.into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn check_token(
    State(door): State<Door>,
    Extension(stranger): Extension<Arc<Stranger>>,
    mut request: HttpRequest,
    next: Next,
) -> Response {
    let admitted = match door.guard.check_token(request.headers()) {
        Ok(admitted) => admitted,
        Err(status) => return status.into_response(),
    };
    if !stranger.is_known(&admitted) {
        // The connection is being closed: nothing is begun whose end nobody would hear of.
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    request.extensions_mut().insert(admitted);
    next.run(request).await
}

async fn prove(State(door): State<Door>, PathPart(number): PathPart<String>) -> Response {
    let proof = door
        .guard
        .note_token()
        .and_then(|token| proof::prove(token, &number));
    match proof {
        Some(proof) => proof.into_response(),
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn rpc(
    State(door): State<Door>,
    Extension(admitted): Extension<Admitted>,
    body: Bytes,
) -> Response {
    let request: AnyRequest = match serde_json::from_slice(&body) {
        Ok(request) => request,
        // The parser quotes what it read, and that may be a secret: it is not told.
        Err(_) => return failed(&HostError::not_understood()),
    };
    let surface = Surface::of(Caller::terminal(), admitted.approver());
    match door.host.handle(request, &surface).await {
        Ok(reply) => Json(reply).into_response(),
        Err(error) => failed(&error),
    }
}

fn failed(error: &HostError) -> Response {
    (StatusCode::BAD_REQUEST, Json(error)).into_response()
}

async fn events(State(door): State<Door>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    // Who falls behind is cut off, connects again and takes a snapshot.
    let events = stream::unfold(door.host.follow(), |mut events| async move {
        let event = events.next().await.ok()?;
        Some((event, events))
    });
    let stream = Box::pin(events)
        .take_until(Box::pin(over(door.ending)))
        .filter_map(|event| async move { serde_json::to_string(&*event).ok() })
        .map(|text| Ok(Event::default().data(text)));
    Sse::new(stream).keep_alive(KeepAlive::default())
}
