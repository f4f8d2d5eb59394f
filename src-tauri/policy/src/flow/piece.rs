//! One piece of a result, and a value, in the forms in which the one is looked for in the other.

use super::filter::{Filter, Grams};
use super::lexicon::{Act, acts_in};
use super::prompt_injection::passages;
use super::text::{plain, squeezed, words};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// How many words in a row are a copy and not a turn of phrase.
pub(crate) const COPIED_WORDS: usize = 6;
/// Shortest value that is looked for without its spaces, in bytes: shorter ones would be found
/// anywhere.
const SHORTEST_SQUEEZED: usize = 8;
/// What a piece takes beside its text, roughly, in bytes.
const OVERHEAD: usize = 256;

/// Whether the person pointed at something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pointed {
    /// No.
    Elsewhere,
    /// At the folder that it lies in.
    Near,
    /// At it: they named the file, or spoke of who wrote it.
    At,
}

/// A value in the forms in which it is compared.
#[derive(Debug, Clone)]
pub(crate) struct Spelled {
    plain: String,
    /// Without its spaces, where it is long enough to be looked for so.
    squeezed: Option<String>,
}

/// A value that is looked for in many texts, with what tells that one does not hold it.
#[derive(Debug, Clone)]
pub(crate) struct Needle {
    spelled: Spelled,
    words: Grams,
    squeezed: Option<Grams>,
}

impl Spelled {
    /// Nothing for a value without letters and digits: it cannot be told from any other.
    pub fn of(value: &str) -> Option<Self> {
        let plain = plain(value);
        let tight = squeezed(&plain);
        if tight.is_empty() {
            return None;
        }
        let squeezed = (tight.len() >= SHORTEST_SQUEEZED).then_some(tight);
        Some(Self { plain, squeezed })
    }

    /// Whether a text holds it, given in both forms.
    pub fn is_in(&self, plain: &str, squeezed: &str) -> bool {
        plain.contains(&self.plain)
            || self
                .squeezed
                .as_ref()
                .is_some_and(|tight| squeezed.contains(tight.as_str()))
    }
}

impl Needle {
    /// Nothing for a value without letters and digits: it cannot be told from any other.
    pub fn of(value: &str) -> Option<Self> {
        let spelled = Spelled::of(value)?;
        Some(Self {
            words: Grams::of_words(&spelled.plain),
            squeezed: spelled.squeezed.as_deref().map(Grams::of_squeezed),
            spelled,
        })
    }

    /// Whether texts may hold it word by word, and in whatever spacing.
    pub fn may_be_in(&self, filter: &Filter) -> (bool, bool) {
        let squeezed = self
            .squeezed
            .as_ref()
            .is_some_and(|marks| filter.may_hold(marks));
        (filter.may_hold(&self.words), squeezed)
    }
}

/// A text that a tool said.
#[derive(Debug)]
pub(crate) struct Piece {
    /// Whether the person pointed at it.
    pub pointed: Pointed,
    plain: String,
    /// What of it speaks to the model, in both forms.
    passages: Vec<(String, String)>,
    /// The acts that those passages name.
    acts: Vec<Act>,
}

impl Piece {
    /// Takes a text in its form for comparing; `cues`: words that speak to the model, which it may
    /// hold.
    pub fn of(plain: String, pointed: Pointed, cues: &[&str]) -> Self {
        let passages: Vec<(String, String)> = passages(&plain, cues)
            .into_iter()
            .map(|range| {
                let passage = format!(" {} ", plain[range].trim());
                let tight = squeezed(&passage);
                (passage, tight)
            })
            .collect();
        let said: BTreeSet<&str> = passages
            .iter()
            .flat_map(|(passage, _)| words(passage))
            .collect();
        let acts = acts_in(said);
        Self {
            pointed,
            plain,
            passages,
            acts,
        }
    }

    /// How much room it takes, in bytes.
    pub fn size(&self) -> usize {
        let passages: usize = self
            .passages
            .iter()
            .map(|(plain, squeezed)| plain.len() + squeezed.len())
            .sum();
        OVERHEAD + self.plain.len() + passages
    }

    /// Whether any of it speaks to the model.
    pub fn has_prompt_injection(&self) -> bool {
        !self.passages.is_empty()
    }

    /// The acts that passages which speak to the model name.
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// How long its text is, in bytes.
    pub fn length(&self) -> usize {
        self.plain.len()
    }

    /// Notes what it is made of.
    pub fn note_in(&self, filter: &mut Filter) {
        filter.note(&self.plain);
    }

    /// Whether it holds a value word by word.
    pub fn holds_words(&self, needle: &Needle) -> bool {
        self.plain.contains(&needle.spelled.plain)
    }

    /// Whether it holds a value in whatever spacing.
    pub fn holds_squeezed(&self, needle: &Needle) -> bool {
        let tight = needle.spelled.squeezed.as_deref();
        tight.is_some_and(|tight| squeezed(&self.plain).contains(tight))
    }

    /// Whether a passage that speaks to the model holds a value.
    pub fn holds_in_passage(&self, needle: &Needle) -> bool {
        self.passages
            .iter()
            .any(|(plain, squeezed)| needle.spelled.is_in(plain, squeezed))
    }

    /// Every run of words of the passages, as a number.
    pub fn runs(&self) -> impl Iterator<Item = u64> {
        self.passages.iter().flat_map(|(passage, _)| {
            let all: Vec<&str> = words(passage).collect();
            all.windows(COPIED_WORDS).map(hash).collect::<Vec<_>>()
        })
    }

    /// Every word, as a number.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        words(&self.plain).map(|word| hash(&[word]))
    }
}

/// The number under which a run of words is noted. The same on every machine: what is asked must
/// not depend on chance.
pub(crate) fn hash(run: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    run.hash(&mut hasher);
    hasher.finish()
}
