//! One scan of a text for the words of credentials, the names of places and what is active: where it
//! says that there is nothing, no finder of these has to look.

use crate::credentials::{self, Led};
use crate::grams::{Grams, rarest};
use crate::{markup, targets};
use std::sync::LazyLock;

/// What a text may hold.
#[derive(Debug, Default)]
pub(crate) struct Spots {
    /// The rules that may find a credential, each with the places in their order where one or the
    /// word that leads to it may stand.
    pub credentials: Vec<(usize, Vec<usize>)>,
    /// Whether the name of a place stands in it.
    pub has_target: bool,
    /// Whether something stands in it that is active, or a link that leads out.
    pub has_active: bool,
}

#[derive(Debug, Clone, Copy)]
enum Spot {
    Credential(Led),
    /// The name, and where the gram begins in it.
    Target(&'static str, usize),
    Active(&'static str, usize),
}

static GRAMS: LazyLock<Grams<Spot, 3, { 1 << 13 }>> = LazyLock::new(|| {
    fn of(word: &'static str, spot: fn(&'static str, usize) -> Spot) -> Option<([u8; 3], Spot)> {
        let (from, gram) = rarest(word.as_bytes())?;
        Some((gram, spot(word, from)))
    }
    let targets = targets::PLACES
        .iter()
        .filter_map(|word| of(word, Spot::Target));
    let active = markup::words().filter_map(|word| of(word, Spot::Active));
    let credentials = credentials::grams().map(|(gram, led)| (gram, Spot::Credential(led)));
    Grams::of(credentials.chain(targets).chain(active))
});

impl Spots {
    /// Those of a text.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut spots = Self::default();
        GRAMS.each(bytes, |at, spot| match spot {
            Spot::Credential(led) => spots.add(led.place(bytes, at)),
            Spot::Target(word, from) => spots.has_target |= stands(bytes, at, word, from),
            Spot::Active(word, from) => spots.has_active |= stands(bytes, at, word, from),
        });
        spots
    }

    fn add(&mut self, found: Option<(usize, usize)>) {
        let Some((rule, place)) = found else {
            return;
        };
        match self
            .credentials
            .iter_mut()
            .find(|(other, _)| *other == rule)
        {
            Some((_, places)) => places.push(place),
            None => self.credentials.push((rule, vec![place])),
        }
    }
}

/// Whether a word stands there, in large or small letters.
fn stands(bytes: &[u8], at: usize, word: &str, from: usize) -> bool {
    at.checked_sub(from)
        .and_then(|start| bytes.get(start..start + word.len()))
        .is_some_and(|there| there.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_word_is_a_spot_however_large_its_letters_are() {
        for place in targets::PLACES {
            assert!(
                Spots::of(&format!("( {} )", place.to_uppercase())).has_target,
                "{place}"
            );
        }
        for word in markup::words() {
            assert!(
                Spots::of(&format!("( {} )", word.to_uppercase())).has_active,
                "{word}"
            );
        }
    }
}
