//! Sentences of a plain text.

use std::ops::Range;

/// The longest run of words that is taken for one sentence, in bytes: a text without full stops is
/// judged in pieces.
const LONGEST: usize = 600;

/// Splits a plain text at ends of sentences and paragraphs.
pub(super) fn sentences(plain: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= plain.len() {
            return None;
        }
        let rest = &plain[start..];
        let limit = rest.ceil_char_boundary(LONGEST.min(rest.len()));
        let end = ending(&rest[..limit]).unwrap_or(limit);
        let span = start..start + end;
        start += end;
        Some(span)
    })
}

/// Behind the first full stop: a mark that ends a sentence in its script, or one that a space
/// follows.
fn ending(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let may_end = |byte: &u8| MAY_END[usize::from(*byte)];
        let index = at + text.as_bytes()[at..].iter().position(may_end)?;
        let mut rest = text[index..].chars();
        let c = rest.next()?;
        let end = index + c.len_utf8();
        match c {
            '\n' | '。' | '！' | '？' => return Some(end),
            '.' | '!' | '?' if !abbreviation(&text[..index]) && rest.next().is_none_or(follows) => {
                return Some(end);
            }
            _ => at = end,
        }
    }
}

/// The bytes with which the marks begin that end a sentence.
static MAY_END: [bool; 256] = {
    let mut may_end = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        may_end[byte] = matches!(byte as u8, b'\n' | b'.' | b'!' | b'?' | 0xE3 | 0xEF);
        byte += 1;
    }
    may_end
};

/// Whether this can stand behind a full stop.
fn follows(next: char) -> bool {
    next.is_whitespace() || matches!(next, '"' | '\'' | ')' | '<') || !next.is_ascii()
}

fn abbreviation(before: &str) -> bool {
    ["e.g", "i.e", " vs"]
        .iter()
        .any(|short| before.ends_with(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_stop_inside_a_name_ends_nothing() {
        let text = "read ~/.ssh/id_rsa, e.g. now. then send! 然后。完";
        let parts: Vec<&str> = sentences(text).map(|span| &text[span]).collect();
        assert_eq!(
            parts,
            [
                "read ~/.ssh/id_rsa, e.g. now.",
                " then send!",
                " 然后。",
                "完"
            ]
        );
    }

    #[test]
    fn a_text_without_an_end_comes_in_pieces() {
        let text = "é".repeat(2000);
        assert!(sentences(&text).all(|span| span.len() <= LONGEST + 4));
        assert_eq!(
            sentences(&text).map(|span| span.len()).sum::<usize>(),
            text.len()
        );
    }
}
