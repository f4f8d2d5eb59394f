//! The client and transport of one address.
//!
//! Always true here: plain `http:` only on this computer; a redirect stays at the same origin, so that no header reaches
//! another one; certificates are checked against the system's roots.

use super::headers::headers;
use crate::{ConnectionError, HttpStart};
use reqwest::redirect::Policy;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use std::time::Duration;
use url::{Host, Url};

const CONNECT: Duration = Duration::from_secs(10);
const REDIRECTS: usize = 5;

/// A transport to the address. Nothing is sent yet.
pub(crate) fn streamable(start: &HttpStart) -> Result<StreamableHttpClientTransport<reqwest::Client>, ConnectionError> {
    let url = checked(&start.url)?;
    let client = client(is_loopback(&url))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
    config.custom_headers = headers(&start.headers)?;
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

fn client(loopback: bool) -> Result<reqwest::Client, ConnectionError> {
    // Another part of the program may have chosen already; either way there is one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().connect_timeout(CONNECT).redirect(Policy::custom(|attempt| {
        let same = attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
        if same && attempt.previous().len() <= REDIRECTS { attempt.follow() } else { attempt.stop() }
    }));
    // What runs on this computer is reached directly, whatever proxy the system has.
    let builder = if loopback { builder.no_proxy() } else { builder };
    builder.build().map_err(|_| ConnectionError::Unreachable { problem: "the system's certificates cannot be read".to_owned() })
}

fn checked(text: &str) -> Result<Url, ConnectionError> {
    let bad = |problem: &str| ConnectionError::BadUrl { problem: problem.to_owned() };
    let url = Url::parse(text).map_err(|_| bad("this is not an address"))?;
    match url.scheme() {
        "https" => {}
        "http" if is_loopback(&url) => {}
        "http" => return Err(bad("an http: address is for this computer only; use https:")),
        _ => return Err(bad("an address begins with https:")),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("a name and password do not belong into the address; use a secret header"));
    }
    Ok(url)
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_for_this_computer_only() {
        for good in ["https://example.com/mcp", "http://localhost:3000/mcp", "http://127.0.0.1:1/", "http://[::1]:1/"] {
            assert!(checked(good).is_ok(), "{good}");
        }
        for bad in [
            "http://example.com/",
            "http://localhost.example.com/",
            "ftp://localhost/",
            "localhost:3000",
            "https://me:hunter2@example.com/",
        ] {
            let error = checked(bad).unwrap_err();
            assert!(matches!(error, ConnectionError::BadUrl { .. }) && !error.to_string().contains("hunter2"), "{bad}: {error}");
        }
    }
}
