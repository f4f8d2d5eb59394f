//! How long calls took.

use std::time::Duration;

/// The calls of one phase.
#[derive(Debug, Default, Clone)]
pub struct Calls {
    /// How long each took that was answered as it should be, sorted.
    taken: Vec<Duration>,
    /// What came of the others.
    pub wrong: Vec<String>,
}

impl Calls {
    /// Out of those of several callers.
    pub fn of(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for part in parts {
            all.taken.extend(part.taken);
            all.wrong.extend(part.wrong);
        }
        all.taken.sort_unstable();
        all
    }

    /// One more that was answered.
    pub fn answered(&mut self, taken: Duration) {
        self.taken.push(taken);
    }

    /// How many were answered.
    pub fn count(&self) -> usize {
        self.taken.len()
    }

    /// So many of a hundred took at most this long; none were made, none took any time.
    pub fn percentile(&self, of_a_hundred: usize) -> Duration {
        let last = self.taken.len().saturating_sub(1);
        self.taken
            .get(last * of_a_hundred / 100)
            .copied()
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hundred_calls_the_slowest_one_is_the_hundredth() {
        let mut calls = Calls::default();
        for millis in (1..=100).rev() {
            calls.answered(Duration::from_millis(millis));
        }
        let calls = Calls::of([calls]);
        assert_eq!(calls.percentile(50), Duration::from_millis(50));
        assert_eq!(calls.percentile(99), Duration::from_millis(99));
        assert_eq!(calls.percentile(100), Duration::from_millis(100));
        assert_eq!(Calls::default().percentile(99), Duration::ZERO);
    }
}
