//! What to send.
//!
//! Always true here: what is printed of a request holds no path, no query, no header value and no
//! body.

use crate::{EgressError, Reach, Redirects};
use bytes::Bytes;
use reqwest::Method;
use reqwest::header::{self, HeaderMap, HeaderName};
use std::time::Duration;
use url::Url;

/// One request.
#[derive(Clone)]
pub struct Request {
    /// `GET`, `POST`, ...
    pub method: Method,
    /// Where to.
    pub url: Url,
    /// What the caller wants to say. The connection's own headers may not be among them.
    pub headers: HeaderMap,
    /// The body, whole.
    pub body: Option<Bytes>,
    /// Who named the address, and so how near it may be.
    pub reach: Reach,
    /// What to do when the answer points elsewhere.
    pub redirects: Redirects,
    /// How long to wait until the head of the answer is there: name, connection, hops and all.
    pub wait: Duration,
}

/// The wait of a request that does not say otherwise.
const WAIT: Duration = Duration::from_secs(30);

/// Headers that belong to the connection.
const OURS: &[HeaderName] = &[
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::HOST,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

impl Request {
    /// A `GET` without headers that follows no redirect and waits 30 s.
    pub fn get(url: Url, reach: Reach) -> Self {
        let (method, redirects) = (Method::GET, Redirects::None);
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            body: None,
            reach,
            redirects,
            wait: WAIT,
        }
    }

    /// A `POST` of this body without headers that follows no redirect and waits 30 s.
    pub fn post(url: Url, reach: Reach, body: impl Into<Bytes>) -> Self {
        Self {
            method: Method::POST,
            body: Some(body.into()),
            ..Self::get(url, reach)
        }
    }

    /// Refuses headers that are not the caller's to set: they could change where the request ends
    /// up, or where it stops.
    pub(crate) fn check_headers(&self) -> Result<(), EgressError> {
        match OURS.iter().find(|name| self.headers.contains_key(*name)) {
            Some(name) => Err(EgressError::BadHeader {
                name: name.to_string(),
            }),
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let origin = self.url.origin().ascii_serialization();
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("origin", &origin)
            .finish_non_exhaustive()
    }
}
