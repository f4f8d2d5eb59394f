//! Answers as they leave: nothing, JSON, or one event after the other.

use futures::{Stream, StreamExt as _, stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Either, Full, StreamBody};
use hyper::StatusCode;
use hyper::body::{Bytes, Frame};
use hyper::header::{self, HeaderValue};
use std::io;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

/// A whole answer, or one that comes bit by bit.
pub type Body = Either<Full<Bytes>, UnsyncBoxBody<Bytes, io::Error>>;

/// An answer.
pub type Response = hyper::Response<Body>;

/// How often somebody who waits hears that the answer is still to come.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// An answer with nothing but its status.
pub(super) fn empty(status: StatusCode) -> Response {
    let mut answer = Response::new(Either::Left(Full::default()));
    *answer.status_mut() = status;
    answer
}

/// Says in a sentence why there is no answer.
pub(super) fn refused(status: StatusCode) -> Response {
    let why = match status {
        StatusCode::UNAUTHORIZED => "This application may not come in any more.",
        StatusCode::NOT_FOUND => {
            "There is no such session any more. Begin a new one with initialize."
        }
        StatusCode::METHOD_NOT_ALLOWED => "Use POST, GET or DELETE.",
        StatusCode::NOT_ACCEPTABLE => "Accept text/event-stream.",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "Send application/json.",
        StatusCode::REQUEST_TIMEOUT => "The message did not arrive in time.",
        StatusCode::PAYLOAD_TOO_LARGE => "The message is too large.",
        StatusCode::TOO_MANY_REQUESTS => {
            "This application has too many requests open. Wait for some to be answered."
        }
        _ => {
            "This is no message for here: a session begins with initialize, and each message of it names it."
        }
    };
    let mut answer = Response::new(Either::Left(Full::from(why)));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// An answer of JSON.
pub(super) fn json(status: StatusCode, text: String) -> Response {
    let mut answer = Response::new(Either::Left(Full::from(text)));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// An answer of events, each a message.
pub(super) fn events(messages: impl Stream<Item = String> + Send + 'static) -> Response {
    let mut pause = interval(KEEP_ALIVE);
    pause.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pause.reset();
    let messages = stream::unfold(
        (Box::pin(messages), pause),
        async |(mut messages, mut pause)| {
            let frame = tokio::select! {
                biased;
                message = messages.next() => format!("data: {}\n\n", message?),
                _ = pause.tick() => ":\n\n".to_owned(),
            };
            Some((Ok(Frame::data(Bytes::from(frame))), (messages, pause)))
        },
    );
    let mut answer = Response::new(Either::Right(StreamBody::new(messages).boxed_unsync()));
    let kind = HeaderValue::from_static("text/event-stream");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}
