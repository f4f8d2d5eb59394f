//! The serving side: `POST /rpc` for requests, `GET /events` for what happens, and the user
//! interface's files.

use crate::guard::Guard;
use crate::note::{self, Note};
use api::{AnyRequest, ApproverKind, HostError};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::{Stream, StreamExt as _, stream};
use host::{Host, Surface};
use protocol::Caller;
use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;
use tower_http::services::ServeDir;

/// The largest request that is read, in bytes; a configuration to import may have 4 MiB.
const MAX_REQUEST: usize = 8 * 1024 * 1024;

/// A content policy as strict as the window's.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/// A host that is being served. Dropping it ends the serving and takes the note away.
#[derive(Debug)]
pub struct Serving {
    data_dir: PathBuf,
    port: u16,
    address_token: String,
    ending: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

/// How long requests that are being answered may go on when the serving ends.
const FAREWELL: Duration = Duration::from_secs(10);

impl Serving {
    /// Where this is served, with a token behind `#`. Where the user interface is served, a browser
    /// opens it here, and the token is the page's own, which speaks for the person; where it is
    /// not, there is no page here, and the token is the one that programs find in the note.
    ///
    /// A browser keeps what stands behind `#` to itself when it fetches the page; the page sends
    /// the token with its requests, to this serving only.
    pub fn address(&self) -> String {
        format!(
            "http://127.0.0.1:{}/#token={}",
            self.port, self.address_token
        )
    }

    /// Ends the serving in order: nobody new gets in, and requests that are being answered are
    /// answered.
    pub async fn end(mut self) {
        note::remove(&self.data_dir);
        self.ending.send_replace(true);
        // What takes longer is cut off when this is dropped.
        let _ = timeout(FAREWELL, &mut self.task).await;
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.task.abort();
        if !*self.ending.borrow() {
            note::remove(&self.data_dir);
        }
    }
}

#[derive(Clone)]
struct Door {
    host: Host,
    guard: Arc<Guard>,
    ending: watch::Receiver<bool>,
}

/// Serves a host on a free loopback port and notes in the data directory how to reach it.
///
/// `ui` is the folder of the built user interface; `approver_token_file` is written with a token
/// that lets programs answer.
pub async fn serve(
    host: Host,
    data_dir: &Path,
    ui: Option<&Path>,
    approver_token_file: Option<&Path>,
) -> io::Result<Serving> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    let by_terminal = host.approver() == ApproverKind::Terminal;
    let token = random_token();
    let terminal_token = by_terminal.then(random_token);
    let approver_token = match approver_token_file.filter(|_| by_terminal) {
        Some(file) => {
            let token = random_token();
            note::write_private(file, &token)?;
            Some(token)
        }
        None => None,
    };
    note::write(
        data_dir,
        &Note {
            port,
            token: token.clone(),
            terminal_token: terminal_token.clone(),
        },
    )?;
    // Only where there is a page that the person opens.
    let page_token = ui.map(|_| random_token());
    let address_token = page_token.clone().unwrap_or_else(|| token.clone());
    let guard = Guard {
        port,
        token,
        terminal_token,
        approver_token,
        page_token,
    };
    let (ending, ended) = watch::channel(false);
    let routes = routes(
        Door {
            host,
            guard: Arc::new(guard),
            ending: ended.clone(),
        },
        ui,
    );
    let task = tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, routes)
            .with_graceful_shutdown(over(ended))
            .await
        {
            tracing::error!(%error, "the loopback door has closed");
        }
    });
    Ok(Serving {
        data_dir: data_dir.to_owned(),
        port,
        address_token,
        ending,
        task,
    })
}

async fn over(mut ended: watch::Receiver<bool>) {
    // A sender that is gone has ended too.
    let _ = ended.wait_for(|ended| *ended).await;
}

fn random_token() -> String {
    format!(
        "{}{}",
        uuid::Uuid::new_v4().simple(),
        uuid::Uuid::new_v4().simple()
    )
}

fn routes(door: Door, ui: Option<&Path>) -> Router {
    let with_token = Router::new()
        .route("/rpc", post(rpc))
        .route("/events", get(events))
        .layer(middleware::from_fn_with_state(door.clone(), check_token));
    let all = match ui {
        Some(folder) => with_token.fallback_service(ServeDir::new(folder)),
        None => with_token,
    };
    all.layer(DefaultBodyLimit::max(MAX_REQUEST))
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

async fn check_token(State(door): State<Door>, request: HttpRequest, next: Next) -> Response {
    match door.guard.check_token(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(status) => status.into_response(),
    }
}

async fn rpc(State(door): State<Door>, headers: HeaderMap, body: Bytes) -> Response {
    let request: AnyRequest = match serde_json::from_slice(&body) {
        Ok(request) => request,
        // The parser quotes what it read, and that may be a secret: it is not told.
        Err(_) => return failed(&HostError::not_understood()),
    };
    let surface = Surface::of(Caller::terminal(), door.guard.approver(&headers));
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
