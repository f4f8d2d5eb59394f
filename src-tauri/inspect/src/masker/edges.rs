//! Whether a text can hold any form of a secret, or most of one, as it is written: each begins or
//! ends with bytes that are looked for in one scan.

use super::Masker;
use super::any_of::AnyOf;
use std::collections::BTreeSet;

/// The beginnings and ends of forms.
#[derive(Debug)]
pub(super) struct Edges(AnyOf);

impl Edges {
    pub(super) fn of(forms: &BTreeSet<String>) -> Self {
        let mut edges: BTreeSet<Vec<u8>> = BTreeSet::new();
        for form in forms {
            let length = form.len().min(Masker::SHORTEST_FORM);
            edges.insert(form.as_bytes()[..length].to_vec());
            edges.insert(form.as_bytes()[form.len() - length..].to_vec());
        }
        Self(AnyOf::of(edges))
    }

    /// Whether an edge stands in a text. No form is shorter than what is looked at together.
    pub(super) fn any_in(&self, text: &str) -> bool {
        self.0.is_in(text.as_bytes())
    }
}
