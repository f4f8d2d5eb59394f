//! Which hosts a text names. Programs read addresses in different ways.
//!
//! Always true here:
//! - [`host_of`] says a host only if every program reads the same one;
//! - [`hosts_named`] says each host that some program may read, so that what it leaves out is
//!   nowhere in the text;
//! - it costs no more than reading the text twice, however the text is made.

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

/// The host of a web address, if every program reads the same one in it.
pub fn host_of(text: &str) -> Option<String> {
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
pub fn hosts_named(text: &str) -> Option<BTreeSet<String>> {
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
            }
        }
    }
    Some(found)
}

/// The host that a text is by itself, without saying that it is an address: `example.org`,
/// `example.org:8080/x`, `ann@example.org`.
pub fn bare_host(text: &str) -> Option<String> {
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
