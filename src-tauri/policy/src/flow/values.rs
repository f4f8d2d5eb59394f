//! Values that a conversation remembers.

use std::collections::BTreeSet;

/// A set of values that knows how much room it takes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values {
    values: BTreeSet<String>,
    size: usize,
}

impl Values {
    /// Adds one.
    pub fn insert(&mut self, value: String) {
        let size = value_size(&value);
        if self.values.insert(value) {
            self.size += size;
        }
    }

    /// Whether it is among them.
    pub fn contains(&self, value: &str) -> bool {
        self.values.contains(value)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// About how many bytes they take.
    pub fn size(&self) -> usize {
        self.size
    }
}

/// About how many bytes a value takes in a set.
pub(crate) fn value_size(value: &str) -> usize {
    2 * size_of::<String>() + value.len()
}
