//! Addresses that a stranger named, checked before anything is sent there or opened.

use serde::Serialize;
use url::{Host, Url};

/// Longest address, in bytes.
const LONGEST: usize = 2048;

/// Why an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum BadAddress {
    /// It cannot be read as an address.
    #[error("it is not an address")]
    Unreadable,
    /// It holds a character that no address has: a space, a line break, a backslash, a quote, a
    /// letter outside of ASCII.
    #[error("it holds a character that no address has")]
    Character,
    /// More than 2048 bytes.
    #[error("it is too long")]
    TooLong,
    /// Neither `https:` nor, for a server on this computer, `http:` to this computer.
    #[error("it is not a secure web address")]
    Scheme,
    /// It holds a user name or a password.
    #[error("it holds a user name")]
    UserName,
    /// It ends in a fragment, which never reaches a server.
    #[error("it holds a fragment")]
    Fragment,
    /// Its host is not a plain name or number.
    #[error("its host is not a plain name")]
    Host,
}

/// Reads an address that was named while signing in to `server`: `https:`, or `http:` on loopback
/// if the server is there too.
pub(crate) fn check(text: &str, server: &Url) -> Result<Url, BadAddress> {
    if text.len() > LONGEST {
        return Err(BadAddress::TooLong);
    }
    // Before it is parsed: a parser drops line breaks and turns backslashes round, and then nobody
    // sees them any more.
    if !text.bytes().all(is_address_byte) {
        return Err(BadAddress::Character);
    }
    let url = Url::parse(text).map_err(|_| BadAddress::Unreadable)?;
    check_server(&url)?;
    if url.scheme() == "http" && !is_loopback(server) {
        Err(BadAddress::Scheme)
    } else {
        Ok(url)
    }
}

/// Checks the address of a server, or one that is already parsed: `https:`, or `http:` on loopback.
pub(crate) fn check_server(url: &Url) -> Result<(), BadAddress> {
    match url.scheme() {
        "https" => {}
        "http" if is_loopback(url) => {}
        _ => return Err(BadAddress::Scheme),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(BadAddress::UserName);
    }
    if url.fragment().is_some() {
        return Err(BadAddress::Fragment);
    }
    let plain = |host: &str| {
        host.bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
    };
    match url.host() {
        Some(Host::Domain(host)) if !plain(host) => Err(BadAddress::Host),
        Some(_) => Ok(()),
        None => Err(BadAddress::Host),
    }
}

/// Whether an address is on this computer by its own words; what a name resolves to is looked at by
/// `egress`.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// Whether two addresses have the same scheme, host and port.
pub(crate) fn same_origin(one: &Url, other: &Url) -> bool {
    one.origin() == other.origin()
}

/// The canonical URI of a server (RFC 8707, section 2): no fragment, no query, and no slash where a
/// path is empty.
pub(crate) fn canonical(server: &Url) -> String {
    let mut url = server.clone();
    url.set_fragment(None);
    // It goes to the authorization server, and a query may hold what is meant for the server only.
    url.set_query(None);
    let text = String::from(url);
    match text.strip_suffix('/') {
        Some(root) if server.path() == "/" => root.to_owned(),
        _ => text,
    }
}

/// Whether a token for `resource` is meant for `server`: the same origin, and the path equal or
/// above it by whole segments. A resource that names a query covers this query only.
pub(crate) fn covers(resource: &Url, server: &Url) -> bool {
    let (above, below) = (
        resource.path().trim_end_matches('/'),
        server.path().trim_end_matches('/'),
    );
    let under = below
        .strip_prefix(above)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    same_origin(resource, server)
        && under
        && resource
            .query()
            .is_none_or(|query| server.query() == Some(query))
}

/// The characters of RFC 3986.
fn is_address_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn only_secure_web_addresses_pass_and_plain_ones_of_this_computer_for_a_server_on_it() {
        let (far, near) = (
            url("https://mcp.example/mcp"),
            url("http://localhost:9/mcp"),
        );
        for (text, from_far, from_near) in [
            ("https://a.example/x?y=z", None, None),
            ("http://127.0.0.1:8/x", Some(BadAddress::Scheme), None),
            ("http://[::1]/x", Some(BadAddress::Scheme), None),
            (
                "http://a.example/x",
                Some(BadAddress::Scheme),
                Some(BadAddress::Scheme),
            ),
            (
                "javascript:alert(1)",
                Some(BadAddress::Scheme),
                Some(BadAddress::Scheme),
            ),
            (
                "file:///etc/passwd",
                Some(BadAddress::Scheme),
                Some(BadAddress::Scheme),
            ),
            (
                "a:$(calc.exe)",
                Some(BadAddress::Scheme),
                Some(BadAddress::Scheme),
            ),
            (
                "\\\\host\\share",
                Some(BadAddress::Character),
                Some(BadAddress::Character),
            ),
            (
                "https://a.example/\nx",
                Some(BadAddress::Character),
                Some(BadAddress::Character),
            ),
            (
                "https://a.example/`x`",
                Some(BadAddress::Character),
                Some(BadAddress::Character),
            ),
            (
                "https://u:p@a.example/",
                Some(BadAddress::UserName),
                Some(BadAddress::UserName),
            ),
            (
                "https://a.example/#x",
                Some(BadAddress::Fragment),
                Some(BadAddress::Fragment),
            ),
            (
                "https://$(calc)/",
                Some(BadAddress::Host),
                Some(BadAddress::Host),
            ),
            (
                "//a.example/x",
                Some(BadAddress::Unreadable),
                Some(BadAddress::Unreadable),
            ),
        ] {
            assert_eq!(check(text, &far).err(), from_far, "{text}");
            assert_eq!(check(text, &near).err(), from_near, "{text}");
        }
        assert_eq!(
            check(&format!("https://a.example/{}", "x".repeat(2048)), &far),
            Err(BadAddress::TooLong)
        );
    }

    #[test]
    fn a_resource_covers_what_lies_below_it_and_nothing_beside_it() {
        let server = url("https://a.example/mcp/one?k=1");
        for (resource, covered) in [
            ("https://a.example/mcp/one?k=1", true),
            ("https://a.example/mcp/one", true),
            ("https://A.example/mcp/", true),
            ("https://a.example", true),
            ("https://a.example/mcp/one?k=2", false),
            ("https://a.example/mc", false),
            ("https://a.example/mcp/one/two", false),
            ("https://a.example:444/mcp", false),
            ("http://a.example/mcp", false),
            ("https://b.example/mcp/one", false),
        ] {
            assert_eq!(covers(&url(resource), &server), covered, "{resource}");
        }
    }

    #[test]
    fn the_canonical_address_has_no_fragment_no_query_and_no_empty_path() {
        for (server, canonical_form) in [
            ("https://A.example", "https://a.example"),
            ("https://a.example/mcp#x", "https://a.example/mcp"),
            ("https://a.example/mcp/", "https://a.example/mcp/"),
            ("https://a.example/?k=/", "https://a.example"),
            ("https://a.example/mcp?key=secret", "https://a.example/mcp"),
        ] {
            assert_eq!(canonical(&url(server)), canonical_form);
        }
    }
}
