//! Which way a request takes: directly, or through a proxy.
//!
//! Always true here: this computer is reached directly; a setting that cannot be read is an error,
//! and never "directly".

use crate::address::names_this_computer;
use crate::{EgressError, Proxy};
use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

/// The schemes a proxy may have, and what stands for none.
const SCHEMES: &[&str] = &["http", "https", "socks4", "socks4a", "socks5", "socks5h"];

/// The settings, read.
pub(crate) enum Ways {
    /// No proxy.
    Direct,
    /// One proxy for all but the exceptions. Whatever this matcher catches goes through the proxy.
    Through { proxy: Url, exceptions: Matcher },
    /// What the system's settings say.
    System(Matcher),
}

impl Ways {
    pub(crate) fn new(proxy: &Proxy) -> Result<Self, EgressError> {
        match proxy {
            Proxy::None => Ok(Self::Direct),
            Proxy::Url(url) => through(checked(url.clone())?, ""),
            Proxy::Variables(given) => {
                let value = |name: &str| {
                    given
                        .iter()
                        .find(|(given, _)| given == name)
                        .map(|(_, value)| value.clone())
                };
                Ok(variables(value)?.unwrap_or(Self::Direct))
            }
            Proxy::System => Ok(variables(|name| std::env::var(name).ok())?
                .unwrap_or_else(|| Self::System(Matcher::from_system()))),
        }
    }

    /// The proxy for this address, with the name and password it wants in it.
    pub(crate) fn to(&self, url: &Url) -> Result<Option<Url>, EgressError> {
        if names_this_computer(url) {
            return Ok(None);
        }
        let Ok(target) = url.origin().ascii_serialization().parse() else {
            return Err(failed("this address cannot be asked of it"));
        };
        match self {
            Self::Direct => Ok(None),
            Self::Through { proxy, exceptions } => {
                Ok(exceptions.intercept(&target).map(|_| proxy.clone()))
            }
            Self::System(matcher) => matcher
                .intercept(&target)
                .map(|found| parsed(&found.uri().to_string()))
                .transpose(),
        }
    }
}

/// As the variables say; nothing if they do not speak of a proxy.
fn variables(value: impl Fn(&str) -> Option<String>) -> Result<Option<Ways>, EgressError> {
    let either = |name: &str| {
        value(name)
            .or_else(|| value(&name.to_lowercase()))
            .filter(|value| !value.trim().is_empty())
    };
    let Some(proxy) = either("HTTPS_PROXY").or_else(|| either("ALL_PROXY")) else {
        return Ok(None);
    };
    through(
        parsed(proxy.trim())?,
        &either("NO_PROXY").unwrap_or_default(),
    )
    .map(Some)
}

fn through(proxy: Url, exceptions: &str) -> Result<Ways, EgressError> {
    // The matcher knows how exceptions are written; the proxy it is given only stands for "not an
    // exception".
    Ok(Ways::Through {
        proxy,
        exceptions: Matcher::builder()
            .all("http://proxy.invalid")
            .no(exceptions)
            .build(),
    })
}

/// A proxy as people write it: the scheme may be missing.
fn parsed(text: &str) -> Result<Url, EgressError> {
    let url = if text.contains("://") {
        Url::parse(text)
    } else {
        Url::parse(&format!("http://{text}"))
    };
    checked(url.map_err(|_| failed("its address cannot be read"))?)
}

fn checked(url: Url) -> Result<Url, EgressError> {
    if !SCHEMES.contains(&url.scheme()) {
        return Err(failed("its address begins with http:, https: or socks5:"));
    }
    match url.host_str() {
        Some(host) if !host.is_empty() => Ok(url),
        _ => Err(failed("its address names no host")),
    }
}

fn failed(problem: &str) -> EgressError {
    EgressError::ProxyFailed {
        problem: problem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(variables: &[(&str, &str)], url: &str) -> String {
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        match Ways::new(&Proxy::Variables(variables))
            .and_then(|ways| ways.to(&Url::parse(url).unwrap()))
        {
            Ok(Some(proxy)) => proxy.to_string(),
            Ok(None) => "directly".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_variables_are_read_in_either_case_and_without_a_scheme() {
        assert_eq!(
            way(
                &[("HTTPS_PROXY", "proxy.example:3128")],
                "https://a.example/"
            ),
            "http://proxy.example:3128/"
        );
        assert_eq!(
            way(
                &[("https_proxy", "http://me:pw@proxy.example")],
                "https://a.example/"
            ),
            "http://me:pw@proxy.example/"
        );
        assert_eq!(
            way(
                &[("all_proxy", "socks5h://proxy.example:1080")],
                "https://a.example/"
            ),
            "socks5h://proxy.example:1080"
        );
        assert_eq!(
            way(
                &[("HTTPS_PROXY", ""), ("ALL_PROXY", "http://all.example")],
                "https://a.example/"
            ),
            "http://all.example/"
        );
        assert_eq!(
            way(
                &[("HTTP_PROXY", "http://proxy.example")],
                "https://a.example/"
            ),
            "directly"
        );
        assert_eq!(way(&[], "https://a.example/"), "directly");
    }

    #[test]
    fn exceptions_go_directly_and_so_does_this_computer() {
        let with = |exceptions: &'static str| {
            [
                ("HTTPS_PROXY", "http://proxy.example"),
                ("no_proxy", exceptions),
            ]
        };
        for (exceptions, url) in [
            ("a.example", "https://a.example/"),
            (".example", "https://deep.a.example/"),
            ("b.example, a.example", "https://a.example:8443/"),
            ("10.0.0.0/8", "https://10.1.2.3/"),
            ("*", "https://a.example/"),
            ("", "https://localhost:8443/"),
            ("", "http://127.0.0.1:80/"),
            ("", "https://[::1]/"),
        ] {
            assert_eq!(
                way(&with(exceptions), url),
                "directly",
                "{url} with NO_PROXY={exceptions}"
            );
        }
        for (exceptions, url) in [
            ("a.example", "https://nota.example/"),
            ("10.0.0.0/8", "https://11.1.2.3/"),
        ] {
            assert_eq!(
                way(&with(exceptions), url),
                "http://proxy.example/",
                "{url} with NO_PROXY={exceptions}"
            );
        }
    }

    #[test]
    fn a_proxy_that_cannot_be_read_is_an_error_and_never_no_proxy() {
        for bad in [
            "ftp://me:hunter2@proxy.example",
            "http://",
            "http://[",
            "http://a b",
        ] {
            let words = way(&[("HTTPS_PROXY", bad)], "https://a.example/");
            assert!(
                words.starts_with("the proxy cannot be used") && !words.contains("hunter2"),
                "{bad}: {words}"
            );
        }
    }
}
