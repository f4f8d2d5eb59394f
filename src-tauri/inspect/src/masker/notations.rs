//! Secrets in any notation: in capitals, escaped in whatever way, with other characters between
//! their letters, and all of it mixed.
//!
//! Always true here:
//! - the memory that is needed does not grow with the text, but for what is found;
//! - only what nobody writes by chance is found with other characters between: letters and digits
//!   together, at least [`MIXED`] of them, or at least [`LONG`] of one kind.

use super::Masker;
use super::letters::{LONGEST_ESCAPE, Letter, Letters};
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::BTreeSet;
use std::ops::Range;
use zeroize::Zeroizing;

/// So much is read at a time, in bytes.
const WINDOW: usize = 64 * 1024;
/// Letters and digits together are seen through other characters from this length on.
const MIXED: usize = 8;
/// Letters alone, or digits alone, are from this length on: a short row of words or numbers is
/// written by chance.
const LONG: usize = 16;
/// Fewer different characters than this are a pattern, whatever their number.
const DIFFERENT: usize = 5;

/// Finds secrets in any notation.
#[derive(Debug)]
pub(super) struct Notations {
    /// Every character counts.
    whole: Finder,
    /// Only letters and digits count.
    bare: Finder,
}

/// How the texts before a text ended, as they are read.
pub(super) type Ending = Zeroizing<Vec<char>>;

impl Notations {
    /// Finds these forms.
    pub(super) fn of(forms: &BTreeSet<String>) -> Option<Self> {
        let (mut whole, mut bare) = (BTreeSet::new(), BTreeSet::new());
        for form in forms {
            let mut letters = Letters::default();
            letters.text(form, 0);
            let read: String = letters.read().iter().map(|letter| letter.c).collect();
            let alone: String = read.chars().filter(|c| c.is_alphanumeric()).collect();
            if read.len() >= Masker::SHORTEST_FORM {
                whole.insert(read);
            }
            if is_seen_through(&alone) {
                bare.insert(alone);
            }
        }
        Some(Self {
            whole: Finder::of(&whole)?,
            bare: Finder::of(&bare)?,
        })
    }

    /// Where forms stand in a text, those included that the texts before it began.
    pub(super) fn find(&self, text: &str, mut ending: Option<&mut Ending>) -> Vec<Range<usize>> {
        let nowhere = |c: &char| Letter {
            c: *c,
            start: 0,
            end: 0,
        };
        let before = ending.as_deref().map(|ending| ending.iter().map(nowhere));
        let mut read: Vec<Letter> = before.into_iter().flatten().collect();
        let (mut found, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let end = text.floor_char_boundary(at + WINDOW);
            let mut letters = Letters::after(read);
            letters.text(&text[at..end], at);
            read = letters.read();
            self.whole.find(&read, |_| true, &mut found);
            self.bare.find(&read, char::is_alphanumeric, &mut found);
            read = self.rest(&read);
            at = end;
        }
        if let Some(ending) = &mut ending {
            **ending = Zeroizing::new(read.iter().map(|letter| letter.c).collect());
        }
        found
    }

    /// What has to be known of what was read to find what began in it.
    fn rest(&self, read: &[Letter]) -> Vec<Letter> {
        let (before, last) = read.split_at(
            read.len()
                .saturating_sub(self.whole.longest + LONGEST_ESCAPE),
        );
        let mut rest: Vec<Letter> = before
            .iter()
            .rev()
            .filter(|letter| letter.c.is_alphanumeric())
            .take(self.bare.longest)
            .copied()
            .collect();
        rest.reverse();
        rest.extend_from_slice(last);
        rest
    }
}

/// Whether letters and digits are so many, and of such kinds, that they are no chance.
fn is_seen_through(alone: &str) -> bool {
    let letters = alone.chars().any(char::is_alphabetic);
    let digits = alone.chars().any(char::is_numeric);
    let least = if letters && digits { MIXED } else { LONG };
    let different: BTreeSet<char> = alone.chars().collect();
    alone.chars().count() >= least && different.len() >= DIFFERENT
}

#[derive(Debug)]
struct Finder {
    forms: AhoCorasick,
    /// The most letters of one form.
    longest: usize,
}

impl Finder {
    fn of(forms: &BTreeSet<String>) -> Option<Self> {
        Some(Self {
            forms: AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(forms)
                .ok()?,
            longest: forms
                .iter()
                .map(|form| form.chars().count())
                .max()
                .unwrap_or(0),
        })
    }

    /// Where forms stand that are written with these letters, of which only some count.
    fn find(&self, read: &[Letter], counts: fn(char) -> bool, found: &mut Vec<Range<usize>>) {
        if self.longest == 0 {
            return;
        }
        let that_count = || read.iter().filter(|letter| counts(letter.c));
        let text: String = that_count().map(|letter| letter.c).collect();
        let (mut letters, mut passed) = (that_count(), 0);
        // The letter that ends at a place of the text, or begins there.
        let mut up_to = |place: usize| {
            let mut last = None;
            while passed < place {
                last = letters.next();
                passed += last.map_or(place, |letter| letter.c.len_utf8());
            }
            last.copied()
        };
        for form in self.forms.find_iter(&text) {
            let _ = up_to(form.start());
            let Some(first) = text[form.range()].chars().next() else {
                continue;
            };
            let first = up_to(form.start() + first.len_utf8());
            let last = up_to(form.end()).or(first);
            if let (Some(first), Some(last)) = (first, last)
                && last.end > 0
            {
                found.push(first.start..last.end);
            }
        }
    }
}
