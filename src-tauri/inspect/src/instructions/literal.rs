//! Addresses, paths and names of tools in a plain text: cues that have a form instead of a word.

use super::Context;
use super::cue::{Cue, CueMatch};
use std::ops::Range;

/// Adds the cues of a part of a plain text that are found by their form.
pub(super) fn add(
    plain: &str,
    part: Range<usize>,
    context: Context<'_>,
    marks: &mut Vec<CueMatch>,
) {
    let before = marks.len();
    let mut start = part.start;
    for token in plain[part.clone()].split_inclusive(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '`' | '(' | ')' | ',' | '<' | '>' | '[' | ']' | '{' | '}' | '='
            )
    }) {
        let word = token.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let word = word.trim_end_matches('.');
        let from = start;
        start += token.len();
        if word.len() < 3 {
            continue;
        }
        let cue = if !context.own.is_empty() && word == context.own && word.len() > 3 {
            Cue::ThisTool
        } else if word.contains("://") {
            Cue::Url
        } else if is_literal(word) || is_account(word, &plain[start..]) {
            Cue::Literal
        } else if is_secret_name(word) && !context.arguments.iter().any(|argument| argument == word)
        {
            Cue::PrivateThing
        } else if is_tool_name(word) && !context.arguments.iter().any(|argument| argument == word) {
            Cue::NamedTool
        } else {
            continue;
        };
        let span = from..from + word.len();
        if cue == Cue::NamedTool && is_occasion(&plain[..span.start], &plain[span.end..]) {
            marks.push(CueMatch {
                cue: Cue::Hook,
                span: span.clone(),
            });
        }
        marks.push(CueMatch { cue, span });
    }
    colleagues(plain, part, context, marks);
    if marks.len() > before {
        marks.sort_by_key(|mark| (mark.span.start, mark.span.end));
    }
}

/// Whether the use of a tool whose name stands between two texts is the occasion for something:
/// "when `send_mail` is called".
fn is_occasion(before: &str, after: &str) -> bool {
    let before = before.trim_end_matches(['`', '"', '\'', ' ']);
    let after = after.trim_start_matches(['`', '"', '\'', '(', ')']);
    let timed = TIMES.iter().any(|time| before.ends_with(time));
    timed && DONE.iter().any(|done| after.starts_with(done))
        || CALLS.iter().any(|call| before.ends_with(call))
}

/// What stands in front of a tool's name that is an occasion if the words behind it say that it is
/// used.
const TIMES: [&str; 11] = [
    " when",
    " if",
    " whenever",
    " once",
    " time",
    " case",
    " where",
    " that",
    " after",
    " as soon as",
    " tool",
];
const DONE: [&str; 17] = [
    " is called",
    " is used",
    " is invoked",
    " is run",
    " is executed",
    " is triggered",
    " gets called",
    " gets used",
    " was called",
    " was used",
    " has been",
    " is being",
    " is about to",
    " runs",
    " finishes",
    " returns",
    " call",
];
/// What stands in front of one that is an occasion by itself.
const CALLS: [&str; 14] = [
    " upon a call of",
    " upon calls of",
    " on a call of",
    " upon a call to",
    " sent with",
    " passed on to",
    " calls of",
    " calls to",
    " parameter of",
    " argument of",
    " field of",
    " results of",
    " output of",
    " following a",
];

/// "the mail tool", "payment tools": tools by what they are for, which is not what this one is for.
fn colleagues(plain: &str, part: Range<usize>, context: Context<'_>, marks: &mut Vec<CueMatch>) {
    let first = part.start;
    for (at, found) in plain[part].match_indices(" tool") {
        let at = first + at;
        let end = at + found.len();
        let ends = plain[end..].strip_prefix('s').unwrap_or(&plain[end..]);
        if ends.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-')) {
            continue;
        }
        let before = plain[..at].trim_end_matches('`');
        let word = before
            .rsplit(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-'))
            .next()
            .unwrap_or_default();
        let start = before.len() - word.len();
        if word.len() > 2 && !GENERIC.contains(&word) && !context.own.contains(word) {
            marks.push(CueMatch {
                cue: Cue::Colleague,
                span: start..end,
            });
        }
    }
}

/// Words in front of "tool" that say nothing of its purpose.
const GENERIC: [&str; 40] = [
    "this",
    "the",
    "that",
    "which",
    "mcp",
    "following",
    "available",
    "primary",
    "main",
    "new",
    "unified",
    "powerful",
    "single",
    "simple",
    "same",
    "only",
    "right",
    "specific",
    "appropriate",
    "correct",
    "dedicated",
    "deprecated",
    "preferred",
    "recommended",
    "official",
    "server",
    "your",
    "its",
    "these",
    "related",
    "companion",
    "read-only",
    "supported",
    "default",
    "general",
    "current",
    "next",
    "first",
    "one",
    "comprehensive",
];

/// An address of mail, web or network, a telephone number, or an absolute path.
fn is_literal(word: &str) -> bool {
    let bytes = word.as_bytes();
    if let Some((name, domain)) = word.split_once('@') {
        return !name.is_empty() && domain.contains('.');
    }
    if bytes[0] == b'+' && bytes.len() >= 9 {
        return bytes[1..]
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'-');
    }
    if word.starts_with("~/") || word.starts_with("c:\\") || word.starts_with("%appdata%") {
        return true;
    }
    if let Some(path) = word.strip_prefix('/') {
        return ROOTS.contains(&path.split('/').next().unwrap_or_default());
    }
    if word.starts_with("0x") && word.len() >= 34 {
        return true;
    }
    let parts = word.split(['.', ':']).filter(|part| {
        !part.is_empty() && part.len() <= 5 && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    word.matches('.').count() == 3 && parts.count() >= 4
}

/// The beginning of an account number as banks write it, in one or in groups of four, or of a
/// telephone number in groups.
fn is_account(word: &str, after: &str) -> bool {
    let bytes = word.as_bytes();
    let begins = bytes.len() >= 4
        && bytes[..2].iter().all(u8::is_ascii_lowercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit);
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    if bytes[0] == b'+'
        && (2..=4).contains(&bytes.len())
        && bytes[1..].iter().all(u8::is_ascii_digit)
    {
        return after.bytes().take(9).filter(u8::is_ascii_digit).count() >= 6;
    }
    let group = after.get(..4).is_some_and(|group| {
        digits(group) >= 3
            || group.bytes().all(|byte| byte.is_ascii_alphanumeric()) && digits(group) >= 1
    });
    begins && (bytes.len() == 4 && group || bytes.len() >= 15 && digits(word) >= 8)
}

/// Where paths of a whole computer begin. Other words with a slash in front are routes and
/// identifiers.
const ROOTS: [&str; 17] = [
    "etc", "root", "home", "var", "usr", "tmp", "opt", "proc", "mnt", "srv", "users", "library",
    "private", "dev", "bin", "sys", "run",
];

/// The name of a variable that holds a secret: `AWS_SECRET_ACCESS_KEY`.
fn is_secret_name(word: &str) -> bool {
    word.contains('_')
        && ["_token", "_key", "_secret", "_password", "_passwd"]
            .iter()
            .any(|end| word.ends_with(end))
}

/// Words joined as tools are named: `send_email`.
fn is_tool_name(word: &str) -> bool {
    let mut parts = word.split(['_', '-']);
    let named = |part: &str| part.len() >= 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    word.contains('_') && word.len() >= 6 && parts.all(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hooks(plain: &str) -> usize {
        let arguments = ["user_name".to_owned()];
        let mut marks = Vec::new();
        add(
            plain,
            0..plain.len(),
            Context {
                own: "get_weather",
                arguments: &arguments,
                alone: false,
            },
            &mut marks,
        );
        marks.iter().filter(|mark| mark.cue == Cue::Hook).count()
    }

    #[test]
    fn the_use_of_another_tool_is_an_occasion() {
        assert_eq!(hooks("then, when send_mail is called, add a copy."), 1);
        assert_eq!(hooks("note: if `send_mail` was used, add a copy."), 1);
        assert_eq!(
            hooks("in all calls of send_mail the address is another."),
            1
        );
    }

    #[test]
    fn a_tool_that_is_only_named_and_what_is_its_own_are_no_occasion() {
        assert_eq!(hooks("see send_mail for how it is sent."), 0);
        assert_eq!(
            hooks(
                "an error, when get_weather is called without a city, or when user_name is used twice."
            ),
            0
        );
    }
}
