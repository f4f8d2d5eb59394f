//! Waits for the browser to come back: a door on this computer that opens for one visitor.
//!
//! Always true here:
//! - only 127.0.0.1 is bound, and a request to another name than this door's is turned away;
//! - whatever does not hold this sign-in's `state` is ignored, and the first that does is the last
//!   that is heard;
//! - the door is closed before the answer is handed on, and also when the wait is dropped.

use crate::{
    Attempt, Code, OAuthError, Page, Reading,
    authorization_response::{self, Expected},
};
use axum::{
    Router,
    extract::{Request, State},
    http::{Method, StatusCode, header},
    response::Response,
};
use std::{
    net::Ipv4Addr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{net::TcpListener, sync::oneshot, task::AbortHandle, time::timeout};
use url::Url;

/// How long the page may take to reach the browser after the door was closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// Which port the door is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Port {
    /// Any that is free.
    Any,
    /// This one if it is free, else any: a client that was registered with it can be used again.
    Rather(u16),
    /// This one or none: the person entered it at the authorization server.
    Only(u16),
}

/// A door that is open, and its address.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    redirect: Url,
}

impl Listener {
    /// Opens a door at `path`, such as `/callback`.
    pub async fn open(port: Port, path: &str) -> Result<Self, OAuthError> {
        let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let closed = |source| OAuthError::NoListener { source };
        let listener = match port {
            Port::Any => bind(0).await,
            Port::Only(port) => bind(port).await,
            Port::Rather(port) => match bind(port).await {
                Ok(listener) => Ok(listener),
                Err(_) => bind(0).await,
            },
        };
        let listener = listener.map_err(closed)?;
        let address = listener.local_addr().map_err(closed)?;
        let mut redirect =
            Url::parse(&format!("http://{address}/")).map_err(|_| OAuthError::BadAddress {
                field: "redirect_uri",
                why: crate::BadAddress::Unreadable,
            })?;
        redirect.set_path(path);
        Ok(Self { listener, redirect })
    }

    /// The address that the browser is sent back to.
    pub fn redirect(&self) -> &Url {
        &self.redirect
    }

    /// Waits for the person to come back, at most this long. The browser is told `page`.
    pub async fn wait(
        self,
        attempt: &Attempt,
        page: Page,
        at_most: Duration,
    ) -> Result<Code, OAuthError> {
        let (heard, hears) = oneshot::channel();
        let (close, closed) = oneshot::channel::<()>();
        let authority = self.redirect.authority().to_owned();
        let door = Arc::new(Door {
            expected: attempt.expected().clone(),
            page,
            authority,
            path: self.redirect.path().to_owned(),
            heard: Mutex::new(Some(heard)),
        });
        let serve = axum::serve(
            self.listener,
            Router::new().fallback(visit).with_state(door),
        )
        .with_graceful_shutdown(async { drop(closed.await) });
        let mut serving = tokio::spawn(async move { serve.await });
        // A dropped wait closes the door as well.
        let _closing = Closing(serving.abort_handle());
        let answer = timeout(at_most, hears).await;
        drop(close);
        if answer.is_ok() {
            // The page is on its way; the browser need not wait for it, and neither do we for long.
            drop(timeout(FAREWELL, &mut serving).await);
        }
        match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(OAuthError::UnreadableAnswer),
            Err(_) => Err(OAuthError::TimedOut { after: at_most }),
        }
    }
}

struct Closing(AbortHandle);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.abort();
    }
}

struct Door {
    expected: Expected,
    page: Page,
    authority: String,
    path: String,
    heard: Mutex<Option<oneshot::Sender<Result<Code, OAuthError>>>>,
}

async fn visit(State(door): State<Arc<Door>>, request: Request) -> Response {
    let host = request
        .headers()
        .get(header::HOST)
        .map(header::HeaderValue::as_bytes);
    let here = host == Some(door.authority.as_bytes())
        && request.uri().path() == door.path
        && request.method() == Method::GET;
    let back = Url::parse(&format!("http://{}{}", door.authority, request.uri())).ok();
    let reading = match back {
        Some(back) if here => authorization_response::read(&back, &door.expected),
        _ => Reading::NotOurs,
    };
    let answer = match reading {
        Reading::NotOurs => return door.nothing(),
        Reading::Refused(error) => Err(error),
        Reading::Code(code) => Ok(code),
    };
    let sentence = if answer.is_ok() {
        &door.page.done
    } else {
        &door.page.failed
    };
    let heard = door
        .heard
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    match heard.map(|heard| heard.send(answer)) {
        Some(Ok(())) => door.page.say(StatusCode::OK, sentence),
        _ => door.nothing(),
    }
}

impl Door {
    fn nothing(&self) -> Response {
        self.page.say(StatusCode::NOT_FOUND, &self.page.nothing)
    }
}
