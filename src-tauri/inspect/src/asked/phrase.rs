//! A phrase of the lexicon, and where it stands among words.
//!
//! Always true here: a phrase is found however its letters are spread over words ("p a s s", "pas
//! sword"), as long as it begins with a word and ends with one; but two short words that happen to
//! make one ("to Ken") are two words.

use super::SecretKind;
use super::lexicon::{ENGLISH, OTHER};
use super::words::{One, Word, letter};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A phrase that is shorter is spread over single letters only.
const SHORT: usize = 5;
/// Of a phrase that is as long, two pieces are enough to know it.
const LONG: usize = 8;

/// One phrase.
#[derive(Debug)]
pub(super) struct Phrase {
    /// Its letters, without the spaces.
    solid: String,
    /// After how many bytes there was a space.
    cuts: Vec<usize>,
    /// Whether a word may go on behind it.
    is_open: bool,
    /// Whether a word may begin before it; such a phrase is one word.
    is_inside: bool,
    pub kind: SecretKind,
    pub is_english: bool,
}

/// Where a phrase stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The first word behind it.
    pub end: usize,
    /// Whether it stands in the plural.
    pub is_plural: bool,
}

impl Phrase {
    fn of(written: &str, kind: SecretKind, is_english: bool) -> Self {
        let (mut solid, mut cuts) = (String::new(), Vec::new());
        let bare = written.trim_matches('*');
        for word in super::words::words_of(bare, One::L) {
            if !solid.is_empty() {
                cuts.push(solid.len());
            }
            solid.push_str(&word.text);
        }
        Self {
            solid,
            cuts,
            is_open: written.ends_with('*'),
            is_inside: written.starts_with('*'),
            kind,
            is_english,
        }
    }

    /// Whether it is the word that models are measured by, too.
    pub(super) fn is_token(&self) -> bool {
        self.solid == "token"
    }

    /// Whether the phrase stands there, and up to where.
    fn stands_at(&self, words: &[Word], at: usize, one: One) -> Option<Place> {
        if self.is_inside {
            let is_there = words[at].text.contains(&self.solid);
            return is_there.then_some(Place {
                end: at + 1,
                is_plural: false,
            });
        }
        let (mut taken, mut end, mut inside, mut single) = (0, at, 0, true);
        let mut is_plural = false;
        while taken < self.solid.len() {
            let word = words.get(end)?;
            let mut digit = [0; 4];
            let text = match word.text.as_bytes() {
                // A digit alone is no letter, but between letters it is.
                [byte] if byte.is_ascii_digit() => {
                    &*letter(char::from(*byte), one).encode_utf8(&mut digit)
                }
                _ => word.text.as_str(),
            };
            let rest = &self.solid[taken..];
            if rest.starts_with(text) {
                taken += text.len();
                let at_cut = taken == self.solid.len() || self.cuts.contains(&taken);
                inside += usize::from(!at_cut);
            } else {
                let more = text.strip_prefix(rest)?;
                // Several tokens alone are what a model counts.
                is_plural = more == "s" && !self.is_token();
                if !is_plural && !self.is_open {
                    return None;
                }
                taken = self.solid.len();
            }
            single &= text.chars().nth(1).is_none();
            end += 1;
        }
        let pieces = end - at;
        let is_known = inside == 0
            || single && pieces > 2
            || self.solid.len() >= LONG
            || self.solid.len() >= SHORT && pieces > 2;
        // "p a s s w o r d s"
        if is_known && inside > 0 && words.get(end).is_some_and(|word| word.text == "s") {
            end += 1;
            is_plural = true;
        }
        is_known.then_some(Place { end, is_plural })
    }
}

/// The first phrase that stands there, and up to where.
pub(super) fn phrase_at(words: &[Word], at: usize, one: One) -> Option<(&'static Phrase, Place)> {
    let first = words[at].text.chars().next()?;
    let begin = [first, letter(first, one)];
    let distinct = if begin[0] == begin[1] { 1 } else { 2 };
    let own = begin[..distinct]
        .iter()
        .filter_map(|first| PHRASES.by_letter.get(first))
        .flatten();
    own.chain(&PHRASES.inside)
        .map(|number| &PHRASES.all[*number])
        .find_map(|phrase| Some((phrase, phrase.stands_at(words, at, one)?)))
}

struct Phrases {
    all: Vec<Phrase>,
    /// Those that begin with a letter, in the order of the lexicon.
    by_letter: HashMap<char, Vec<usize>>,
    /// Those that stand within words.
    inside: Vec<usize>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let other = OTHER
        .iter()
        .flat_map(|(kind, written)| written.split('|').map(|one| Phrase::of(one, *kind, false)));
    let english = ENGLISH
        .iter()
        .map(|(written, kind)| Phrase::of(written, *kind, true));
    let all: Vec<Phrase> = english.chain(other).collect();
    let mut by_letter: HashMap<char, Vec<usize>> = HashMap::new();
    let mut inside = Vec::new();
    for (number, phrase) in all.iter().enumerate() {
        match phrase.solid.chars().next() {
            Some(_) if phrase.is_inside => inside.push(number),
            Some(first) => by_letter.entry(first).or_default().push(number),
            None => {}
        }
    }
    Phrases {
        all,
        by_letter,
        inside,
    }
});

#[cfg(test)]
mod tests {
    use super::super::words::words_of;
    use super::*;

    fn found(said: &str) -> bool {
        let words = words_of(said, One::L);
        (0..words.len()).any(|at| phrase_at(&words, at, One::L).is_some())
    }

    #[test]
    fn letters_that_are_spread_are_still_a_word() {
        for said in [
            "p a s s w o r d",
            "P.A.S.S.W.O.R.D",
            "p_a_s_s_w_o_r_d",
            "pas sword",
            "pa ss wo rd",
            "p 4 s s w 0 r d s",
            "c-v-v",
            "o t p",
            "a p i k e y",
            "onetime code",
            "pAsSwOrD",
            "s e c r e t",
        ] {
            assert!(found(said), "{said}");
        }
        for said in [
            "send to Ken",
            "compass wording",
            "a pin is",
            "ap is",
            "so cv vs",
        ] {
            assert!(!found(said), "{said}");
        }
    }

    #[test]
    fn no_phrase_is_empty() {
        assert!(PHRASES.all.iter().all(|phrase| phrase.solid.len() > 1));
    }
}
