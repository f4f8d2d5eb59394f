//! The way back from the browser: is it ours, who sent it, and what does it say? RFC 6749 section
//! 4.1.2, RFC 9207 section 2.4.
//!
//! Always true here: `state` is compared first, the issuer second, and only then is anything else
//! believed.

use crate::{OAuthError, ServerText};
use protocol::Secret;
use url::Url;

/// Longest code, in bytes.
const LONGEST_CODE: usize = 8 * 1024;

/// What an address that the browser was sent to means.
#[derive(Debug)]
pub enum Reading {
    /// It belongs to no sign-in that waits here: it is ignored, and the sign-in goes on waiting.
    NotOurs,
    /// It belongs to this sign-in and ends it.
    Refused(OAuthError),
    /// It belongs to this sign-in and comes from the right place.
    Code(Code),
}

/// A code whose `state` and issuer were compared. There is no other way to get one.
#[derive(Debug)]
pub struct Code {
    code: Secret,
    state: Secret,
}

impl Code {
    /// The code, for the sign-in that it was compared with and no other.
    pub(crate) fn expose_for(&self, expected: &Expected) -> Result<&str, OAuthError> {
        if self.state.expose() == expected.state.expose() {
            Ok(self.code.expose())
        } else {
            Err(OAuthError::NotOurs)
        }
    }
}

/// What the way back has to hold. It was kept before the browser was sent off.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) state: Secret,
    pub(crate) issuer: String,
    /// Whether the issuer is always named.
    pub(crate) iss_advertised: bool,
}

/// Reads an address for the sign-in that expects this.
pub(crate) fn read(back: &Url, expected: &Expected) -> Reading {
    let one = |name: &str| -> Result<Option<String>, OAuthError> {
        let mut values = back
            .query_pairs()
            .filter(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned());
        let first = values.next();
        // Said twice is said by two.
        if values.next().is_some() {
            Err(OAuthError::UnreadableAnswer)
        } else {
            Ok(first)
        }
    };
    if !matches!(one("state"), Ok(Some(given)) if given == expected.state.expose()) {
        return Reading::NotOurs;
    }
    let issuer = match one("iss") {
        Ok(issuer) => issuer,
        Err(error) => return Reading::Refused(error),
    };
    match issuer {
        Some(issuer) if issuer != expected.issuer => {
            return Reading::Refused(OAuthError::OtherIssuer);
        }
        None if expected.iss_advertised => return Reading::Refused(OAuthError::NoIssuer),
        _ => {}
    }
    match (one("error"), one("error_description"), one("code")) {
        (Ok(Some(error)), Ok(description), _) => Reading::Refused(OAuthError::Declined {
            error: ServerText::new(&error),
            description: description.as_deref().map(ServerText::new),
        }),
        (Ok(None), _, Ok(Some(code))) if !code.is_empty() && code.len() <= LONGEST_CODE => {
            Reading::Code(Code {
                code: Secret::new(code),
                state: expected.state.clone(),
            })
        }
        _ => Reading::Refused(OAuthError::UnreadableAnswer),
    }
}
