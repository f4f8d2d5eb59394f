//! Covers values of secrets that this host holds, wherever a text carries them.
//!
//! A value is found as it is, and as JSON, URL, hexadecimal and Base64 (at any of the three
//! alignments) write it, and reversed; of a value with several lines each longer line counts by
//! itself. Each of these is found in capitals, escaped otherwise and with other characters between,
//! too (`notations.rs`). What was cut off in the middle of a value, as long lines are, is covered as
//! far as it goes, and so is what was split over two texts of a conversation (`fragments.rs`).

mod any_of;
mod edges;
mod forms;
mod fragments;
mod letters;
mod notations;
#[cfg(test)]
mod notations_test;
mod outline;

use crate::{Finding, FindingKind, Severity};
use aho_corasick::{AhoCorasick, MatchKind};
use edges::Edges;
use fragments::Fragments;
pub use fragments::StreamMask;
use notations::Notations;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::ops::Range;

/// What stands in the place of a secret.
pub const MASK: &str = "•••";

/// Finds held secrets in texts. Build a new one when the set of held secrets changes.
#[derive(Debug, Default)]
pub struct Masker {
    finder: Option<AhoCorasick>,
    /// The length of the longest form, in bytes.
    longest: usize,
    edges: Option<Edges>,
    notations: Option<Notations>,
    fragments: Option<Fragments>,
}

impl Masker {
    /// A value shorter than this, in bytes, cannot be covered: it would be found everywhere.
    pub const SHORTEST: usize = 4;
    /// The shortest encoded form or line of a secret that is searched for, in bytes.
    const SHORTEST_FORM: usize = 6;

    /// A masker for these values.
    pub fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut forms = BTreeSet::new();
        for value in values {
            forms::add_forms(value, &mut forms);
        }
        if forms.is_empty() {
            return Self::default();
        }
        // Longest first, or a form that begins another would leave the rest of it readable.
        let finder = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&forms)
            .ok();
        let longest = forms.iter().map(String::len).max().unwrap_or_default();
        Self {
            finder,
            longest,
            edges: Some(Edges::of(&forms)),
            notations: Notations::of(&forms),
            fragments: Fragments::of(forms),
        }
    }

    /// Where secrets and pieces of them stand in a text, in order and apart. With a mask, what the
    /// texts before it began counts too.
    pub fn find(&self, text: &str, mut stream_mask: Option<&mut StreamMask>) -> Vec<Range<usize>> {
        let (Some(finder), Some(edges)) = (&self.finder, &self.edges) else {
            return Vec::new();
        };
        let has_edges = edges.any_in(text);
        let mut found: Vec<Range<usize>> = Vec::new();
        if has_edges {
            found.extend(finder.find_iter(text).map(|found| found.range()));
        }
        if let Some(stream_mask) = &mut stream_mask {
            let is_plausible = |joined: &str| edges.any_in(joined);
            found.extend(stream_mask.goes_on(text, self.longest, finder, is_plausible));
            stream_mask.keep(text, self.longest);
        }
        if let Some(notations) = &self.notations {
            let ending = stream_mask
                .as_mut()
                .map(|stream_mask| &mut stream_mask.ending);
            found.extend(notations.find(text, ending));
        }
        if let Some(fragments) = &self.fragments {
            found.extend(fragments.find(text, has_edges, stream_mask));
        }
        together(found)
    }

    /// A finding for each secret in a text. What is shown of it is the mask.
    pub fn findings(&self, text: &str) -> Vec<Finding> {
        let finding = |range| {
            Finding::of(FindingKind::HeldSecret, Severity::Critical, text, range).showing(MASK)
        };
        self.find(text, None).into_iter().map(finding).collect()
    }

    /// The text with secrets covered; `None` when there were none.
    pub fn mask(&self, text: &str) -> Option<String> {
        covered(text, &self.find(text, None))
    }

    /// The text with secrets covered.
    pub fn masked(&self, text: String) -> String {
        self.mask(&text).unwrap_or(text)
    }

    /// Covers secrets in the next text of a conversation, those included that the texts before it
    /// began. Says whether there were any.
    pub fn mask_next(&self, text: &mut String, stream_mask: &mut StreamMask) -> bool {
        match covered(text, &self.find(text, Some(stream_mask))) {
            Some(masked) => {
                *text = masked;
                true
            }
            None => false,
        }
    }

    /// Covers secrets in a text. Says whether there were any.
    pub fn mask_text(&self, text: &mut String) -> bool {
        self.mask_next(text, &mut StreamMask::default())
    }

    /// Covers secrets in every text of a JSON value, names of fields included. Says whether there
    /// were any.
    pub fn mask_value(&self, value: &mut Value) -> bool {
        self.mask_next_value(value, &mut StreamMask::default())
    }

    /// Covers secrets in the next JSON value of a conversation. Says whether there were any.
    pub fn mask_next_value(&self, value: &mut Value, stream_mask: &mut StreamMask) -> bool {
        if self.finder.is_none() {
            return false;
        }
        match value {
            Value::String(text) => self.mask_next(text, stream_mask),
            Value::Array(items) => items.iter_mut().fold(false, |found, item| {
                self.mask_next_value(item, stream_mask) | found
            }),
            Value::Object(map) => self.mask_next_map(map, stream_mask),
            Value::Number(number) => {
                let mut text = number.to_string();
                let found = self.mask_next(&mut text, stream_mask);
                if found {
                    *value = Value::String(text);
                }
                found
            }
            Value::Null | Value::Bool(_) => false,
        }
    }

    /// Covers secrets in the fields of a JSON object. Says whether there were any.
    pub fn mask_map(&self, map: &mut Map<String, Value>) -> bool {
        self.mask_next_map(map, &mut StreamMask::default())
    }

    /// Covers secrets in the fields of the next JSON object of a conversation. Says whether there
    /// were any.
    pub fn mask_next_map(
        &self,
        map: &mut Map<String, Value>,
        stream_mask: &mut StreamMask,
    ) -> bool {
        let mut found = false;
        if map.keys().any(|key| self.mask(key).is_some()) {
            found = true;
            *map = std::mem::take(map)
                .into_iter()
                .map(|(key, item)| (self.masked(key), item))
                .collect();
        }
        map.values_mut().fold(found, |found, item| {
            self.mask_next_value(item, stream_mask) | found
        })
    }
}

/// The ranges in order, and what overlaps as one.
fn together(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|range| (range.start, range.end));
    found.dedup_by(|next, before| {
        let together = next.start < before.end;
        if together {
            before.end = before.end.max(next.end);
        }
        together
    });
    found
}

/// The text with ranges of it covered.
fn covered(text: &str, ranges: &[Range<usize>]) -> Option<String> {
    if ranges.is_empty() {
        return None;
    }
    let mut masked = String::with_capacity(text.len());
    let mut end = 0;
    for range in ranges {
        masked.push_str(&text[end..range.start]);
        masked.push_str(MASK);
        end = range.end;
    }
    masked.push_str(&text[end..]);
    Some(masked)
}

#[cfg(test)]
impl Masker {
    /// The same as [`Masker::find`] without any short cut: slow, and obviously right.
    pub(crate) fn reference(&self, text: &str, stream_mask: &mut StreamMask) -> Vec<Range<usize>> {
        let Some(finder) = &self.finder else {
            return Vec::new();
        };
        let mut found: Vec<Range<usize>> =
            finder.find_iter(text).map(|found| found.range()).collect();
        found.extend(stream_mask.goes_on(text, self.longest, finder, |_| true));
        stream_mask.keep(text, self.longest);
        if let Some(notations) = &self.notations {
            found.extend(notations.read(text, Some(&mut stream_mask.ending)));
        }
        if let Some(fragments) = &self.fragments {
            found.extend(fragments.find(text, true, Some(stream_mask)));
        }
        together(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
    use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
    use serde_json::json;

    const SECRET: &str = "pl4nted/s3cret+value\"1";

    #[test]
    fn a_held_secret_is_covered_in_every_form() {
        let masker = Masker::new([SECRET]);
        let forms = [
            SECRET.to_owned(),
            json!({ "t": SECRET }).to_string(),
            utf8_percent_encode(SECRET, NON_ALPHANUMERIC).to_string(),
            SECRET.chars().rev().collect(),
            SECRET.bytes().map(|b| format!("{b:02x}")).collect(),
            SECRET.bytes().map(|b| format!("{b:02X}")).collect(),
            STANDARD.encode(SECRET),
            STANDARD.encode(format!("a{SECRET}tail")),
            STANDARD.encode(format!("ab{SECRET}tail")),
            URL_SAFE_NO_PAD.encode(format!("abc{SECRET}")),
        ];
        for form in forms {
            let text = format!("before {form} after");
            let masked = masker
                .mask(&text)
                .unwrap_or_else(|| panic!("not found: {text}"));
            assert!(!masked.contains(&form) && masked.contains(MASK), "{masked}");
        }
    }

    #[test]
    fn every_line_of_a_long_secret_is_covered() {
        let masker =
            Masker::new(["-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END KEY-----"]);
        assert!(masker.mask("stderr: MIIEvQIBADANBgkqhkiG9w0").is_some());
    }

    #[test]
    fn json_is_covered_in_keys_and_values_and_otherwise_left_alone() {
        let masker = Masker::new(["s3cret!", "12345678"]);
        let mut value = json!({"s3cret!": ["x s3cret! y", 12345678, 5], "plain": null});
        assert!(masker.mask_value(&mut value));
        assert_eq!(value, json!({"•••": ["x ••• y", "•••", 5], "plain": null}));
        let mut plain = json!({"a": "nothing"});
        assert!(!masker.mask_value(&mut plain));
        assert_eq!(plain, json!({"a": "nothing"}));
    }

    #[test]
    fn a_secret_that_was_cut_off_is_covered_as_far_as_it_goes() {
        let masker = Masker::new([SECRET]);
        for length in 6..SECRET.len() {
            for end in ["", "…", "\u{fffd}"] {
                let cut = format!("long {}{end}", &SECRET[..length]);
                assert_eq!(masker.mask(&cut), Some(format!("long •••{end}")), "{cut}");
            }
        }
        assert_eq!(
            masker
                .mask(&format!("{SECRET} and {}", &SECRET[..9]))
                .as_deref(),
            Some("••• and •••")
        );
        assert_eq!(masker.mask("pl4nted is a word, and so is pl4nt"), None);
    }

    #[test]
    fn a_secret_that_is_split_over_two_texts_is_never_readable_as_a_whole() {
        let masker = Masker::new([SECRET]);
        for form in [
            SECRET.to_owned(),
            STANDARD.encode(SECRET),
            SECRET.bytes().map(|b| format!("{b:02x}")).collect(),
        ] {
            for at in 1..form.len() {
                let mut stream_mask = StreamMask::default();
                let (mut first, mut second) = (
                    format!("first half: {} and so on", &form[..at]),
                    format!("the rest is {}, done", &form[at..]),
                );
                masker.mask_next(&mut first, &mut stream_mask);
                masker.mask_next(&mut second, &mut stream_mask);
                assert!(
                    !first.contains(&form[..at]) || !second.contains(&form[at..]),
                    "{first} | {second}"
                );
            }
        }
    }

    #[test]
    fn an_ordinary_word_at_the_beginning_of_a_secret_is_left_alone() {
        let masker = Masker::new(["password-of-the-house-1877"]);
        assert_eq!(masker.mask("the password is asked for"), None);
    }

    #[test]
    fn without_secrets_nothing_is_touched() {
        assert_eq!(Masker::default().mask("anything"), None);
        assert_eq!(Masker::new(["abc"]).mask("abc"), None);
    }
}
