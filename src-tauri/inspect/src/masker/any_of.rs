//! Whether any of some strings of bytes stands in a text. One scan for all of them, which looks at
//! the fewer places the longer the shortest of them is.

use crate::grams::{Grams, rarest_row, step};
use std::collections::BTreeSet;

/// So many bytes are looked at together; a string that is shorter is never found.
const GRAM: usize = 4;

/// The strings.
#[derive(Debug)]
pub(super) struct AnyOf {
    /// With the number of the string, and where the gram begins in it.
    grams: Grams<(usize, usize), GRAM, { 1 << 13 }>,
    strings: Vec<Vec<u8>>,
}

impl AnyOf {
    /// A scan for these.
    pub(super) fn of(strings: BTreeSet<Vec<u8>>) -> Self {
        let strings: Vec<Vec<u8>> = strings.into_iter().collect();
        let shortest = strings.iter().map(Vec::len).min().unwrap_or_default();
        let step = step::<GRAM>(shortest);
        let of = |(index, string): (usize, &Vec<u8>)| {
            let row = rarest_row(step, string).into_iter();
            row.map(move |(from, gram)| (gram, (index, from)))
        };
        Self {
            grams: Grams::at_each(step, strings.iter().enumerate().flat_map(of)),
            strings,
        }
    }

    /// Whether one of them stands in a text.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        self.grams.any(text, |at, (string, from)| {
            at.checked_sub(from)
                .is_some_and(|start| text[start..].starts_with(&self.strings[string]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn one_that_stands_anywhere_is_found(
            text in "[abé]{0,60}",
            strings in proptest::collection::btree_set("[ab]{4,14}", 0..4),
        ) {
            let any_of = AnyOf::of(strings.iter().map(|string| string.clone().into_bytes()).collect());
            let stands = strings.iter().any(|string| text.contains(string.as_str()));
            prop_assert_eq!(any_of.is_in(text.as_bytes()), stands);
        }
    }
}
