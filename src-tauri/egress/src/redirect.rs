//! Answers that point elsewhere, followed by hand.
//!
//! Always true here: a hop stays at the origin that was asked, so no header, body or certificate
//! reaches another one; a method is never changed.

use crate::{EgressError, address};
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Method, StatusCode};
use url::Url;

/// What to do when the answer points elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// The answer is handed over as it is.
    None,
    /// Followed at the same origin: 307 and 308 always, 301, 302 and 303 for `GET` and `HEAD` only.
    SameOrigin {
        /// How many, at most.
        hops: u8,
    },
}

impl Redirects {
    /// Where to go next, if anywhere. `hop` counts from 0.
    pub(crate) fn next(
        self,
        method: &Method,
        from: &Url,
        status: StatusCode,
        head: &HeaderMap,
        hop: u8,
    ) -> Result<Option<Url>, EgressError> {
        let Self::SameOrigin { hops } = self else {
            return Ok(None);
        };
        let keeps_all = match status.as_u16() {
            307 | 308 => true,
            301..=303 => false,
            _ => return Ok(None),
        };
        let bad = || EgressError::BadUrl {
            problem: "the answer points to something that is not an address".to_owned(),
        };
        let to = head
            .get(LOCATION)
            .and_then(|to| to.to_str().ok())
            .and_then(|to| from.join(to).ok())
            .ok_or_else(bad)?;
        let safe = matches!(*method, Method::GET | Method::HEAD);
        if to.origin() != from.origin() || !(keeps_all || safe) {
            return Err(EgressError::Redirected {
                to_origin: origin(&to),
            });
        }
        if hop >= hops {
            return Err(EgressError::TooManyRedirects { hops });
        }
        address::check(&to)?;
        Ok(Some(to))
    }
}

/// The origin in words. What is not `http:` or `https:` has none to speak of.
fn origin(url: &Url) -> String {
    if url.origin().is_tuple() {
        url.origin().ascii_serialization()
    } else {
        format!("a {}: address", url.scheme())
    }
}
