//! What rmcp says about HTTP → our errors. Addresses and headers are left out: either may hold a secret.

use crate::ConnectionError;
use rmcp::transport::streamable_http_client::{AuthRequiredError, HttpStatusError, InsufficientScopeError, StreamableHttpError};
use std::error::Error;

/// Finds what went wrong in a chain of errors.
pub(crate) fn failure(error: &(dyn Error + 'static)) -> Option<ConnectionError> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = known(error) {
            return Some(found);
        }
        next = error.source();
    }
    None
}

fn known(error: &(dyn Error + 'static)) -> Option<ConnectionError> {
    if error.is::<AuthRequiredError>() {
        return Some(ConnectionError::NeedsSignIn { status: 401 });
    }
    if error.is::<InsufficientScopeError>() {
        return Some(ConnectionError::NeedsSignIn { status: 403 });
    }
    if let Some(error) = error.downcast_ref::<HttpStatusError>() {
        return Some(status(error.status));
    }
    if let Some(error) = error.downcast_ref::<reqwest::Error>() {
        return Some(network(error));
    }
    match error.downcast_ref::<StreamableHttpError<reqwest::Error>>()? {
        StreamableHttpError::Client(error) => Some(network(error)),
        StreamableHttpError::AuthRequired(_) => Some(status(401)),
        StreamableHttpError::InsufficientScope(_) => Some(status(403)),
        StreamableHttpError::HttpStatus(error) => Some(status(error.status)),
        StreamableHttpError::SessionExpired => Some(status(404)),
        StreamableHttpError::ResponseBodyTooLarge { max_size } => Some(ConnectionError::MessageTooLong { limit: *max_size }),
        StreamableHttpError::UnexpectedContentType(kind) => {
            let kind = kind.as_deref().unwrap_or("nothing").chars().take(100).collect::<String>();
            Some(ConnectionError::NotProtocol { first_line: Some(format!("content type {kind}")) })
        }
        // rmcp knows the status here, and keeps it only in its words.
        StreamableHttpError::UnexpectedServerResponse(words) => {
            Some(match words.strip_prefix("HTTP ").and_then(|rest| rest.get(..3)?.parse().ok()) {
                Some(code) => status(code),
                None => ConnectionError::NotProtocol { first_line: None },
            })
        }
        StreamableHttpError::Deserialize(_) => Some(ConnectionError::NotProtocol { first_line: None }),
        _ => None,
    }
}

fn status(status: u16) -> ConnectionError {
    match status {
        401 | 403 => ConnectionError::NeedsSignIn { status },
        _ => ConnectionError::HttpStatus { status },
    }
}

fn network(error: &reqwest::Error) -> ConnectionError {
    if let Some(code) = error.status() {
        return status(code.as_u16());
    }
    // reqwest's own words hold the address; the innermost cause says what happened and to whom it does not say.
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let problem = if cause.is::<reqwest::Error>() {
        match () {
            () if error.is_timeout() => "it did not answer in time".to_owned(),
            () if error.is_redirect() => "it redirects to another address".to_owned(),
            () => "the request failed".to_owned(),
        }
    } else {
        let words = cause.to_string();
        words.split(" (os error").next().unwrap_or_default().to_lowercase()
    };
    ConnectionError::Unreachable { problem }
}
