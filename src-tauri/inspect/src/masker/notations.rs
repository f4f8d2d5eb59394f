//! Secrets in any notation: in capitals, escaped in whatever way, with other characters between
//! their letters, and all of it mixed.
//!
//! Always true here:
//! - the memory that is needed does not grow with the text, but for what is found;
//! - only what nobody writes by chance is found with other characters between: letters and digits
//!   together, at least [`MIXED`] of them, or at least [`LONG`] of one kind.

use super::Masker;
use super::letters::{LONGEST_ESCAPE, Letter, Letters};
use super::outline::{Outlines, ends_escape};
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::BTreeSet;
use std::ops::Range;
use zeroize::Zeroizing;

/// So much is read at a time, in bytes.
const WINDOW: usize = 64 * 1024;
/// A text that is no longer than this is read, whatever is in it, in bytes.
const SHORT: usize = 512;
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
    /// What is left of all of them.
    outlines: Outlines,
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
            outlines: Outlines::of(whole.iter().chain(&bare)),
        })
    }

    /// Where forms stand in a text, those included that the texts before it began.
    pub(super) fn find(&self, text: &str, ending: Option<&mut Ending>) -> Vec<Range<usize>> {
        if text.len() <= SHORT {
            return self.read_short(text, ending);
        }
        let before = ending.as_deref().map_or_else(Vec::new, letters_of);
        if self.outlines.may_stand(&before, text) {
            return self.read(text, ending);
        }
        if let Some(ending) = ending {
            self.keep(text, ending);
        }
        Vec::new()
    }

    /// The same letter by letter.
    pub(super) fn read(&self, text: &str, ending: Option<&mut Ending>) -> Vec<Range<usize>> {
        let mut read: Vec<Letter> = ending.as_deref().map_or_else(Vec::new, letters_of);
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
        if let Some(ending) = ending {
            *ending = Zeroizing::new(read.iter().map(|letter| letter.c).collect());
        }
        found
    }

    /// Reads a text that is short enough to be read at once.
    fn read_short(&self, text: &str, ending: Option<&mut Ending>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if text.is_empty() {
            return found;
        }
        let mut letters = Letters::after(ending.as_deref().map_or_else(Vec::new, letters_of));
        letters.text(text, 0);
        let read = letters.read();
        if self.outlines.may_be_read(&read) {
            self.whole.find(&read, |_| true, &mut found);
            self.bare.find(&read, char::is_alphanumeric, &mut found);
        }
        if let Some(ending) = ending {
            let rest = self.rest(&read);
            *ending = Zeroizing::new(rest.iter().map(|letter| letter.c).collect());
        }
        found
    }

    /// Keeps the end of a text in which nothing stands, as reading all of it would.
    fn keep(&self, text: &str, ending: &mut Ending) {
        let (mut windows, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let end = text.floor_char_boundary(at + WINDOW);
            windows.push(at..end);
            at = end;
        }
        // The last windows that say all of what was before them.
        let known = (0..windows.len())
            .rev()
            .take(2)
            .find_map(|index| Some((index + 1, self.rest_of(&text[windows[index].clone()])?)));
        let (from, mut read) = known.unwrap_or_else(|| (0, letters_of(ending)));
        for window in &windows[from..] {
            let mut letters = Letters::after(read);
            letters.text(&text[window.clone()], window.start);
            read = self.rest(&letters.read());
        }
        *ending = Zeroizing::new(read.iter().map(|letter| letter.c).collect());
    }

    /// What has to be known of what was read, if this text alone is enough for it. Its end is read
    /// from a place on at which no escape goes on.
    fn rest_of(&self, text: &str) -> Option<Vec<Letter>> {
        let enough = self.whole.longest + LONGEST_ESCAPE;
        let mut length = 2 * (enough + self.bare.longest);
        loop {
            let from = text.len().saturating_sub(length);
            let start = text.as_bytes()[from..]
                .iter()
                .position(|byte| ends_escape(*byte));
            if let Some(start) = start {
                let mut letters = Letters::default();
                letters.text(&text[from + start..], from + start);
                let read = letters.read();
                let before = &read[..read.len().saturating_sub(enough)];
                let bare = before.iter().filter(|letter| letter.c.is_alphanumeric());
                if read.len() >= enough && bare.count() >= self.bare.longest {
                    return Some(self.rest(&read));
                }
            }
            if from == 0 {
                return None;
            }
            length *= 4;
        }
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

/// What was read of the texts before.
fn letters_of(ending: &Ending) -> Vec<Letter> {
    let nowhere = |c: &char| Letter {
        c: *c,
        start: 0,
        end: 0,
    };
    ending.iter().map(nowhere).collect()
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
