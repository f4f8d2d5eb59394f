//! A host that a person has listed for a server: with whom it may speak, and on which ports.
//!
//! Always true here:
//! - a name is in lower case and in the letters of DNS, as it is asked for;
//! - it says one name, one address, or what lies below a name; never all names below one that
//!   belongs to a registry as a whole, such as `*.com`, and never a range of addresses.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use ts_rs::TS;
use url::Host;

/// A host and its ports, written `api.example.com`, `*.example.com`, `db.example.com:5432` or
/// `192.168.1.5:80,443`. Without ports it is 80 and 443.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(as = "String")]
pub struct ListedHost {
    host: Pattern,
    ports: BTreeSet<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Pattern {
    Name(String),
    /// Every name that ends in a dot and this one, however many parts come before.
    Below(String),
    Address(Ipv4Addr),
}

/// Why a text is no host that can be listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListedHostError {
    /// Nothing was given.
    #[error("write a host, such as api.example.com")]
    Empty,
    /// There is more than a host in it, as in the address of a page.
    #[error("write the host alone, such as api.example.com, without https:// and without a path")]
    NotAlone,
    /// It is no name of a host.
    #[error("{0:?} is not the name of a host, such as api.example.com")]
    NotAName(String),
    /// A `*` that does not stand for the first parts of a name.
    #[error("a * stands at the beginning only, such as *.example.com")]
    Star,
    /// It would be every name, or every one of a registry's.
    #[error("*.{0} would be too many hosts; write at least two parts, such as *.example.com")]
    TooWide(String),
    /// It would be many addresses.
    #[error("addresses are listed one by one, not as a range")]
    Range,
    /// An address of IPv6.
    #[error("an IPv6 address cannot be listed; write the name of the host")]
    Ipv6,
    /// It is no port.
    #[error("{0:?} is not a port: a port is a number from 1 to 65535")]
    Port(String),
    /// More ports than are listened on.
    #[error("a host has at most {} ports", ListedHost::MOST_PORTS)]
    TooManyPorts,
}

impl ListedHost {
    /// The ports of one host at most.
    pub const MOST_PORTS: usize = 16;
    /// The ports of a host for which none is said.
    pub const USUAL_PORTS: [u16; 2] = [80, 443];
    /// The longest name, in bytes, and the longest part of it.
    const LONGEST: (usize, usize) = (253, 63);

    /// Reads what a person wrote.
    pub fn parse(text: &str) -> Result<Self, ListedHostError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ListedHostError::Empty);
        }
        if is_range(text) {
            return Err(ListedHostError::Range);
        }
        if text.contains(['/', '@', '?', '#', '\\']) {
            return Err(ListedHostError::NotAlone);
        }
        if text.starts_with('[') || text.matches(':').count() > 1 {
            return Err(ListedHostError::Ipv6);
        }
        let (host, ports) = match text.split_once(':') {
            Some((host, ports)) => (host, read_ports(ports)?),
            None => (text, BTreeSet::from(Self::USUAL_PORTS)),
        };
        let host = Pattern::parse(host)?;
        Ok(Self { host, ports })
    }

    /// Whether it is this host, on this port. The host is a name as it is asked for, in lower case
    /// and without a dot at its end, or an address as text.
    pub fn covers(&self, host: &str, port: u16) -> bool {
        self.ports.contains(&port) && self.covers_name(host)
    }

    /// Whether it is this host, on some port.
    pub fn covers_name(&self, host: &str) -> bool {
        match &self.host {
            Pattern::Name(name) => name == host,
            Pattern::Below(name) => host
                .strip_suffix(name.as_str())
                .is_some_and(|below| below.len() > 1 && below.ends_with('.')),
            Pattern::Address(address) => host.parse() == Ok(*address),
        }
    }

    /// Its ports; at least one.
    pub fn ports(&self) -> &BTreeSet<u16> {
        &self.ports
    }

    /// The address, if it is one.
    pub fn address(&self) -> Option<Ipv4Addr> {
        match self.host {
            Pattern::Address(address) => Some(address),
            Pattern::Name(_) | Pattern::Below(_) => None,
        }
    }
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, ListedHostError> {
        let Some(below) = text.strip_prefix("*.") else {
            return match text {
                "" => Err(ListedHostError::Empty),
                "*" => Err(ListedHostError::Star),
                _ => Self::one(text),
            };
        };
        match Self::one(below)? {
            Self::Name(name) if name.contains('.') => Ok(Self::Below(name)),
            Self::Name(name) => Err(ListedHostError::TooWide(name)),
            Self::Below(_) | Self::Address(_) => Err(ListedHostError::Range),
        }
    }

    /// A name or an address.
    fn one(text: &str) -> Result<Self, ListedHostError> {
        let wrong = || ListedHostError::NotAName(text.to_owned());
        if text.contains('*') {
            return Err(ListedHostError::Star);
        }
        // A name may end in the dot of the root. What is escaped would be read as something else.
        let plain = text.strip_suffix('.').unwrap_or(text);
        if plain.contains('%') {
            return Err(wrong());
        }
        match Host::parse(plain).map_err(|_| wrong())? {
            Host::Domain(name) if is_name(&name) => Ok(Self::Name(name)),
            // Other notations mean other addresses to other programs.
            Host::Ipv4(address) if address.to_string() == text => Ok(Self::Address(address)),
            Host::Domain(_) | Host::Ipv4(_) | Host::Ipv6(_) => Err(wrong()),
        }
    }
}

fn is_name(name: &str) -> bool {
    let (longest, longest_part) = ListedHost::LONGEST;
    let is_part = |part: &str| {
        (1..=longest_part).contains(&part.len())
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    name.len() <= longest && name.split('.').all(is_part)
}

fn is_range(text: &str) -> bool {
    let is_address = |text: &str| text.parse::<IpAddr>().is_ok();
    text.split_once(['/', '-'])
        .is_some_and(|(first, _)| is_address(first))
}

fn read_ports(text: &str) -> Result<BTreeSet<u16>, ListedHostError> {
    let port = |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let port = text.parse().ok().filter(|port| *port != 0 && is_number);
        port.ok_or_else(|| ListedHostError::Port(text.to_owned()))
    };
    let ports: BTreeSet<u16> = text
        .split(',')
        .map(|text| port(text.trim()))
        .collect::<Result<_, _>>()?;
    if ports.len() > ListedHost::MOST_PORTS {
        return Err(ListedHostError::TooManyPorts);
    }
    Ok(ports)
}

impl fmt::Display for ListedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Pattern::Name(name) => write!(f, "{name}")?,
            Pattern::Below(name) => write!(f, "*.{name}")?,
            Pattern::Address(address) => write!(f, "{address}")?,
        }
        if self.ports.iter().eq(&Self::USUAL_PORTS) {
            return Ok(());
        }
        let ports: Vec<String> = self.ports.iter().map(ToString::to_string).collect();
        write!(f, ":{}", ports.join(","))
    }
}

impl TryFrom<String> for ListedHost {
    type Error = ListedHostError;
    fn try_from(text: String) -> Result<Self, ListedHostError> {
        Self::parse(&text)
    }
}

impl From<ListedHost> for String {
    fn from(host: ListedHost) -> Self {
        host.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        match ListedHost::parse(text) {
            Ok(host) => host.to_string(),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn a_host_is_read_as_people_write_it() {
        for (written, listed) in [
            ("api.example.com", "api.example.com"),
            (" API.Example.com. ", "api.example.com"),
            ("*.example.com", "*.example.com"),
            ("db.example.com:5432", "db.example.com:5432"),
            ("example.com:443, 80", "example.com"),
            ("example.com:8443,443", "example.com:443,8443"),
            ("localhost:5432", "localhost:5432"),
            ("192.168.1.5", "192.168.1.5"),
            ("10.0.0.1:22", "10.0.0.1:22"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("例え.テスト:8080", "xn--r8jz45g.xn--zckzah:8080"),
            ("_srv.example.com", "_srv.example.com"),
        ] {
            assert_eq!(read(written), listed, "{written}");
        }
    }

    #[test]
    fn what_is_no_host_is_refused_with_the_reason() {
        for (written, why) in [
            ("", "Empty"),
            (":443", "Empty"),
            ("https://api.example.com/v1", "NotAlone"),
            ("me@example.com", "NotAlone"),
            ("*", "Star"),
            ("a.*.example.com", "Star"),
            ("*.*.example.com", "Star"),
            ("10.0.*", "Star"),
            ("*.com", "TooWide(\"com\")"),
            ("*.com.", "TooWide(\"com\")"),
            ("*.localhost", "TooWide(\"localhost\")"),
            ("*.", "NotAName(\"\")"),
            ("*.10.0.0.1", "Range"),
            ("10.0.0.0/8", "Range"),
            ("10.0.0.1-10.0.0.9", "Range"),
            ("fd00::/8", "Range"),
            ("[::1]:443", "Ipv6"),
            ("2606:4700::1111", "Ipv6"),
            ("127.1", "NotAName(\"127.1\")"),
            ("0x7f.0.0.1", "NotAName(\"0x7f.0.0.1\")"),
            ("2130706433", "NotAName(\"2130706433\")"),
            ("api%2eexample.com", "NotAName(\"api%2eexample.com\")"),
            ("two words", "NotAName(\"two words\")"),
            ("-a.example", "NotAName(\"-a.example\")"),
            ("a..example", "NotAName(\"a..example\")"),
            ("example.com:", "Port(\"\")"),
            ("example.com:0", "Port(\"0\")"),
            ("example.com:+80", "Port(\"+80\")"),
            ("example.com:65536", "Port(\"65536\")"),
            ("example.com:https", "Port(\"https\")"),
            (
                "example.com:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
                "TooManyPorts",
            ),
        ] {
            assert_eq!(read(written), why, "{written}");
        }
    }

    #[test]
    fn a_star_covers_what_lies_below_and_not_the_name_itself() {
        let host = ListedHost::parse("*.example.com:443").unwrap();
        for (name, is_covered) in [
            ("a.example.com", true),
            ("a.b.example.com", true),
            ("example.com", false),
            (".example.com", false),
            ("badexample.com", false),
            ("example.com.evil.example", false),
        ] {
            assert_eq!(host.covers_name(name), is_covered, "{name}");
        }
        assert!(host.covers("a.example.com", 443));
        assert!(!host.covers("a.example.com", 80));
    }

    proptest! {
        #[test]
        fn what_is_listed_is_read_again_as_the_same(text in "[a-z*0-9.:,_ -]{0,40}|(\\*\\.)?[a-z]{1,8}(\\.[a-z0-9]{1,8}){0,3}(:[0-9]{1,5}(,[0-9]{1,5}){0,3})?") {
            if let Ok(host) = ListedHost::parse(&text) {
                prop_assert_eq!(ListedHost::parse(&host.to_string()), Ok(host.clone()));
                let json = serde_json::to_string(&host).unwrap();
                prop_assert_eq!(serde_json::from_str::<ListedHost>(&json).unwrap(), host);
            }
        }

        #[test]
        fn no_text_is_read_as_more_than_it_says(text in "\\PC{0,40}") {
            if let Ok(host) = ListedHost::parse(&text) {
                prop_assert!(!host.ports().is_empty() && !host.ports().contains(&0));
                let name = host.to_string();
                prop_assert!(name.bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase()));
                prop_assert_eq!(name.starts_with("*."), text.trim().starts_with("*."));
                prop_assert!(!host.covers_name("com") || name.starts_with("com"));
            }
        }

        #[test]
        fn a_name_is_covered_only_by_itself_and_by_a_star_above_it(name in "[a-z]{1,3}(\\.[a-z]{1,3}){0,3}", listed in "(\\*\\.)?[a-z]{1,3}(\\.[a-z]{1,3}){1,3}") {
            let host = ListedHost::parse(&listed).unwrap();
            let expected = match listed.strip_prefix('*') {
                Some(below) => name.ends_with(below),
                None => name == listed,
            };
            prop_assert_eq!(host.covers_name(&name), expected);
        }
    }
}
