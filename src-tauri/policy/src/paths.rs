//! Which paths programs may read in a text. `DIR:/mnt`, `-CDIR`, `@DIR` and `key=DIR` all name
//! `DIR`, and which of them a server understands is its own business.
//!
//! Always true here:
//! - [`paths_in`] says every path that some program may read, from each place where one may begin
//!   to each sign at which one may end;
//! - [`only_path`] says a path only if no program reads another one in the text;
//! - paths of every system are read, on every system;
//! - the work is bounded, and what is beyond the bound is said to be too much.

use crate::spelling::spellings;
use std::collections::BTreeSet;
use std::path::Path;

/// The longest path that any system takes, in bytes.
const LONGEST: usize = 4096;
/// So many different paths of one text are told apart, and so many characters are looked at for
/// them.
const MOST: (usize, usize) = (4096, 16 * 1024 * 1024);

/// The paths that programs may read in a text, as they stand in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PathReadings {
    /// Those that begin at a disk, at somebody's home or at a variable.
    pub absolute: BTreeSet<String>,
    /// Those that begin wherever the program is.
    pub relative: BTreeSet<String>,
    /// Whether the text looks as if it named a path, and not only as if it could be a name.
    pub like_a_path: bool,
}

/// The paths that programs may read in a text. None if there are more than anybody needs.
pub fn paths_in(text: &str) -> Option<PathReadings> {
    let mut found = PathReadings::default();
    let mut room = MOST.1;
    for text in spellings(text)? {
        found.like_a_path |= text.contains(['/', '\\'])
            || text.starts_with(['.', '~'])
            || has_variable(&text)
            || text.as_bytes().windows(3).any(is_drive);
        let is_short = text.len() <= LONGEST && !text.contains(['\n', '\r', '\0']);
        let is_one_word = is_short && !text.contains(char::is_whitespace);
        for start in starts(&text) {
            let rest = &text[start..];
            let from_somewhere = begins_somewhere(rest);
            if !from_somewhere && !is_short {
                continue;
            }
            for piece in pieces(rest, is_short, &mut room)? {
                if from_somewhere {
                    note(piece, &mut found.absolute);
                } else if is_one_word || piece.starts_with('.') || piece.contains(['/', '\\']) {
                    note(piece, &mut found.relative);
                }
            }
            if found.absolute.len() + found.relative.len() > MOST.0 {
                return None;
            }
        }
    }
    Some(found)
}

/// The text, if it is one absolute path of this system for every program.
pub fn only_path(text: &str) -> Option<&str> {
    let strange = |c: char| {
        c.is_control()
            || matches!(c, '*' | '?' | '"' | '<' | '>' | '|' | '`' | '$')
            || c == '\\' && !cfg!(windows)
    };
    if text.len() > LONGEST || !Path::new(text).is_absolute() || text.contains(strange) {
        return None;
    }
    if is_remark(text) {
        return None;
    }
    let is_escaped = |(at, _): (usize, &str)| {
        let digits = text.as_bytes().get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if text.match_indices('%').any(is_escaped) {
        return None;
    }
    let is_another = |start: usize| {
        let rest = &text[start..];
        let after_list = text[..start].ends_with([':', ';', ',']);
        let is_option = text[..start].ends_with(char::is_whitespace)
            && rest.starts_with('-')
            && !rest[1..].starts_with(char::is_whitespace);
        is_option
            || begins_somewhere(rest)
            || begins_here(rest)
            || rest.split(['/', '\\']).any(|step| step == "..")
            || after_list && rest.contains(['/', '\\'])
    };
    // The drive's own colon, where there is one, parts nothing.
    let own = if is_drive(text.as_bytes()) { 2 } else { 0 };
    let mut more = starts(text).into_iter().filter(|start| *start > own);
    let is_only = !more.any(is_another);
    is_only.then_some(text)
}

/// Whether some program may take `pattern`, a path with `*`, `?`, `[…]` or `{…}` in it, for `path`
/// or something in it.
pub fn matches_glob(pattern: &str, path: &str) -> bool {
    fn steps(path: &str) -> Vec<&str> {
        let parts = path.split(['/', '\\']);
        parts
            .filter(|part| !part.is_empty() && *part != ".")
            .collect()
    }
    // For each number of steps of the path whether the pattern so far can end there.
    let path = steps(path);
    let mut ends = vec![false; path.len() + 1];
    ends[0] = true;
    for part in steps(pattern) {
        if ends[path.len()] {
            return true;
        }
        let mut next = vec![false; path.len() + 1];
        let mut open = false;
        for at in 0..=path.len() {
            open |= ends[at];
            if part.contains("**") {
                next[at] = open;
            } else if at > 0 {
                next[at] = ends[at - 1] && fits(part, path[at - 1]);
            }
        }
        ends = next;
    }
    ends[path.len()]
}

/// Whether a name may be meant by a part of a pattern: what stands before its first sign and after
/// its last one must be there.
fn fits(part: &str, name: &str) -> bool {
    let is_sign = |c: char| matches!(c, '*' | '?' | '[' | ']' | '{' | '}');
    let (Some(first), Some(last)) = (part.find(is_sign), part.rfind(is_sign)) else {
        return part == name;
    };
    let (before, after) = (&part[..first], &part[last + 1..]);
    name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
}

/// Whether it is a sign that no name of a file needs, and that parts one from what is beside it.
fn parts(c: char) -> bool {
    match c {
        '_' | '-' | '.' | '~' | '/' | '\\' => false,
        c if c.is_ascii() => !c.is_ascii_alphanumeric(),
        // Of other scripts, what is written as such a sign. Accents are parts of names.
        c => {
            c.is_whitespace()
                || matches!(
                    c,
                    '\u{2010}'..='\u{205e}'
                        | '\u{3001}'..='\u{301f}'
                        | '\u{ff01}'..='\u{ff0f}'
                        | '\u{ff1a}'..='\u{ff20}'
                )
        }
    }
}

/// Where in a text a path may begin, in order.
fn starts(text: &str) -> Vec<usize> {
    let variables = has_variable(text);
    let bytes = text.as_bytes();
    let (mut starts, mut before, mut word) = (vec![0], None, 0);
    // Whether the path of an option that is written without a space, as in `-C/etc`, may still
    // begin.
    let mut glued = text.starts_with(['-', '+']);
    // Whether the host of such an address stands here.
    let mut authority = false;
    for (at, c) in text.char_indices() {
        let Some(last) = before.replace(c) else {
            continue;
        };
        let mut is_start = false;
        if parts(last) {
            // Behind `+`, a sign itself, the option goes on.
            if !(glued && last == '+' && at == word + 1) {
                word = at;
                glued = matches!(c, '-' | '+');
            }
            // `(x)/y` and `[x]/y` go on; `${x}/y` may begin with what stands for `${x}`.
            let goes_on = matches!(last, ')' | ']' | '}') && matches!(c, '/' | '\\');
            is_start = (!goes_on || variables) && !is_web(text, at);
        } else if last == '\\' && c == '/' {
            is_start = true;
        } else if glued && at > word {
            let begins = matches!(c, '/' | '\\' | '~' | '.');
            let is_short_option = at == word + 2 && last != '-' && c != '-';
            is_start = begins || is_short_option;
            glued = !begins;
        }
        // In `https://` there is no drive.
        let is_scheme = last.is_alphanumeric() && bytes[at..].get(1..4) == Some(b"://");
        is_start |= c.is_ascii_alphabetic() && is_drive(&bytes[at..]) && !is_scheme;
        // The path of an address that is not one of the web, as in `db://host/path`.
        if c == '/' && text[..at].ends_with(":/") {
            authority = !is_web(text, at - 1);
        } else if authority && matches!(c, '/' | '\\') {
            (authority, is_start) = (false, true);
        } else if c.is_whitespace() {
            authority = false;
        }
        if is_start {
            starts.push(at);
        }
    }
    starts
}

/// Whether the slashes of a web address begin here, which no program takes for a path.
fn is_web(text: &str, at: usize) -> bool {
    let of_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let Some(before) = text[..at].strip_suffix(':') else {
        return false;
    };
    // No scheme of the web is longer.
    let longest = before.floor_char_boundary(before.len().saturating_sub(8));
    let scheme = before[longest..].rsplit(|c| !of_scheme(c)).next();
    text[at..].starts_with("//")
        && scheme.is_some_and(|scheme| {
            ["http", "https", "ws", "wss", "ftp"]
                .iter()
                .any(|web| scheme.eq_ignore_ascii_case(web))
        })
}

/// Whether a path begins at a disk, at somebody's home or at a variable.
fn begins_somewhere(text: &str) -> bool {
    text.starts_with(['/', '\\', '~']) || is_drive(text.as_bytes()) || begins_variable(text)
}

/// Whether a path begins with a step from where the program is.
fn begins_here(text: &str) -> bool {
    let rest = text.trim_start_matches('.');
    rest.len() < text.len() && (rest.is_empty() || rest.starts_with(['/', '\\']))
}

fn is_drive(text: &[u8]) -> bool {
    matches!(text, [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

fn has_variable(text: &str) -> bool {
    let mut signs = text.match_indices(['$', '%']);
    signs.any(|(at, _)| begins_variable(&text[at..]))
}

/// Whether the name of a variable stands here: `$NAME`, `${NAME}`, `%NAME%`.
fn begins_variable(text: &str) -> bool {
    let is_name = |c: &char| c.is_ascii_alphabetic() || *c == '_';
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some('$'), Some('{' | '(')) => true,
        (Some('$'), Some(c)) => is_name(&c),
        (Some('%'), Some(c)) if is_name(&c) => text[1..]
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .is_some_and(|end| text[1 + end..].starts_with('%')),
        _ => false,
    }
}

/// The text up to the first of each sign at which a path may end, and the whole of it if it is not
/// too long. A path does not go on over lines, and over a space only where the text may be one path.
/// None if there is no more room for looking.
fn pieces<'a>(text: &'a str, over_spaces: bool, room: &mut usize) -> Option<Vec<&'a str>> {
    let (mut pieces, mut seen) = (Vec::new(), [false; 129]);
    let own = if is_drive(text.as_bytes()) { 2 } else { 0 };
    let over_spaces = over_spaces && !is_remark(text);
    let mut looked = 0;
    let mut end = Some(text.len());
    for (at, c) in text.char_indices().skip(own) {
        looked += 1;
        if at > LONGEST {
            end = None;
            break;
        }
        let stops = c.is_control() || c.is_whitespace() && !over_spaces;
        if stops {
            end = Some(at);
            break;
        }
        let class = match c {
            c if c.is_whitespace() => usize::from(b' '),
            c if c.is_ascii() => usize::from(c as u8),
            _ => 128,
        };
        if parts(c) && !std::mem::replace(&mut seen[class], true) {
            pieces.push(&text[..at]);
        }
    }
    *room = room.checked_sub(looked)?;
    pieces.extend(end.filter(|end| *end <= LONGEST).map(|end| &text[..end]));
    Some(pieces)
}

/// Whether it is written like `// a remark`, which is a disk as a whole and nothing in it.
fn is_remark(text: &str) -> bool {
    let rest = text.trim_start_matches('/');
    rest.len() < text.len() && rest.starts_with(char::is_whitespace)
}

/// Notes a piece, and what it is without the dot at the end of a sentence.
fn note(piece: &str, found: &mut BTreeSet<String>) {
    let piece = piece.trim_end();
    if piece.is_empty() || piece.starts_with('-') {
        return;
    }
    let bare = piece.trim_end_matches('.');
    if !bare.is_empty() && bare.len() < piece.len() && !bare.ends_with(['/', '\\']) {
        found.insert(bare.to_owned());
    }
    if piece.starts_with("//") {
        found.insert(format!("/{}", piece.trim_start_matches('/')));
    }
    if !found.contains(piece) {
        found.insert(piece.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_path_is_found_in_every_notation_of_common_programs() {
        for (notation, text) in crate::notations::with("{path}", "/home/ann/x", "evil.example") {
            let found = paths_in(&text).unwrap();
            let is_it = |path: &str| path.trim_end_matches('/') == "/home/ann/x";
            assert!(
                found.absolute.iter().any(|path| is_it(path)),
                "{notation}: {found:?}"
            );
            assert!(found.like_a_path, "{notation}");
            // A name may have a comma in it; then it is one beside the path.
            let only = only_path(&text).map(|only| only.trim_end_matches(",b"));
            assert!(only.is_none_or(is_it), "{notation}: {only:?}");
        }
        for (notation, text) in crate::notations::with("{path}", r"C:\Users\ann", "evil.example") {
            let found = paths_in(&text).unwrap();
            let is_it = |path: &str| path.trim_end_matches(['/', '\\']) == r"C:\Users\ann";
            assert!(
                found.absolute.iter().any(|path| is_it(path)),
                "{notation}: {found:?}"
            );
        }
    }

    #[test]
    fn a_part_of_a_path_is_no_path_of_its_own() {
        let found = paths_in("/srv/data/etc/x").unwrap();
        assert_eq!(Vec::from_iter(found.absolute), ["/srv/data/etc/x"]);
        let found = paths_in("data/etc/x").unwrap();
        assert!(found.absolute.is_empty() && found.relative.contains("data/etc/x"));
        let found = paths_in("https://a.example/etc/x").unwrap();
        assert!(found.absolute.is_empty(), "{found:?}");
        assert!(paths_in("// one remark").unwrap().absolute.contains("//"));
    }

    #[test]
    fn a_relative_path_is_found_beside_its_sign() {
        for (text, path) in [
            ("secret", "secret"),
            ("-Csecret/a", "secret/a"),
            ("-I../secret", "../secret"),
            ("@secret/a", "secret/a"),
            ("HEAD:secret/a", "secret/a"),
            ("--file=secret", "secret"),
            ("cat ../secret", "../secret"),
        ] {
            let found = paths_in(text).unwrap();
            assert!(found.relative.contains(path), "{text}: {found:?}");
        }
        assert!(!paths_in("fast").unwrap().like_a_path);
    }

    #[cfg(unix)]
    #[test]
    fn a_plain_path_is_the_only_one_and_a_doubtful_one_is_not() {
        for text in [
            "/srv/My Documents (2)/a b.txt",
            "/srv/app/[id]/page.tsx",
            "/srv/year=2024/month=5/x",
            "/srv/.pnpm/@scope+core@7.0.1/x",
            "/srv/R&D/x#1.txt",
            "/srv/cafe\u{301}/x",
            "/srv/a/../b",
        ] {
            assert_eq!(only_path(text), Some(text), "{text}");
        }
        for text in [
            "/srv/a:/etc",
            "/srv/a:../etc",
            "/srv/a:b/etc",
            "/srv/a,b/etc",
            "/srv/a,/etc",
            "/srv/a /etc",
            "/srv/a -name x",
            "/srv/a b/../../etc",
            "/srv/a=/etc",
            "/srv/a@/etc",
            "/srv/$X",
            "/srv/`x`",
            "/srv/*",
            "/srv/%2e%2e/x",
            "/srv/a\\/x",
            "/srv/a\n/x",
            "/srv/{a,../../etc}",
            "srv",
            "",
        ] {
            assert_eq!(only_path(text), None, "{text}");
        }
    }

    #[test]
    fn a_pattern_may_mean_what_its_steps_may_mean() {
        for (pattern, path, may) in [
            ("/e*/passwd", "/etc", true),
            ("/e*/passwd", "/etc/passwd", true),
            ("/e?c", "/etc", true),
            ("/et[c]/x", "/etc", true),
            ("/{etc,var}/x", "/etc", true),
            ("/srv/**/x", "/srv/a/b", true),
            ("/srv/*.rs", "/srv/secret", false),
            ("/srv/*", "/etc", false),
            ("/srv/*", "/srv/a/b", false),
        ] {
            assert_eq!(matches_glob(pattern, path), may, "{pattern} {path}");
        }
    }

    #[test]
    fn more_than_anybody_needs_is_said_to_be_too_much() {
        let many: String = (0..5000).map(|n| format!("/opt/{n}\n")).collect();
        assert_eq!(paths_in(&many), None);
        // Much of the same is read, and quickly.
        assert!(paths_in(&"/opt/x\n".repeat(100_000)).is_some());
        assert!(paths_in(&"some words of a text. ".repeat(50_000)).is_some());
        let _ = paths_in(&"/,".repeat(500_000));
        let _ = paths_in(&"a://".repeat(250_000));
    }

    proptest! {
        #[test]
        fn the_only_path_of_a_text_is_among_those_that_are_read(text in r"[/\\a-c:;,.~$%@=() -]{0,24}") {
            if let Some(path) = only_path(&text) {
                prop_assert!(paths_in(&text).unwrap().absolute.contains(path.trim_end()));
            }
        }

        #[test]
        fn a_path_after_any_sign_is_read(before in r"[a-z0-9 ]{0,8}", sign in r"[^A-Za-z0-9_./~\\)\]}-]", after in "([:;,|&<>)]x?)?") {
            prop_assume!(sign.is_ascii() || sign.chars().all(parts));
            let text = format!("{before}{sign}/etc/x{after}");
            let found = paths_in(&text).unwrap();
            prop_assert!(found.absolute.contains("/etc/x"), "{text:?}: {found:?}");
            prop_assert!(only_path(&text).is_none());
        }
    }
}
