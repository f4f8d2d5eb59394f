//! What came back.
//!
//! Always true here: a body is read as far as somebody asked for it and no further; dropping it
//! ends the connection, unless all of it was read.

use crate::EgressError;
use crate::clients::CONNECT;
use crate::failure::failure;
use bytes::{Bytes, BytesMut};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use std::time::Duration;
use tokio::time::timeout;
use url::Url;

/// How long a whole body may take.
const WHOLE: Duration = Duration::from_secs(60);

/// The head of an answer, and its body as it comes in.
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The headers, as the server sent them.
    pub headers: HeaderMap,
    /// The address that answered: the one that was asked, or the last hop from it.
    pub url: Url,
    body: reqwest::Response,
}

impl Response {
    pub(crate) fn new(url: Url, mut body: reqwest::Response) -> Self {
        Self {
            status: body.status(),
            headers: std::mem::take(body.headers_mut()),
            url,
            body,
        }
    }

    /// The whole body, at most `limit` bytes and within 60 s.
    ///
    /// # Errors
    /// [`EgressError::TooLong`] as soon as it is known to be longer, [`EgressError::TimedOut`], or
    /// that the connection broke.
    pub async fn bytes(mut self, limit: usize) -> Result<Bytes, EgressError> {
        if self
            .body
            .content_length()
            .is_some_and(|length| length > limit as u64)
        {
            return Err(EgressError::TooLong { limit });
        }
        let whole = async {
            let mut whole = BytesMut::new();
            while let Some(piece) = self.chunk(None).await? {
                if piece.len() > limit - whole.len() {
                    return Err(EgressError::TooLong { limit });
                }
                whole.extend_from_slice(&piece);
            }
            Ok(whole.freeze())
        };
        timeout(WHOLE, whole)
            .await
            .unwrap_or(Err(EgressError::TimedOut { after: WHOLE }))
    }

    /// The next piece of the body as it arrives; nothing at its end. With `idle`, that is how long
    /// to wait for it.
    ///
    /// # Errors
    /// [`EgressError::TimedOut`] when nothing came in time, after which it may be called again, or
    /// that the connection broke.
    pub async fn chunk(&mut self, idle: Option<Duration>) -> Result<Option<Bytes>, EgressError> {
        let next = self.body.chunk();
        let next = match idle {
            Some(after) => timeout(after, next)
                .await
                .map_err(|_| EgressError::TimedOut { after })?,
            None => next.await,
        };
        next.map_err(|error| failure(&error, false, CONNECT))
    }
}

impl std::fmt::Debug for Response {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let origin = self.url.origin().ascii_serialization();
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("origin", &origin)
            .finish_non_exhaustive()
    }
}
