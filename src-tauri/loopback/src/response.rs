//! What is answered at a door, as it leaves.

use api::HostError;
use futures::{Stream, StreamExt as _};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Either, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response as HttpResponse, StatusCode};
use std::io;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};
use tower_http::services::fs::ServeFileSystemResponseBody;

/// A whole answer, or one that comes bit by bit.
pub(crate) type Body = Either<Full<Bytes>, UnsyncBoxBody<Bytes, io::Error>>;

/// An answer.
pub(crate) type Response = HttpResponse<Body>;

/// A content policy as strict as the window's.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/// What stands over every answer to a request that came from here.
const GUARDS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// How often somebody who follows hears that the host is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// An answer with nothing but its status.
pub(crate) fn empty(status: StatusCode) -> Response {
    whole(status, Bytes::new())
}

/// An answer with nothing but its status, the last on its connection.
pub(crate) fn last(status: StatusCode) -> Response {
    let mut answer = empty(status);
    let close = HeaderValue::from_static("close");
    answer.headers_mut().insert(header::CONNECTION, close);
    answer
}

/// What is said to who has no valid token: nothing but that one is needed, unless there was one. A
/// web page has none, and reads no word.
pub(crate) fn unknown(has_token: bool) -> Response {
    const WHY: &str = "This token is not valid. Make one on the page of the application in Majordomo, or with majordomoctl clients token.";
    let words = if has_token { WHY } else { "" };
    let mut answer = whole(StatusCode::UNAUTHORIZED, words.into());
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    let way = HeaderValue::from_static("Bearer");
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, way);
    answer
}

/// An answer of some bytes.
pub(crate) fn bytes(bytes: Vec<u8>) -> Response {
    whole(StatusCode::OK, bytes.into())
}

/// An answer of JSON.
pub(crate) fn json(status: StatusCode, text: String) -> Response {
    let mut answer = whole(status, text.into());
    let kind = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// What went wrong, for a program.
pub(crate) fn failed(error: &HostError) -> Response {
    match serde_json::to_string(error) {
        Ok(text) => json(StatusCode::BAD_REQUEST, text),
        Err(_) => empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// A file of a folder.
pub(crate) fn file(found: io::Result<HttpResponse<ServeFileSystemResponseBody>>) -> Response {
    match found {
        Ok(found) => found.map(|body| Either::Right(body.boxed_unsync())),
        Err(_) => empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// One event after the other, as they happen, each a line of text.
pub(crate) fn events(events: impl Stream<Item = String> + Send + 'static) -> Response {
    let mut pause = interval(KEEP_ALIVE);
    pause.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let stream = futures::stream::unfold(
        (Box::pin(events), pause),
        async |(mut events, mut pause)| {
            let frame = tokio::select! {
                biased;
                event = events.next() => format!("data: {}\n\n", event?),
                _ = pause.tick() => ":\n\n".to_owned(),
            };
            Some((Ok(Frame::data(Bytes::from(frame))), (events, pause)))
        },
    );
    let body = StreamBody::new(stream).boxed_unsync();
    let mut answer = HttpResponse::new(Either::Right(body));
    let kind = HeaderValue::from_static("text/event-stream");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// The same with what stands over every answer.
pub(crate) fn guarded(mut answer: Response) -> Response {
    answer.headers_mut().extend(GUARDS);
    answer
}

fn whole(status: StatusCode, bytes: Bytes) -> Response {
    let mut answer = HttpResponse::new(Either::Left(Full::new(bytes)));
    *answer.status_mut() = status;
    answer
}
