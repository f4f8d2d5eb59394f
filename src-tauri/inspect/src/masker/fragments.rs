//! Pieces of a secret: what was cut off, and what was split over two texts.
//!
//! A piece that is most of a secret is covered wherever it stands. A smaller beginning is only
//! remembered: it may be a word like any other. When the next text brings the rest, the rest is
//! covered, so that never all of a secret is readable.

use super::Masker;
use super::notations::Ending;
use aho_corasick::AhoCorasick;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use zeroize::Zeroizing;

/// What one conversation remembers from text to text: which forms have begun and how far, and how
/// the last text ended. Make a new one with a new [`Masker`].
#[derive(Clone, Default)]
#[cfg_attr(test, derive(PartialEq))]
pub struct StreamMask {
    /// Form and length, the latest last.
    begun: Vec<(usize, usize)>,
    /// The end of the last text as it came, no longer than the longest form.
    tail: Zeroizing<String>,
    /// The same as it is read in any notation.
    pub(super) ending: Ending,
}

impl fmt::Debug for StreamMask {
    /// The tail can be half of a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamMask")
            .field("begun", &self.begun.len())
            .finish_non_exhaustive()
    }
}

impl StreamMask {
    /// The most beginnings that are remembered.
    const MOST: usize = 64;

    fn remember(&mut self, begun: (usize, usize)) {
        self.begun.retain(|other| *other != begun);
        if self.begun.len() == Self::MOST {
            self.begun.remove(0);
        }
        self.begun.push(begun);
    }

    /// How far into this text what the last one began goes on, if the two are put together.
    pub(super) fn goes_on(
        &self,
        text: &str,
        longest: usize,
        finder: &AhoCorasick,
        is_plausible: impl Fn(&str) -> bool,
    ) -> Option<Range<usize>> {
        if self.tail.is_empty() {
            return None;
        }
        let head = &text[..text.floor_char_boundary(longest)];
        let joined = Zeroizing::new(format!("{}{head}", *self.tail));
        if !is_plausible(&joined) {
            return None;
        }
        let middle = self.tail.len();
        finder
            .find_iter(joined.as_str())
            .find(|found| found.start() < middle && found.end() > middle)
            .map(|found| 0..found.end() - middle)
    }

    /// Keeps the end of a text for the next one.
    pub(super) fn keep(&mut self, text: &str, longest: usize) {
        // What is longer than all of them leaves nothing of the texts before.
        let end = &text[text.floor_char_boundary(text.len().saturating_sub(longest))..];
        if end.len() >= longest {
            self.tail.clear();
        }
        self.tail.push_str(end);
        let from = self
            .tail
            .ceil_char_boundary(self.tail.len().saturating_sub(longest));
        self.tail = Zeroizing::new(self.tail[from..].to_owned());
    }
}

/// Finds pieces of forms.
#[derive(Debug)]
pub(super) struct Fragments {
    forms: Vec<String>,
    /// The first bytes of forms, and the forms that begin so.
    starts: Edges,
    /// The last bytes of forms, and the forms that end so.
    ends: Edges,
}

#[derive(Debug)]
struct Edges {
    finder: AhoCorasick,
    forms: Vec<Vec<usize>>,
}

/// The most places in one text that are looked at for pieces; a text that exceeds it repeats one
/// beginning on purpose.
const MOST_PLACES: usize = 20_000;

impl Fragments {
    pub fn of(forms: BTreeSet<String>) -> Option<Self> {
        // A shorter form cut short is too little to be told from chance.
        let forms: Vec<String> = forms
            .into_iter()
            .filter(|form| form.len() > Masker::SHORTEST_FORM)
            .collect();
        let starts = Edges::of(&forms, |form| &form[..Masker::SHORTEST_FORM])?;
        let ends = Edges::of(&forms, |form| &form[form.len() - Masker::SHORTEST_FORM..])?;
        Some(Self {
            forms,
            starts,
            ends,
        })
    }

    /// Where pieces stand that are covered: most of a form, a form that the text breaks off in, and
    /// the rest of a form that an earlier text began. Beginnings are remembered. `has_edges` says
    /// whether any form begins or ends in the text.
    pub fn find(
        &self,
        text: &str,
        has_edges: bool,
        stream_mask: Option<&mut StreamMask>,
    ) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut fresh = Vec::new();
        let end = text.trim_end_matches(['…', '\u{fffd}']).len();
        let searched = if has_edges { text } else { "" };
        for (form, at) in self.starts.places(searched) {
            let form_text = &self.forms[form];
            let length = common_start(form_text, &text[..end], at.start);
            if length < Masker::SHORTEST_FORM {
                continue;
            }
            if at.start + length == end || length >= most(form_text) {
                found.push(at.start..at.start + length);
            }
            if length < form_text.len() {
                fresh.push((form, length));
            }
        }
        for (form, at) in self.ends.places(searched) {
            let length = common_end(&self.forms[form], &text[..at.end]);
            if length >= most(&self.forms[form]) {
                found.push(at.end - length..at.end);
            }
        }
        if let Some(stream_mask) = stream_mask {
            for (form, length) in &stream_mask.begun {
                let rest = self
                    .forms
                    .get(*form)
                    .and_then(|form| form.get(*length..))
                    .unwrap_or_default();
                // A longer rest ends with the end of its form.
                if rest.len() >= Masker::SHORTEST
                    && (has_edges || rest.len() < Masker::SHORTEST_FORM)
                {
                    found.extend(
                        text.match_indices(rest)
                            .map(|(at, rest)| at..at + rest.len()),
                    );
                }
            }
            fresh
                .into_iter()
                .for_each(|begun| stream_mask.remember(begun));
        }
        found
    }
}

/// How much of a form is most of it: three fifths, and never a short word.
fn most(form: &str) -> usize {
    (form.len() * 3 / 5).max(8)
}

impl Edges {
    fn of(forms: &[String], edge: impl Fn(&[u8]) -> &[u8]) -> Option<Self> {
        let mut edges: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        for (index, form) in forms.iter().enumerate() {
            edges
                .entry(edge(form.as_bytes()).to_vec())
                .or_default()
                .push(index);
        }
        Some(Self {
            finder: AhoCorasick::new(edges.keys()).ok()?,
            forms: edges.into_values().collect(),
        })
    }

    fn places<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        let each = |found: aho_corasick::Match| {
            self.forms[found.pattern().as_usize()]
                .iter()
                .map(move |form| (*form, found.range()))
        };
        self.finder
            .find_overlapping_iter(text)
            .flat_map(each)
            .take(MOST_PLACES)
    }
}

/// How many bytes of the form's beginning stand in the text at a place, in whole characters.
fn common_start(form: &str, text: &str, at: usize) -> usize {
    let Some(text) = text.as_bytes().get(at..) else {
        return 0;
    };
    let length = form.bytes().zip(text).take_while(|(a, b)| a == *b).count();
    form.floor_char_boundary(length)
}

/// How many bytes of the form's end stand at the end of the text, in whole characters.
fn common_end(form: &str, text: &str) -> usize {
    let length = form
        .bytes()
        .rev()
        .zip(text.bytes().rev())
        .take_while(|(a, b)| a == b)
        .count();
    form.len() - form.ceil_char_boundary(form.len() - length)
}
