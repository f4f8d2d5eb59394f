//! One address: sends requests there, with what goes with every one of them, and puts what comes
//! back to the dispatcher.

use super::authorization::Authorization;
use super::events::{Event, Events};
use super::headers::headers;
use crate::conversation::Dispatcher;
use crate::wire::{Frame, frames};
use crate::{ConnectionError, HttpStart};
use egress::{
    Bytes, Egress, HeaderMap, HeaderValue, Method, Reach, Redirects, Request, Response, Url, header,
};
use std::sync::Arc;
use std::time::Duration;

/// The longest message, in bytes.
const LONGEST: usize = 16 * 1024 * 1024;
/// Bytes of an error's body that are read.
const ERROR_BODY: usize = 64 * 1024;
const REDIRECTS: u8 = 5;
/// The head of an answer may come only when the answer is ready; whoever waits for it has a clock.
const WAIT: Duration = Duration::from_secs(24 * 3600);

/// One address.
pub(super) struct Address {
    egress: Egress,
    pub(super) url: Url,
    headers: HeaderMap,
    authorization: Option<Arc<dyn Authorization>>,
    pub(super) dispatcher: Arc<Dispatcher>,
}

/// What was seen of a stream of events before it ended.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Seen {
    /// The last event that had a number.
    pub(super) last: Option<String>,
    /// How long the server wants us to wait before we come back.
    pub(super) retry: Option<Duration>,
}

/// An answer that is no success.
pub(super) struct Refused {
    pub(super) status: u16,
    challenge: Vec<String>,
    pub(super) body: Bytes,
}

impl Refused {
    /// As an error for whoever waits.
    pub(super) fn error(self) -> ConnectionError {
        match self.status {
            status @ (401 | 403) => ConnectionError::NeedsSignIn {
                status,
                challenge: self.challenge,
            },
            // The server's own words about this request say more than the status.
            status => match frames(&self.body)
                .ok()
                .flatten()
                .and_then(|frames| frames.into_iter().next())
            {
                Some(Frame::Reply {
                    result: Err(error), ..
                }) => error,
                _ => ConnectionError::HttpStatus { status },
            },
        }
    }
}

impl Address {
    pub(super) fn new(
        start: &HttpStart,
        dispatcher: Arc<Dispatcher>,
    ) -> Result<Self, ConnectionError> {
        let url = Url::parse(&start.url).map_err(|_| ConnectionError::BadUrl {
            problem: "this is not an address".to_owned(),
        })?;
        let (headers, authorization) = (headers(&start.headers)?, start.authorization.clone());
        Ok(Self {
            egress: start.egress.clone(),
            url,
            headers,
            authorization,
            dispatcher,
        })
    }

    /// Sends one request to this origin. Any status that is no success is `Err(Ok(…))`.
    pub(super) async fn send(
        &self,
        method: Method,
        url: &Url,
        more: HeaderMap,
        body: Option<Bytes>,
    ) -> Result<Result<Response, Refused>, ConnectionError> {
        let mut again = self.authorization.is_some();
        loop {
            let response = self.once(&method, url, &more, body.clone()).await?;
            if response.status.is_success() {
                return Ok(Ok(response));
            }
            let status = response.status.as_u16();
            let words = |value: &HeaderValue| {
                value
                    .to_str()
                    .ok()
                    .map(|text| text.chars().take(2_000).collect())
            };
            let challenge: Vec<String> = response
                .headers
                .get_all(header::WWW_AUTHENTICATE)
                .iter()
                .take(8)
                .filter_map(words)
                .collect();
            if let (Some(authorization), true, 401 | 403) = (&self.authorization, again, status) {
                again = false;
                if authorization.refused(status, challenge.clone()).await {
                    continue;
                }
            }
            // A body that cannot be read says no more than the status.
            let body = response.bytes(ERROR_BODY).await.unwrap_or_default();
            return Ok(Err(Refused {
                status,
                challenge,
                body,
            }));
        }
    }

    async fn once(
        &self,
        method: &Method,
        url: &Url,
        more: &HeaderMap,
        body: Option<Bytes>,
    ) -> Result<Response, ConnectionError> {
        let mut headers = self.headers.clone();
        headers.extend(more.clone());
        if let Some(authorization) = &self.authorization
            && !headers.contains_key(header::AUTHORIZATION)
            && let Some(token) = authorization.token().await
            && let Ok(mut value) = HeaderValue::try_from(format!("Bearer {}", token.expose()))
        {
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        let redirects = Redirects::SameOrigin { hops: REDIRECTS };
        let request = Request {
            method: method.clone(),
            url: url.clone(),
            headers,
            body,
            reach: Reach::Typed,
            redirects,
            wait: WAIT,
        };
        Ok(self.egress.send(request).await?)
    }

    /// Dispatches what a successful answer holds: one message, or a stream of events until it
    /// ends.
    pub(super) async fn read(
        &self,
        response: Response,
        seen: &mut Seen,
    ) -> Result<(), ConnectionError> {
        let kind = response
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default()
            .to_ascii_lowercase();
        if kind.starts_with("text/event-stream") {
            return self.events(response, seen).await;
        }
        if !kind.starts_with("application/json") {
            let kind = if kind.is_empty() {
                "nothing".to_owned()
            } else {
                kind.chars().take(100).collect()
            };
            return Err(ConnectionError::NotProtocol {
                first_line: Some(format!("content type {kind}")),
            });
        }
        let body = response.bytes(LONGEST).await?;
        match self.dispatcher.take(&body).await? {
            true => Ok(()),
            false => Err(ConnectionError::NotProtocol {
                first_line: Some(String::from_utf8_lossy(&body).chars().take(200).collect()),
            }),
        }
    }

    /// Reads a stream of events to its end.
    pub(super) async fn events(
        &self,
        mut response: Response,
        seen: &mut Seen,
    ) -> Result<(), ConnectionError> {
        let mut events = Events::new(LONGEST);
        while let Some(piece) = response.chunk(None).await? {
            for event in events.push(&piece)? {
                self.event(event, seen).await?;
            }
        }
        Ok(())
    }

    async fn event(&self, event: Event, seen: &mut Seen) -> Result<(), ConnectionError> {
        seen.retry = event.retry.or(seen.retry);
        seen.last = event.id.or_else(|| seen.last.take());
        if !event.data.is_empty() && !self.dispatcher.take(event.data.as_bytes()).await? {
            tracing::debug!("a server sent an event that is not the protocol");
        }
        Ok(())
    }
}

/// The headers of a request with a message.
pub(super) fn posted() -> HeaderMap {
    HeaderMap::from_iter([
        (
            header::ACCEPT,
            HeaderValue::from_static("application/json, text/event-stream"),
        ),
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        ),
    ])
}

/// The headers of a request for a stream.
pub(super) fn streamed() -> HeaderMap {
    HeaderMap::from_iter([(
        header::ACCEPT,
        HeaderValue::from_static("text/event-stream"),
    )])
}
