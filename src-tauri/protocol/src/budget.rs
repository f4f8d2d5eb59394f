//! How many bytes may be kept of strangers: of one, and of all of them together.
//!
//! Always true here: what was reserved is given back when its [`Reserved`] is dropped, and never
//! before.

use serde_json::{Map, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of bytes that may be kept. Clones are the same one.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    most: usize,
    used: AtomicUsize,
    /// What this is a part of.
    whole: Option<Budget>,
}

/// Bytes that are kept, until this is dropped.
#[derive(Debug)]
pub struct Reserved {
    budget: Budget,
    bytes: usize,
}

impl Budget {
    /// One of its own, for `most` bytes.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Account {
            most,
            used: AtomicUsize::new(0),
            whole: None,
        }))
    }

    /// A part of this one, for `most` bytes: what is reserved of it is reserved of the whole, too.
    pub fn part(&self, most: usize) -> Self {
        Self(Arc::new(Account {
            most,
            used: AtomicUsize::new(0),
            whole: Some(self.clone()),
        }))
    }

    /// Reserves so many bytes; none if there is no room for them.
    pub fn reserve(&self, bytes: usize) -> Option<Reserved> {
        self.take(bytes).then(|| Reserved {
            budget: self.clone(),
            bytes,
        })
    }

    /// How many bytes are reserved.
    pub fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: usize) -> bool {
        let more = |used: usize| used.checked_add(bytes).filter(|all| *all <= self.0.most);
        let taken = self
            .0
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        if taken.is_err() {
            return false;
        }
        let has_room = self.0.whole.as_ref().is_none_or(|whole| whole.take(bytes));
        if !has_room {
            self.0.used.fetch_sub(bytes, Ordering::Relaxed);
        }
        has_room
    }

    fn give_back(&self, bytes: usize) {
        self.0.used.fetch_sub(bytes, Ordering::Relaxed);
        if let Some(whole) = &self.0.whole {
            whole.give_back(bytes);
        }
    }
}

impl Reserved {
    /// How many bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}

/// About how many bytes of memory a value takes: its texts, and a place for each part.
pub fn weight_of(value: &Value) -> usize {
    let inside = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight_of).sum(),
        Value::Object(map) => weight_of_map(map),
    };
    size_of::<Value>() + inside
}

/// The same of the fields of an object.
pub fn weight_of_map(map: &Map<String, Value>) -> usize {
    map.iter().map(member).sum()
}

fn member((name, value): (&String, &Value)) -> usize {
    size_of::<String>() + name.len() + weight_of(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_part_takes_from_the_whole_and_no_more_than_its_own() {
        let whole = Budget::new(100);
        let (one, other) = (whole.part(60), whole.part(60));
        let first = one.reserve(60).unwrap();
        assert!(one.reserve(1).is_none());
        assert!(other.reserve(41).is_none());
        assert_eq!((other.used(), whole.used()), (0, 60));
        let second = other.reserve(40).unwrap();
        drop(first);
        assert_eq!((one.used(), other.used(), whole.used()), (0, 40, 40));
        assert!(one.reserve(60).is_some());
        assert!(one.reserve(usize::MAX).is_none());
        drop(second);
        assert_eq!(whole.used(), 0);
    }

    #[test]
    fn many_small_values_weigh_more_than_their_text() {
        let many = Value::from(vec![0; 1_000]);
        assert!(weight_of(&many) > 8 * many.to_string().len());
        let text = "x".repeat(1_000);
        assert!((1_000..1_200).contains(&weight_of(&json!({ "text": text }))));
    }
}
