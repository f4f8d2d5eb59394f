//! Which addresses a browser may be sent to.

use url::{Host, Url};

/// The longest address, in bytes.
const LONGEST: usize = 8 * 1024;

/// The address, if it is one that a browser may be sent to: `https:`, or `http:` on this computer;
/// no name and password in it.
pub fn openable(text: &str) -> Option<Url> {
    if text.len() > LONGEST || text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let here = match url.host()? {
        Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    };
    let plain = url.username().is_empty() && url.password().is_none();
    (plain && (url.scheme() == "https" || url.scheme() == "http" && here)).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_for_a_browser_are_opened() {
        for good in [
            "https://example.com/a?b=c",
            "http://127.0.0.1:8080/",
            "http://localhost/x",
            "https://xn--pple-43d.com/",
        ] {
            assert!(openable(good).is_some(), "{good}");
        }
        for bad in [
            "http://example.com/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "a:$(touch x)",
            "\\\\server\\share",
            "https://me:secret@example.com/",
            "https://example.com/\nx",
            "smb://example.com/",
            "ms-msdt:/id",
            "",
        ] {
            assert!(openable(bad).is_none(), "{bad:?}");
        }
    }
}
