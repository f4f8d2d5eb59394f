//! Words of strangers on the terminal: a server must not be able to draw there what looks like
//! ours.
//!
//! Always true here:
//! - nothing of them moves the cursor, hides, or changes the direction of what stands beside it;
//! - every line that they take up begins with the fence, also where a long one is broken.

use std::fmt::Write as _;

/// What stands before each line of a stranger's words.
const FENCE: &str = "  | ";
/// How many columns of a stranger's words stand on one line: with the fence less than the narrowest
/// usual terminal has, because a line that the terminal breaks by itself goes on without the fence.
const WIDTH: usize = 72;

/// A text on one line, with everything in it visible.
pub(crate) fn visible(text: &str) -> String {
    host::visible(text)
        .replace('\n', "⟨U+000A⟩")
        .replace('\r', "⟨U+000D⟩")
}

/// A text that keeps its lines, with everything else in it visible. For results, where nothing of
/// ours stands beside it.
pub(crate) fn lines(text: &str) -> String {
    host::visible(&text.replace("\r\n", "\n")).replace('\r', "⟨U+000D⟩")
}

/// A text in the fence, line by line.
pub(crate) fn quote(text: &str) -> String {
    fenced(FENCE, FENCE, text)
}

/// A text in the fence, with what it is before it. That may be a stranger's word too.
pub(crate) fn quote_as(what: &str, text: &str) -> String {
    let what = visible(what);
    if columns(&what) > WIDTH / 2 {
        return format!("{}\n{}", quote(&what), quote(text));
    }
    fenced(&format!("  {what} | "), FENCE, text)
}

/// A text behind something of ours: on its line, and fenced where it takes up more.
pub(crate) fn fenced(first: &str, rest: &str, text: &str) -> String {
    let mut quoted = String::new();
    let (mut before, text) = (first, lines(text));
    for line in text.split('\n') {
        for piece in pieces(line) {
            if !quoted.is_empty() {
                quoted.push('\n');
            }
            // Writing to a text cannot fail.
            let _ = write!(quoted, "{before}{piece}");
            before = rest;
        }
    }
    quoted
}

/// The text of JSON, with what hides or moves the cursor written as JSON has it for such. What it
/// says is the same.
pub(crate) fn escaped(text: &str) -> String {
    let (mut written, mut end) = (String::new(), 0);
    // Such characters stand in strings only: everywhere else JSON is ASCII.
    for (at, c) in inspect::hidden_places(text) {
        written.push_str(&text[end..at]);
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(written, "\\u{unit:04x}");
        }
        end = at + c.len_utf8();
    }
    written.push_str(&text[end..]);
    written
}

/// As much of a text as stands on one line beside ours, with everything in it visible, behind the
/// fence.
pub(crate) fn beside(ours: &str, text: &str) -> String {
    let whole = format!("{ours}{FENCE}{}", visible(text));
    pieces(&whole)
        .first()
        .copied()
        .unwrap_or_default()
        .to_owned()
}

/// A line in pieces that are short enough; an empty line is one piece.
fn pieces(line: &str) -> Vec<&str> {
    let (mut found, mut begin, mut taken) = (Vec::new(), 0, 0);
    for (at, c) in line.char_indices() {
        if taken + width(c) > WIDTH {
            found.push(&line[begin..at]);
            (begin, taken) = (at, 0);
        }
        taken += width(c);
    }
    found.push(&line[begin..]);
    found
}

fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// How many columns a character takes up at most.
fn width(c: char) -> usize {
    match c {
        '\t' => 8,
        c if u32::from(c) < 0x1100 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn every_line_of_a_strangers_words_is_fenced_however_it_is_broken() {
        let long = format!(
            "one\ntwo\r\nthree\rfour\n\n{}It leads to: bank.example",
            " ".repeat(100)
        );
        for broken in [
            long.as_str(),
            "x\u{85}y\u{2028}z\u{b}w",
            &"語".repeat(100),
            "\u{1b}[2K\u{1b}[1G",
            "\u{202e}|",
        ] {
            let quoted = quote_as("its words", broken);
            for (number, line) in quoted.lines().enumerate() {
                assert!(
                    line.starts_with(if number == 0 {
                        "  its words | "
                    } else {
                        "  | "
                    }),
                    "{quoted}"
                );
                assert!(columns(line) < 80 + 10, "{line}");
                assert!(
                    !line.chars().any(char::is_control) && !inspect::has_hidden(line),
                    "{line:?}"
                );
            }
        }
        assert_eq!(quote("one\ntwo"), "  | one\n  | two");
        assert_eq!(
            quote_as(&"a\n".repeat(40), "x")
                .lines()
                .filter(|line| !line.starts_with("  | "))
                .count(),
            0
        );
    }

    #[test]
    fn beside_ours_stands_one_line_of_theirs_behind_the_fence() {
        assert_eq!(beside("Starting", "a\nb"), "Starting  | a⟨U+000A⟩b");
        let long = beside("Starting", &"語".repeat(100));
        assert!(columns(&long) <= WIDTH, "{long}");
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(visible("a\nb\rc\u{1b}d"), "a⟨U+000A⟩b⟨U+000D⟩c⟨U+001B⟩d");
        assert_eq!(lines("a\r\nb\rc"), "a\nb⟨U+000D⟩c");
    }

    #[test]
    fn json_says_the_same_without_a_character_that_draws() {
        for text in [
            "a\u{9b}31mb",
            "\u{202e}x\u{202c}",
            "\u{e0041}",
            "plain\n\t\"中文\" ❤️",
            "\u{2028}\u{feff}\u{200b}",
        ] {
            let value = json!({"text": text, (text): [text]});
            let written = escaped(&format!("{value:#}"));
            assert!(
                !written.chars().any(|c| c.is_control() && c != '\n')
                    && !inspect::has_hidden(&written),
                "{written:?}"
            );
            assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
        }
    }
}
