//! Whether a text can hold any form of a secret, or most of one, as it is written: each begins or
//! ends with bytes that are looked for in one scan.

use super::Masker;
use crate::grams::{Grams, rarest};
use std::collections::BTreeSet;

/// The beginnings and ends of forms.
#[derive(Debug)]
pub(super) struct Edges {
    grams: Grams<(usize, usize), 4, { 1 << 15 }>,
    edges: Vec<Vec<u8>>,
}

impl Edges {
    pub(super) fn of(forms: &BTreeSet<String>) -> Self {
        let mut edges: BTreeSet<&[u8]> = BTreeSet::new();
        for form in forms {
            let length = form.len().min(Masker::SHORTEST_FORM);
            edges.insert(&form.as_bytes()[..length]);
            edges.insert(&form.as_bytes()[form.len() - length..]);
        }
        let edges: Vec<Vec<u8>> = edges.into_iter().map(<[u8]>::to_vec).collect();
        let of = |(index, edge): (usize, &Vec<u8>)| {
            let (from, gram) = rarest(edge)?;
            Some((gram, (index, from)))
        };
        Self {
            grams: Grams::of(edges.iter().enumerate().filter_map(of)),
            edges,
        }
    }

    /// Whether an edge stands in a text. No form is shorter than a gram.
    pub(super) fn any_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        self.grams.any(bytes, |at, (edge, from)| {
            at.checked_sub(from)
                .is_some_and(|start| bytes[start..].starts_with(&self.edges[edge]))
        })
    }
}
