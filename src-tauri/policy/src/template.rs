//! Addresses with gaps (RFC 6570), as far as it must be known which address one of them means.
//! Servers fill and match gaps in different ways.
//!
//! Always true here:
//! - [`Template::may_mean`] says yes to every address that a server may match with the template,
//!   whatever its capitals and escapes, and to every one that takes a detour;
//! - [`Template::made`] says yes only to addresses that every server reads as the template with its
//!   gaps filled, without a way out of the place where a gap stands;
//! - it costs no more than the length of the address times that of the template.

use crate::spelling::unescaped;

/// So long an address is compared with templates, in bytes. A longer one is meant by every template
/// and made by none.
const LONGEST: usize = 8 * 1024;
/// The same for a template.
const LONGEST_TEMPLATE: usize = 2 * 1024;

/// An address with gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    parts: Vec<Part>,
    too_long: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Gap(Gap),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// One piece of the address: `{x}`.
    Piece,
    /// Any rest of it: `{+x}`, `{#x}`, `{/x*}`, `{?x}`, and what is not understood.
    Rest,
}

impl Template {
    /// Reads a template. What is not understood in it is a gap for anything.
    pub(crate) fn read(text: &str) -> Self {
        if text.len() > LONGEST_TEMPLATE {
            return Self {
                parts: Vec::new(),
                too_long: true,
            };
        }
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some(open) = rest.find('{') {
            let (before, gap) = (&rest[..open], &rest[open + 1..]);
            let (inside, after) = gap.split_once('}').unwrap_or((gap, ""));
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
            let plain = !inside.is_empty() && inside.chars().all(is_name);
            parts.push(Part::Gap(if plain { Gap::Piece } else { Gap::Rest }));
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Self {
            parts,
            too_long: false,
        }
    }

    /// Whether some server may take the address for one of the template.
    pub(crate) fn may_mean(&self, uri: &str) -> bool {
        if self.too_long || uri.len() > LONGEST || leads_out(uri) {
            return true;
        }
        // Servers undo escapes before they compare, or behind a gap, or not at all.
        (0..=2).any(|times| {
            let loose = |part: &Part| match part {
                Part::Text(text) => Part::Text(folded(text, times)),
                Part::Gap(_) => Part::Gap(Gap::Rest),
            };
            let loose: Vec<Part> = self.parts.iter().map(loose).collect();
            fits(&loose, &folded(uri, times))
        })
    }

    /// Whether the address is the template with its gaps filled, and nothing else.
    pub(crate) fn made(&self, uri: &str) -> bool {
        !self.too_long && uri.len() <= LONGEST && !leads_out(uri) && fits(&self.parts, uri)
    }
}

/// One spelling for all that may mean the same: escapes undone so often, capitals small, slashes one
/// way.
fn folded(text: &str, times: usize) -> String {
    let plain = (0..times).fold(text.to_owned(), |text, _| unescaped(&text));
    plain.replace('\\', "/").to_lowercase()
}

/// Whether an address may lead out of the place where it seems to lie, or hides what it says.
fn leads_out(uri: &str) -> bool {
    let plain = unescaped(&unescaped(uri)).replace('\\', "/");
    let hides = uri
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || c == '\\')
        || plain.chars().any(char::is_control)
        || inspect::has_hidden(&plain);
    let steps = plain.split(['/', '?', '#', '&', '=', ';', ':']);
    hides || steps.into_iter().any(|step| step == "..")
}

/// Whether a text is made of the parts. For each place in the text it is known whether the parts so
/// far can end there.
fn fits(parts: &[Part], text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut ends = vec![false; bytes.len() + 1];
    ends[0] = true;
    for part in parts {
        let mut next = vec![false; bytes.len() + 1];
        match part {
            Part::Text(fixed) => {
                for (at, _) in ends.iter().enumerate().filter(|(_, end)| **end) {
                    if bytes[at..].starts_with(fixed.as_bytes()) {
                        next[at + fixed.len()] = true;
                    }
                }
            }
            Part::Gap(gap) => {
                let mut open = false;
                for at in 0..=bytes.len() {
                    // A piece is at least one character long; a rest may be nothing.
                    next[at] = open || *gap == Gap::Rest && ends[at];
                    open |= ends[at];
                    let stops = bytes
                        .get(at)
                        .is_some_and(|byte| matches!(byte, b'/' | b'?' | b'#' | b'&'));
                    if *gap == Gap::Piece && stops {
                        open = false;
                    }
                }
            }
        }
        ends = next;
    }
    ends[bytes.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_gap_is_one_piece_and_a_rest_is_anything() {
        let check = |template: &str, uri: &str, made: bool, may: bool| {
            let read = Template::read(template);
            assert_eq!(
                (read.made(uri), read.may_mean(uri)),
                (made, may),
                "{template} {uri}"
            );
        };
        check("note://{name}", "note://a", true, true);
        check("note://{name}", "note://", false, true);
        check("note://{name}", "note://a/b", false, true);
        check("note://{name}", "NOTE://a", false, true);
        check("note://{name}", "noteX://a", false, false);
        check("file:///home/{+path}", "file:///home/a/b", true, true);
        check("file:///home/{+path}", "file:///etc/a", false, false);
        check("db://{table}/{id}", "db://a/1", true, true);
        check("db://{table}/{id}", "db://a", false, false);
        check("s://x{?a,b}", "s://x?a=1&b=2", true, true);
        check("{+any}", "file:///etc/passwd", true, true);
        check("a{b", "a-anything", true, true);
        check("{}%{x", "%ee", true, true);
    }

    #[test]
    fn no_gap_leads_out_of_its_place() {
        let template = Template::read("file:///home/{+path}");
        for uri in [
            "file:///home/../etc/passwd",
            "file:///home/%2e%2e/etc",
            "file:///home/a%2F..%2F..%2Fetc",
            "file:///home/%252e%252e/etc",
            "file:///home/..\\etc",
            "file:///home/a\n",
            "file:///home/%00",
        ] {
            assert!(template.may_mean(uri) && !template.made(uri), "{uri}");
        }
        assert!(template.made("file:///home/a..b"));
    }

    #[test]
    fn what_is_too_long_to_be_compared_is_meant_and_not_made() {
        let template = Template::read("a:{+x}");
        let long = format!("b:{}", "x".repeat(LONGEST));
        assert!(template.may_mean(&long) && !template.made(&long));
        let endless = Template::read(&"{x}".repeat(LONGEST_TEMPLATE));
        assert!(endless.may_mean("a:b") && !endless.made("a:b"));
    }

    proptest! {
        #[test]
        fn what_is_made_of_a_template_is_meant_by_it(template in "[a-c:/{}+?%.]{0,20}", uri in "[a-c:/%2eE.]{0,20}") {
            let read = Template::read(&template);
            prop_assert!(!read.made(&uri) || read.may_mean(&uri));
        }

        #[test]
        fn a_filled_gap_is_made_and_meant(before in "[a-z]{1,5}://", filled in "[a-z0-9]{1,9}", after in "(/[a-z]{1,5})?") {
            let read = Template::read(&format!("{before}{{x}}{after}"));
            let uri = format!("{before}{filled}{after}");
            prop_assert!(read.made(&uri) && read.may_mean(&uri.to_uppercase()));
        }
    }
}
