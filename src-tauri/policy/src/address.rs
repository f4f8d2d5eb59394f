//! Which hosts a text names. Programs read addresses in different ways.
//!
//! Always true here:
//! - [`only_host`] says a host only if every program reads the same one, and no other beside it;
//! - [`hosts_in`] says each host that some program may read, so that what it leaves out is nowhere
//!   in the text;
//! - it costs no more than reading the text a few times, however the text is made.

use crate::spelling::spellings;
use std::collections::{BTreeSet, HashSet};
use url::Url;

/// So many different hosts of one text are told apart, and so many different places in it where one
/// may stand are looked at.
const MOST: (usize, usize) = (256, 4096);
/// The longest name of a host, in bytes, and the longest part of an address in which one is looked
/// for.
const LONGEST: (usize, usize) = (253, 2048);
/// So much of a text that is one address is read, in bytes.
const LONGEST_ADDRESS: usize = 64 * 1024;

/// So many different hosts of one text are told apart, those that only may be one included.
const MOST_POSSIBLE: usize = 4096;

/// The hosts that programs may read in a text, in lower case.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct HostReadings {
    /// Those that stand in it as an address does: `https://host`, `ann@host`, `host:80`.
    pub addressed: BTreeSet<String>,
    /// Those that stand where an address may begin, and may be something else, as `a.txt`.
    pub possible: BTreeSet<String>,
    /// Those that stand within something else, as in the path of an address.
    pub within: BTreeSet<String>,
    /// Whether the text is one web address, so that only `addressed` is asked.
    pub is_address: bool,
}

impl HostReadings {
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        let others = self.possible.iter().chain(&self.within);
        self.addressed.iter().chain(others)
    }
}

/// The hosts that programs may read in a text. None if there are more than anybody needs.
pub fn hosts_in(text: &str) -> Option<HostReadings> {
    let mut found = HostReadings {
        is_address: host_of(text).is_some(),
        ..HostReadings::default()
    };
    for text in spellings(text)? {
        found.addressed.extend(hosts_named(&text)?);
        found.addressed.extend(bare_host(&text));
        names(&text, &mut found)?;
    }
    Some(found)
}

/// The host of a web address, if every program reads the same one in it and none beside it.
pub fn only_host(text: &str) -> Option<String> {
    let host = host_of(text)?;
    let is_only = |named: BTreeSet<String>| named.iter().all(|one| *one == host);
    let mut spellings = spellings(text)?.into_iter();
    spellings
        .all(|text| hosts_named(&text).is_some_and(is_only))
        .then_some(host)
}

/// Notes the names in a text that may be a host.
fn names<'a>(text: &'a str, found: &mut HostReadings) -> Option<()> {
    let is_one_word = !text.contains(char::is_whitespace);
    let mut seen: HashSet<(&'a str, [bool; 5])> = HashSet::new();
    let mut start = None;
    let ends = text.char_indices().map(Some).chain([None]);
    for end in ends {
        let at = end.map_or(text.len(), |(at, _)| at);
        match (end, start) {
            (Some((_, c)), None) if is_of_host(c) => start = Some(at),
            (Some((_, c)), Some(_)) if is_of_host(c) => {}
            (_, Some(from)) => {
                start = None;
                let name = Name {
                    text: &text[from..at],
                    before: &text[..from],
                    after: &text[at..],
                };
                if name.text.len() <= LONGEST.0 && seen.insert((name.text, name.around())) {
                    name.note(is_one_word, found);
                }
            }
            (Some((_, '[')), None) => {
                // An address in numbers of the newer kind.
                let inside = &text[at + 1..];
                let close = inside.bytes().take(64).position(|byte| byte == b']');
                let host = close.and_then(|close| parsed(&text[at..at + close + 2]));
                found.addressed.extend(host);
            }
            _ => {}
        }
        if found.addressed.len() + found.possible.len() + found.within.len() > MOST_POSSIBLE {
            return None;
        }
    }
    Some(())
}

/// Whether it may be a part of a host's name. Some scripts have a dot of their own.
fn is_of_host(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

/// A name in a text, and what stands around it.
struct Name<'a> {
    text: &'a str,
    before: &'a str,
    after: &'a str,
}

impl Name<'_> {
    /// Whether it is said that it is a host.
    fn is_told(&self) -> bool {
        const KEYS: [&str; 5] = ["host=", "hostname=", "server=", "proxy=", "addr="];
        let before = self.before.as_bytes();
        self.before.ends_with('@')
            || self.before.ends_with("//")
            || self.before.ends_with("\\\\")
            || KEYS.iter().any(|key| {
                let from = before.len().checked_sub(key.len());
                from.is_some_and(|from| before[from..].eq_ignore_ascii_case(key.as_bytes()))
            })
    }

    /// Whether a port or a path follows it.
    fn has_more(&self) -> bool {
        let mut after = self.after.chars();
        after.next() == Some(':')
            && after
                .next()
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, '/' | '\\' | '~' | '.' | ':'))
    }

    /// Whether it stands within a path.
    fn is_inside(&self) -> bool {
        self.before.ends_with(['/', '\\']) && !self.is_told()
    }

    /// All of what stands around it that counts: twice the same says nothing new.
    fn around(&self) -> [bool; 5] {
        [
            self.is_told(),
            self.has_more(),
            self.is_inside(),
            self.after.starts_with('@'),
            self.after.starts_with("://"),
        ]
    }

    fn note(&self, is_one_word: bool, found: &mut HostReadings) {
        let [told, more, inside, is_user, is_scheme] = self.around();
        if is_scheme {
            return;
        }
        let bare = self.text.trim_matches(['-', '.']);
        let mut names = vec![bare];
        // `-Jhost`
        if self.text.starts_with('-') && !self.text.starts_with("--") {
            let glued = self.text.char_indices().nth(2);
            names.extend(glued.map(|(at, _)| self.text[at..].trim_matches(['-', '.'])));
        }
        let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
        for name in names {
            let has_dot = name.contains(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']);
            let may_be = has_dot
                || name.eq_ignore_ascii_case("localhost")
                || told
                || more && is_one_word && !is_number(name);
            let Some(host) = parsed(name).filter(|_| may_be && !name.is_empty()) else {
                continue;
            };
            let host = host.to_ascii_lowercase();
            // `1.5` is an address to some programs, and in most texts a number; `C:` is a drive, and
            // what stands before an `@` somebody's name.
            let is_short_number = name
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
                && name.matches('.').count() < 3
                && !told;
            let is_drive = name.len() == 1 && more && !told;
            if found.is_address || inside || is_short_number || is_drive || is_user {
                found.within.insert(host);
            } else if told || more && has_dot {
                found.addressed.insert(host);
            } else {
                found.possible.insert(host);
            }
        }
    }
}

/// The host of a web address, if every program reads the same one in it.
fn host_of(text: &str) -> Option<String> {
    // A backslash, a space or a name before the host is read differently by different programs.
    if text.contains('\\') || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none();
    // As `http:/host` and `http:host` are read by some programs only.
    let slashes = text
        .get(url.scheme().len()..)
        .is_some_and(|rest| rest.starts_with("://") && !rest.starts_with(":///"));
    let at = text
        .split(['/', '?', '#'])
        .nth(2)
        .is_some_and(|authority| authority.contains('@'));
    url.host_str()
        .filter(|_| plain && slashes && !at)
        .map(str::to_owned)
}

/// Every host of an address in a text, wherever in it the address stands, in lower case. None if
/// there are more than anybody needs.
fn hosts_named(text: &str) -> Option<BTreeSet<String>> {
    let (mut found, mut seen) = (BTreeSet::new(), HashSet::new());
    // Some programs pass over tabs and line breaks within an address.
    whole(text, &mut found)?;
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`'))
    {
        if is_web(word) && word.len() < text.len() && is_new(word, &mut seen)? {
            whole(word, &mut found)?;
        }
        let mut rest = word;
        while let Some(at) = rest.find("://") {
            let scheme = rest[..at]
                .rfind(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.'));
            let scheme = scheme.map_or(&rest[..at], |before| {
                rest[before..at].trim_start_matches(|c: char| !c.is_ascii_alphanumeric())
            });
            rest = &rest[at + 3..];
            let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && is_new(authority, &mut seen)?
            {
                beginning(authority, &mut found)?;
                // Some addresses name several hosts.
                for one in authority.split(',').skip(1) {
                    beginning(one, &mut found)?;
                }
            }
        }
    }
    Some(found)
}

/// The host that a text is by itself, without saying that it is an address: `example.org`,
/// `example.org:8080/x`, `ann@example.org`.
fn bare_host(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches(['/', '\\']);
    let end = text.find(['/', '\\', '?', '#']).unwrap_or(text.len());
    let head = &text[..end];
    if head.len() > LONGEST.1 || head.contains(char::is_whitespace) {
        return None;
    }
    let host = parsed(head)?;
    let is_name =
        host.trim_end_matches('.').contains('.') || host.starts_with('[') || host == "localhost";
    // A number alone is an address to some programs, and in most texts a number.
    let is_number = head.bytes().all(|byte| byte.is_ascii_digit());
    (is_name && !is_number).then_some(host)
}

/// Notes the host of a text that is an address as a whole.
fn whole(text: &str, found: &mut BTreeSet<String>) -> Option<()> {
    if !is_web(text) {
        return Some(());
    }
    let Ok(url) = Url::parse(&text[..text.floor_char_boundary(LONGEST_ADDRESS)]) else {
        return Some(());
    };
    // Where the host ends is not seen in what was read.
    if text.len() > LONGEST_ADDRESS
        && url.path().len() <= 1
        && url.query().is_none()
        && url.fragment().is_none()
    {
        return None;
    }
    note(url.host_str().map(str::to_owned), found)
}

fn is_web(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
    let scheme: String = text
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .take(6)
        .collect::<String>()
        .to_ascii_lowercase();
    ["http:", "https:", "ws:", "wss:", "ftp:"]
        .iter()
        .any(|web| scheme.starts_with(web))
}

/// Whether nothing like it was looked at yet. None if too much was.
fn is_new<'a>(part: &'a str, seen: &mut HashSet<&'a str>) -> Option<bool> {
    let new = seen.insert(part);
    (seen.len() <= MOST.1).then_some(new)
}

/// Notes the host with which an address begins after its scheme. Some programs end it at a
/// backslash, others do not.
fn beginning(long: &str, found: &mut BTreeSet<String>) -> Option<()> {
    let short = long.split('\\').next().unwrap_or(long);
    if long.len() > LONGEST.1 {
        return None;
    }
    note(parsed(short), found)?;
    if short.len() < long.len() {
        note(parsed(&long.replace('\\', "")), found)
    } else {
        Some(())
    }
}

/// The host of `user:password@host:port`. Of several `@` the last one counts.
fn parsed(authority: &str) -> Option<String> {
    Url::parse(&format!("https://{authority}/"))
        .ok()?
        .host_str()
        .map(str::to_owned)
}

fn note(host: Option<String>, found: &mut BTreeSet<String>) -> Option<()> {
    let Some(host) = host else { return Some(()) };
    if host.len() > LONGEST.0 {
        return None;
    }
    found.insert(host.to_ascii_lowercase());
    (found.len() <= MOST.0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        hosts_named(text).unwrap().into_iter().collect()
    }

    #[test]
    fn addresses_are_found_wherever_they_stand() {
        assert_eq!(
            named("https://a.example/x?y=https://b.example/"),
            ["a.example", "b.example"]
        );
        assert_eq!(
            named("see (HTTP://C.Example:8080/), <ftp://d.example>"),
            ["c.example", "d.example"]
        );
        assert_eq!(named("文https://e.example"), ["e.example"]);
        assert!(named("a/b c:d 1:// 2://x.example").is_empty());
    }

    #[test]
    fn an_address_that_is_read_in_two_ways_names_both_hosts() {
        assert_eq!(
            named(r"https://example.org\@evil.example/"),
            ["evil.example", "example.org"]
        );
        for text in [
            "https:/evil.example/",
            r"https:\\evil.example",
            "https:evil.example",
            "https://ev\nil.example/",
            "HTTPS:///evil.example",
        ] {
            assert!(named(text).contains(&"evil.example".to_owned()), "{text:?}");
        }
        assert_eq!(named("curl https:/evil.example/ 2>&1"), ["evil.example"]);
        assert_eq!(named("https://ann:word@evil.example/"), ["evil.example"]);
    }

    #[test]
    fn a_host_is_found_in_every_notation_of_common_programs() {
        for host in ["evil.example", "10.11.12.13"] {
            for (notation, text) in crate::notations::with("{host}", "/home/ann/x", host) {
                let found = hosts_in(&text).unwrap();
                assert!(found.all().any(|one| one == host), "{notation}: {found:?}");
                // What stands in the query of an address is sent to its host.
                let only = only_host(&text).filter(|_| !notation.contains("?host="));
                assert!(
                    only.is_none() || only.as_deref() == Some(host),
                    "{notation}: {only:?}"
                );
            }
        }
        for text in [
            "git@evil:x",
            "ssh://evil",
            "evil:x/y",
            "host=evil",
            "//evil/x",
            "a://b,evil/",
        ] {
            assert!(
                hosts_in(text).unwrap().all().any(|one| one == "evil"),
                "{text}"
            );
        }
        assert!(hosts_in("[::1]:80").unwrap().addressed.contains("[::1]"));
    }

    #[test]
    fn an_address_is_on_one_host_only_if_it_names_no_other() {
        assert_eq!(
            only_host("https://a.example/b.txt").as_deref(),
            Some("a.example")
        );
        assert_eq!(
            only_host("https://a.example/@ann@b.example").as_deref(),
            Some("a.example")
        );
        for text in [
            "https://a.example/?to=https://b.example/",
            "https://a.example/?to=https%3A%2F%2Fb.example",
            "https://a.example/https://b.example",
            "a.example",
        ] {
            assert_eq!(only_host(text), None, "{text}");
        }
        let found = hosts_in("https://a.example/b.txt").unwrap();
        assert_eq!(Vec::from_iter(found.addressed), ["a.example"]);
        assert!(found.possible.is_empty() && found.within.contains("b.txt"));
        // The same name counts where it stands as one.
        let found = hosts_in("x/b.example b.example").unwrap();
        assert!(found.possible.contains("b.example"), "{found:?}");
        // A file is no host because of its name.
        let found = hosts_in("/srv/report.pdf").unwrap();
        assert!(
            found.addressed.is_empty() && found.possible.is_empty(),
            "{found:?}"
        );
    }

    #[test]
    fn a_host_by_itself_is_one() {
        for text in [
            "evil.example",
            "evil.example:8080/x",
            "ann@evil.example",
            "//evil.example/x",
            r"\\evil.example\x",
            " EVIL.example ",
        ] {
            assert_eq!(bare_host(text).as_deref(), Some("evil.example"), "{text}");
        }
        assert_eq!(bare_host("127.0.0.1:80").as_deref(), Some("127.0.0.1"));
        for text in ["word", "two words.example", "7", "", "..", "/"] {
            assert_eq!(bare_host(text), None, "{text}");
        }
    }

    #[test]
    fn more_than_anybody_needs_is_said_to_be_too_much() {
        let many: String = (0..300)
            .map(|n| format!("https://h{n}.example/ "))
            .collect();
        assert_eq!(hosts_named(&many), None);
        assert_eq!(
            hosts_named(&format!("https://{}@evil.example/", "x".repeat(5000))),
            None
        );
        assert_eq!(hosts_named(&format!("a://{}", "x.".repeat(300))), None);
        // Much of the same is read, and quickly.
        assert_eq!(named(&"a://".repeat(1_000_000)), ["a"]);
        assert_eq!(named(&"https://a.example/ ".repeat(100_000)), ["a.example"]);
    }
}
