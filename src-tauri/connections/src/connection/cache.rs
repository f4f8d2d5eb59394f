//! Lists that a server says may be taken as current for a while (2026-07-28, caching hints). Each
//! page has its own time; the shortest counts. A change that is told ends it at once, and nothing
//! is kept beyond the connection.

use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest that a server is believed.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// The lists of one connection.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<HashMap<&'static str, (Instant, Vec<Value>)>>);

impl Cache {
    /// The list, if it is still current.
    pub(super) fn fresh(&self, method: &'static str) -> Option<Vec<Value>> {
        self.lock()
            .get(method)
            .filter(|(until, _)| Instant::now() < *until)
            .map(|(_, items)| items.clone())
    }

    /// Whether a list was said to be current for a while that is over.
    pub(super) fn is_stale(&self, method: &'static str) -> bool {
        self.lock()
            .get(method)
            .is_some_and(|(until, _)| Instant::now() >= *until)
    }

    /// Keeps a list for a while. Without a time it is not kept.
    pub(super) fn keep(&self, method: &'static str, items: &[Value], fresh_for: Option<Duration>) {
        match fresh_for {
            Some(time) => {
                _ = self
                    .lock()
                    .insert(method, (Instant::now() + time.min(LONGEST), items.to_vec()))
            }
            None => _ = self.lock().remove(method),
        }
    }

    /// Something has changed.
    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, (Instant, Vec<Value>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_current_for_as_long_as_was_said_and_no_longer_than_until_a_change() {
        let (cache, items) = (Cache::default(), vec![Value::from(1)]);
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
    }
}
