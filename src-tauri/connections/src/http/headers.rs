//! Headers of the person's own. Their values are secrets: a value that cannot be sent is refused by
//! the header's name only.

use crate::ConnectionError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use egress::{HeaderMap, HeaderName, HeaderValue};
use protocol::Secret;

/// Names that belong to the protocol and the connection.
const OURS: &[&str] = &[
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];

/// What a value looks like that would not arrive as it is.
const WRAPPED: (&str, &str) = ("=?base64?", "?=");

/// A value of the protocol's own as a header: as it is where it arrives unchanged, else wrapped
/// (2026-07-28).
pub(super) fn carried(value: &str) -> Option<HeaderValue> {
    let outer = |byte: Option<u8>| byte.is_some_and(|byte| byte == b' ' || byte == b'\t');
    let bytes = value.as_bytes();
    let odd = bytes.iter().any(|byte| !(0x20..=0x7e).contains(byte))
        || outer(bytes.first().copied())
        || outer(bytes.last().copied());
    let looks_wrapped = value.starts_with(WRAPPED.0) && value.ends_with(WRAPPED.1);
    let wrapped = if !odd && !looks_wrapped {
        value.to_owned()
    } else {
        format!("{}{}{}", WRAPPED.0, STANDARD.encode(value), WRAPPED.1)
    };
    HeaderValue::try_from(wrapped).ok()
}

/// Checks names and values, and marks the values so that nobody prints them.
pub(super) fn headers(given: &[(String, Secret)]) -> Result<HeaderMap, ConnectionError> {
    let refused = |name: &str, why: &str| ConnectionError::BadUrl {
        problem: format!("the header {name:?} {why}"),
    };
    given
        .iter()
        .map(|(name, value)| {
            let header = HeaderName::try_from(name.as_str())
                .map_err(|_| refused(name, "has a name that cannot be sent"))?;
            if OURS.contains(&header.as_str()) || header.as_str().starts_with("mcp-param-") {
                return Err(refused(name, "belongs to the protocol"));
            }
            let mut value = HeaderValue::try_from(value.expose())
                .map_err(|_| refused(name, "has a value that cannot be sent"))?;
            value.set_sensitive(true);
            Ok((header, value))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, value: &str) -> String {
        match headers(&[(name.to_owned(), Secret::new(value.to_owned()))]) {
            Ok(headers) => format!("{headers:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_value_is_never_printed_not_even_when_it_is_refused() {
        for (name, value) in [
            ("Authorization", "hunter2"),
            ("X-Key", "hunter2\n"),
            ("Accept", "hunter2"),
            ("a b", "hunter2"),
        ] {
            assert!(
                !told(name, value).contains("hunter2"),
                "{}",
                told(name, value)
            );
        }
        assert!(told("X-Key", "hunter2\n").contains("X-Key"));
    }

    #[test]
    fn what_would_not_arrive_as_it_is_is_wrapped() {
        let told = |value: &str| carried(value).unwrap().to_str().unwrap().to_owned();
        assert_eq!(told("eu-west"), "eu-west");
        assert_eq!(told(""), "");
        assert_eq!(told("日本"), "=?base64?5pel5pys?=");
        assert_eq!(told(" a"), "=?base64?IGE=?=");
        assert_eq!(told("a\nb"), "=?base64?YQpi?=");
        assert_eq!(told("=?base64?eA==?="), "=?base64?PT9iYXNlNjQ/ZUE9PT89?=");
    }
}
