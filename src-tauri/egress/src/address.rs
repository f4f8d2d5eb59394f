//! Which addresses can be used at all, before anyone is asked where they are.

use crate::EgressError;
use crate::place::Place;
use url::{Host, Url};

/// Refuses whatever is not `https:`, or `http:` to this computer, and whatever holds a name and
/// password. Nothing is resolved.
///
/// # Errors
/// [`EgressError::BadUrl`] with what is wrong; the address is not repeated.
pub fn check(url: &Url) -> Result<(), EgressError> {
    let bad = |problem: &str| {
        Err(EgressError::BadUrl {
            problem: problem.to_owned(),
        })
    };
    match url.scheme() {
        "https" => {}
        "http" if names_this_computer(url) => {}
        "http" => return bad("an http: address is for this computer only; use https:"),
        _ => return bad("an address begins with https:"),
    }
    check_parts(url)
}

/// As [`check`], and `http:` whatever the host: where that is has to be looked at afterwards.
pub(crate) fn check_nearby(url: &Url) -> Result<(), EgressError> {
    match url.scheme() {
        "http" => check_parts(url),
        _ => check(url),
    }
}

fn check_parts(url: &Url) -> Result<(), EgressError> {
    let bad = |problem: &str| {
        Err(EgressError::BadUrl {
            problem: problem.to_owned(),
        })
    };
    if !url.username().is_empty() || url.password().is_some() {
        return bad("a name and password do not belong into the address");
    }
    match url.host() {
        None => bad("it names no host"),
        Some(_) if url.port_or_known_default() == Some(0) => bad("there is no port 0"),
        Some(_) => Ok(()),
    }
}

/// Whether the address itself says "this computer", so that no answer of a name server can make it
/// another one.
pub(crate) fn names_this_computer(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_localhost(name),
        Some(Host::Ipv4(address)) => Place::of(address.into()) == Place::Loopback,
        Some(Host::Ipv6(address)) => Place::of(address.into()) == Place::Loopback,
        None => false,
    }
}

/// `localhost` and everything under it, which are never asked of a name server (RFC 6761, section
/// 6.3).
pub(crate) fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}
