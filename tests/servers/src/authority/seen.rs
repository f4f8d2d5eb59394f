//! What was asked.

use axum::http::{header, request::Parts};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::collections::HashMap;
use url::form_urlencoded;

/// Which of the three was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The protected server.
    Server,
    /// The authorization server.
    Authority,
    /// The address that belongs to neither.
    Elsewhere,
}

/// One request.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Who was asked.
    pub place: Place,
    /// How.
    pub method: String,
    /// For what.
    pub path: String,
    /// The query.
    pub query: HashMap<String, String>,
    /// The body, read as a form.
    pub form: HashMap<String, String>,
    /// The body.
    pub body: String,
    /// The `Authorization` header.
    pub authorization: Option<String>,
    /// Whether a stream of events is asked for, and nothing else.
    pub streams: bool,
}

impl Seen {
    pub(crate) fn of(place: Place, parts: &Parts, body: &[u8]) -> Self {
        let pairs = |bytes: &[u8]| form_urlencoded::parse(bytes).into_owned().collect();
        let header = |name: header::HeaderName| {
            parts
                .headers
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        Self {
            place,
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            query: pairs(parts.uri.query().unwrap_or_default().as_bytes()),
            form: pairs(body),
            body: String::from_utf8_lossy(body).into_owned(),
            authorization: header(header::AUTHORIZATION).map(str::to_owned),
            streams: header(header::ACCEPT) == Some("text/event-stream"),
        }
    }

    /// The id and secret of `Authorization: Basic`.
    pub fn basic(&self) -> Option<(String, String)> {
        let encoded = self.authorization.as_deref()?.strip_prefix("Basic ")?;
        let pair = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
        let decode = |text: &str| {
            form_urlencoded::parse(format!("x={text}").as_bytes())
                .next()
                .map(|(_, value)| value.into_owned())
        };
        let (id, secret) = pair.split_once(':')?;
        Some((decode(id)?, decode(secret)?))
    }

    /// The token of `Authorization: Bearer`.
    pub fn bearer(&self) -> Option<&str> {
        self.authorization.as_deref()?.strip_prefix("Bearer ")
    }
}
