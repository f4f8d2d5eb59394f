//! Lists that a server says may be taken as current for a while (2026-07-28, caching hints). Each
//! page has its own time; the shortest counts. A change that is told ends it at once, and nothing
//! is kept beyond the connection.

use protocol::{Budget, Reserved, weight_of};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest that a server is believed.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// The lists of one connection, by the requests that they were read with.
#[derive(Debug)]
pub(super) struct Cache {
    lists: Mutex<HashMap<&'static str, List>>,
    budget: Budget,
}

#[derive(Debug)]
struct List {
    until: Instant,
    items: Vec<Value>,
    _held: Reserved,
}

impl Cache {
    /// An empty one, kept out of `budget`.
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            lists: Mutex::default(),
            budget,
        }
    }

    /// The list, if it is still current.
    pub(super) fn fresh(&self, method: &'static str) -> Option<Vec<Value>> {
        self.lock()
            .get(method)
            .filter(|list| Instant::now() < list.until)
            .map(|list| list.items.clone())
    }

    /// Whether a list was said to be current for a while that is over.
    pub(super) fn is_stale(&self, method: &'static str) -> bool {
        self.lock()
            .get(method)
            .is_some_and(|list| Instant::now() >= list.until)
    }

    /// Keeps a list for a while. Without a time, or without room, it is not kept.
    pub(super) fn keep(&self, method: &'static str, items: &[Value], fresh_for: Option<Duration>) {
        let mut lists = self.lock();
        lists.remove(method);
        let weight = || items.iter().map(weight_of).sum();
        if let Some(time) = fresh_for
            && let Some(held) = self.budget.reserve(weight())
        {
            let list = List {
                until: Instant::now() + time.min(LONGEST),
                items: items.to_vec(),
                _held: held,
            };
            lists.insert(method, list);
        }
    }

    /// Something has changed.
    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, List>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_current_for_as_long_as_was_said_and_no_longer_than_until_a_change() {
        let (cache, items) = (Cache::new(Budget::new(1_000)), vec![Value::from(1)]);
        cache.keep("a", &items, Some(Duration::from_secs(60)));
        cache.keep("b", &items, None);
        cache.keep("c", &items, Some(Duration::ZERO));
        assert_eq!(
            (cache.fresh("a"), cache.fresh("b"), cache.fresh("c")),
            (Some(items), None, None)
        );
        assert_eq!(
            (
                cache.is_stale("a"),
                cache.is_stale("b"),
                cache.is_stale("c")
            ),
            (false, false, true)
        );
        cache.clear();
        assert_eq!(cache.fresh("a"), None);
        let large = [Value::from("x".repeat(1_000))];
        cache.keep("a", &large, Some(Duration::from_secs(60)));
        assert_eq!(cache.fresh("a"), None, "there is no room for it");
    }
}
