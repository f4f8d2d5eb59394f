//! Puts numbered marks in the place of credentials and personal numbers, and visible ones in the
//! place of hidden characters.
//!
//! Always true here: nothing but what a mark stands for is changed, and every place in the text
//! that came has one in the text that goes out.

use crate::Finding;
use crate::FindingKind::{Credential, PersonalNumber};
use crate::credentials::Credentials;
use crate::personal::PersonalNumbers;
use crate::spots::Spots;
use protocol::{hidden_places, visible_mark};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

/// What was covered in one answer. The same value has the same number everywhere in it.
#[derive(Default)]
pub(crate) struct Redactor {
    numbers: HashMap<String, usize>,
    /// How many different credentials.
    pub credentials: u32,
    /// How many different personal numbers.
    pub personal: u32,
}

/// A text as it goes out.
pub(crate) struct RedactedText {
    pub text: String,
    /// How many hidden characters were made visible.
    pub hidden: u32,
    /// In order and apart.
    edits: Vec<Edit>,
}

struct Edit {
    came: Range<usize>,
    gone: Range<usize>,
    is_cover: bool,
}

impl Redactor {
    /// Whether anything was covered.
    pub fn any(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Covers what was found in a text. `None` if nothing has to be changed.
    pub fn cover(&mut self, text: &str, found: &ToCover) -> Option<RedactedText> {
        let places = found.places(text);
        let mut hidden = hidden_places(text).peekable();
        if places.is_empty() && hidden.peek().is_none() {
            return None;
        }
        let mut covered = RedactedText {
            text: String::with_capacity(text.len()),
            hidden: 0,
            edits: Vec::new(),
        };
        let mut end = 0;
        for (range, is_credential) in places.iter().cloned() {
            while let Some((at, c)) = hidden.next_if(|(at, _)| *at < range.start) {
                covered.reveal(text, &mut end, at, c);
            }
            while hidden.next_if(|(at, _)| *at < range.end).is_some() {}
            let mark = self.mark(&text[range.clone()], is_credential);
            covered.edit(text, &mut end, range, &mark, true);
        }
        for (at, c) in hidden {
            covered.reveal(text, &mut end, at, c);
        }
        covered.text.push_str(&text[end..]);
        Some(covered)
    }

    fn mark(&mut self, value: &str, is_credential: bool) -> String {
        // A number is the same with spaces in it and without.
        let key: String = value
            .chars()
            .filter(|c| is_credential || c.is_ascii_alphanumeric())
            .collect();
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry(key).or_insert(next);
        let (word, count) = if is_credential {
            ("credential", &mut self.credentials)
        } else {
            ("number", &mut self.personal)
        };
        *count += u32::from(number == next);
        format!("⟦{word} {number}⟧")
    }
}

/// What was found in one text that is to be covered.
#[derive(Debug, Default)]
pub(crate) struct ToCover {
    pub credentials: Credentials,
    pub numbers: PersonalNumbers,
    /// What else the text may hold.
    pub spots: Spots,
}

impl ToCover {
    /// Finds it.
    pub fn of(text: &str) -> Self {
        let spots = Spots::of(text);
        Self {
            credentials: Credentials::of(text, &spots),
            numbers: PersonalNumbers::of(text),
            spots,
        }
    }

    /// Whether it is nothing.
    pub fn is_empty(&self) -> bool {
        self.credentials.is_empty() && self.numbers.is_empty()
    }

    /// Whether neither this nor anything of the same scan has to be looked at.
    pub fn says_nothing(&self) -> bool {
        self.is_empty() && !self.spots.has_target && !self.spots.has_active
    }

    /// Where it stands, and whether it is a credential. What overlaps is one place, so that no rest
    /// of either stays.
    fn places(&self, text: &str) -> Vec<(Range<usize>, bool)> {
        let credentials = self.credentials.places(text).into_iter();
        let credentials = credentials.map(|range| (range, true));
        let numbers = self.numbers.places().map(|range| (range, false));
        let mut places: Vec<(Range<usize>, bool)> = credentials.chain(numbers).collect();
        places.sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
        places.dedup_by(|(next, _), (before, _)| {
            let together = next.start < before.end;
            if together {
                before.end = before.end.max(next.end);
            }
            together
        });
        places
    }
}

impl RedactedText {
    fn reveal(&mut self, text: &str, end: &mut usize, at: usize, c: char) {
        self.hidden += 1;
        self.edit(text, end, at..at + c.len_utf8(), &visible_mark(c), false);
    }

    fn edit(
        &mut self,
        text: &str,
        end: &mut usize,
        came: Range<usize>,
        mark: &str,
        is_cover: bool,
    ) {
        self.text.push_str(&text[*end..came.start]);
        let start = self.text.len();
        self.text.push_str(mark);
        *end = came.end;
        self.edits.push(Edit {
            came,
            gone: start..self.text.len(),
            is_cover,
        });
    }

    /// A finding in the text that came, as it stands in this one. Its evidence shows nothing that
    /// was covered.
    pub fn moved(&self, mut finding: Finding) -> Finding {
        let came = finding.span.clone();
        finding.span = self.place(came.start, false)..self.place(came.end, true);
        let first = self
            .edits
            .partition_point(|edit| edit.came.end <= came.start);
        let has_covers = self.edits[first..]
            .iter()
            .take_while(|edit| edit.came.start < came.end)
            .any(|edit| edit.is_cover);
        if has_covers && !matches!(finding.kind, Credential | PersonalNumber) {
            return Finding {
                at: finding.at,
                ..Finding::of(finding.kind, finding.severity, &self.text, finding.span)
            };
        }
        finding
    }

    /// Where a place of the text that came is now; one inside of a mark is at its beginning or end.
    fn place(&self, came: usize, is_end: bool) -> usize {
        let index = self.edits.partition_point(|edit| edit.came.end <= came);
        let inside = self.edits.get(index).filter(|edit| edit.came.start < came);
        match (
            inside,
            index.checked_sub(1).and_then(|index| self.edits.get(index)),
        ) {
            (Some(edit), _) => {
                if is_end {
                    edit.gone.end
                } else {
                    edit.gone.start
                }
            }
            (None, Some(before)) => before.gone.end + (came - before.came.end),
            (None, None) => came,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FindingKind, Severity};

    const CARD: &str = "4539 1488 0343 6467";

    impl Redactor {
        fn redact(&mut self, text: &str) -> Option<RedactedText> {
            self.cover(text, &ToCover::of(text))
        }
    }

    #[test]
    fn the_same_value_has_the_same_number_in_every_text() {
        let mut redactor = Redactor::default();
        let token = format!("ghp{}{}", "_", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY3");
        let one = redactor
            .redact(&format!("pay {CARD} with {token}"))
            .unwrap();
        assert_eq!(one.text, "pay ⟦number 1⟧ with ⟦credential 2⟧");
        let other = redactor
            .redact(&format!("\u{200B}{token} and {}", CARD.replace(' ', "")))
            .unwrap();
        assert_eq!(
            (other.text.as_str(), other.hidden),
            ("⟨U+200B⟩⟦credential 2⟧ and ⟦number 1⟧", 1)
        );
        assert_eq!((redactor.credentials, redactor.personal), (1, 1));
    }

    #[test]
    fn a_private_key_is_covered_to_its_end() {
        let key = format!(
            "-----BEGIN RSA PRIVATE {}-----\nMIIEvQIB\nADANBgkq==\n-----END RSA PRIVATE KEY-----",
            "KEY"
        );
        let whole = Redactor::default()
            .redact(&format!("key: {key}\nnext"))
            .unwrap();
        assert_eq!(whole.text, "key: ⟦credential 1⟧\nnext");
        let cut = Redactor::default().redact(&key[..50]).unwrap();
        assert_eq!(cut.text, "⟦credential 1⟧");
    }

    #[test]
    fn findings_move_with_their_text_and_repeat_nothing_that_was_covered() {
        let text = format!("\u{200B}send {CARD} to me");
        let covered = Redactor::default().redact(&text).unwrap();
        let at = text.find("send").unwrap();
        let finding = Finding::of(
            FindingKind::Exfiltration,
            Severity::High,
            &text,
            at..at + 5 + CARD.len(),
        );
        let moved = covered.moved(finding);
        assert_eq!(&covered.text[moved.span.clone()], "send ⟦number 1⟧");
        assert_eq!(moved.evidence, "send ⟦number 1⟧");
        let behind = text.find("to me").unwrap();
        let moved = covered.moved(Finding::of(
            FindingKind::Secrecy,
            Severity::High,
            &text,
            behind..text.len(),
        ));
        assert_eq!(&covered.text[moved.span], "to me");
    }
}
