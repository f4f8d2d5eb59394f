//! How long a call may still take. The clock stands still while a person is asked.

use std::time::Duration;
use tokio::time::Instant;

/// The two limits of one call: without progress, and in all.
#[derive(Debug)]
pub(crate) struct CallDeadline {
    idle: Duration,
    maximum: Duration,
    idle_left: Duration,
    left: Duration,
    running_since: Option<Instant>,
}

impl CallDeadline {
    /// A clock that runs.
    pub(crate) fn new(idle: Duration, maximum: Duration) -> Self {
        Self {
            idle,
            maximum,
            idle_left: idle,
            left: maximum,
            running_since: Some(Instant::now()),
        }
    }

    /// The server reported a step: its time without progress begins again.
    pub(crate) fn stepped(&mut self) {
        self.settle();
        self.idle_left = self.idle;
    }

    /// Stands still, or goes on.
    pub(crate) fn hold(&mut self, held: bool) {
        self.settle();
        self.running_since = if held { None } else { Some(Instant::now()) };
    }

    /// When it runs out, unless it stands still.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.running_since
            .map(|since| since + self.idle_left.min(self.left))
    }

    /// The limit that runs out first.
    pub(crate) fn limit(&self) -> Duration {
        if self.left <= self.idle_left {
            self.maximum
        } else {
            self.idle
        }
    }

    fn settle(&mut self) {
        if let Some(since) = self.running_since {
            let (now, spent) = (Instant::now(), since.elapsed());
            self.idle_left = self.idle_left.saturating_sub(spent);
            self.left = self.left.saturating_sub(spent);
            self.running_since = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_step_gives_new_time_but_never_more_than_the_maximum() {
        let start = Instant::now();
        let mut deadline = CallDeadline::new(10 * SECOND, 25 * SECOND);
        assert_eq!(
            (deadline.end(), deadline.limit()),
            (Some(start + 10 * SECOND), 10 * SECOND)
        );
        advance(9 * SECOND).await;
        deadline.stepped();
        assert_eq!(deadline.end(), Some(start + 19 * SECOND));
        advance(9 * SECOND).await;
        deadline.stepped();
        assert_eq!(
            (deadline.end(), deadline.limit()),
            (Some(start + 25 * SECOND), 25 * SECOND)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_of_a_person_does_not_count() {
        let start = Instant::now();
        let mut deadline = CallDeadline::new(10 * SECOND, 25 * SECOND);
        advance(4 * SECOND).await;
        deadline.hold(true);
        assert_eq!(deadline.end(), None);
        advance(600 * SECOND).await;
        deadline.hold(false);
        assert_eq!(deadline.end(), Some(start + 610 * SECOND));
    }
}
