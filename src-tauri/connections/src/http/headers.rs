//! Headers of the person's own. Their values are secrets: a value that cannot be sent is refused by the header's name only.

use crate::ConnectionError;
use protocol::Secret;
use reqwest::header::{HeaderName, HeaderValue};
use std::collections::HashMap;

/// Names that belong to the protocol and the connection.
const OURS: &[&str] = &[
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];

/// Checks names and values, and marks the values so that nobody prints them.
pub(super) fn headers(given: &[(String, Secret)]) -> Result<HashMap<HeaderName, HeaderValue>, ConnectionError> {
    let refused = |name: &str, why: &str| ConnectionError::BadUrl { problem: format!("the header {name:?} {why}") };
    given
        .iter()
        .map(|(name, value)| {
            let header = HeaderName::try_from(name.as_str()).map_err(|_| refused(name, "has a name that cannot be sent"))?;
            if OURS.contains(&header.as_str()) {
                return Err(refused(name, "belongs to the protocol"));
            }
            let mut value = HeaderValue::try_from(value.expose()).map_err(|_| refused(name, "has a value that cannot be sent"))?;
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
        for (name, value) in [("Authorization", "hunter2"), ("X-Key", "hunter2\n"), ("Accept", "hunter2"), ("a b", "hunter2")] {
            assert!(!told(name, value).contains("hunter2"), "{}", told(name, value));
        }
        assert!(told("X-Key", "hunter2\n").contains("X-Key"));
    }
}
