//! Who uses a server now, and since when nobody does.

use connections::Connection;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The uses of one server, from one start to the next. Cloning gives another handle.
#[derive(Debug, Clone)]
pub(super) struct Uses(Arc<Mutex<Counted>>);

#[derive(Debug)]
struct Counted {
    open: usize,
    /// When the last one ended.
    last: Instant,
}

/// What is to become of a server that was looked at.
pub(crate) enum Idle {
    /// It rests from now on; this is what is left of it.
    Rests(Connection),
    /// It goes on. How soon to look again.
    GoesOn(Duration),
    /// It is not the one that was started then any more.
    Gone,
}

/// Somebody uses a server: as long as this is held it is not ended for being idle.
#[derive(Debug)]
#[must_use = "a server may be ended for being idle once this is dropped"]
pub struct InUse(Uses);

impl Default for Uses {
    fn default() -> Self {
        let last = Instant::now();
        Self(Arc::new(Mutex::new(Counted { open: 0, last })))
    }
}

impl Uses {
    /// Somebody uses it from now on.
    pub(super) fn begin(&self) -> InUse {
        self.counted().open += 1;
        InUse(self.clone())
    }

    /// Does something to a server that nobody has used for `time`; who begins to use it meanwhile
    /// waits. Otherwise, how soon to look again.
    pub(super) fn if_idle<R>(
        &self,
        time: Duration,
        does: impl FnOnce() -> R,
    ) -> Result<R, Duration> {
        let counted = self.counted();
        if counted.open > 0 {
            return Err(time);
        }
        match time.checked_sub(counted.last.elapsed()) {
            Some(left) if !left.is_zero() => Err(left),
            _ => Ok(does()),
        }
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut counted = self.0.counted();
        counted.open -= 1;
        counted.last = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Duration = Duration::from_secs(60);

    #[tokio::test(start_paused = true)]
    async fn the_time_counts_from_the_end_of_the_last_use() {
        let uses = Uses::default();
        tokio::time::advance(TIME / 2).await;
        let (first, second) = (uses.begin(), uses.begin());
        tokio::time::advance(TIME).await;
        drop(first);
        assert_eq!(uses.if_idle(TIME, || ()), Err(TIME), "somebody uses it");
        tokio::time::advance(TIME).await;
        drop(second);
        tokio::time::advance(TIME / 3).await;
        assert_eq!(uses.if_idle(TIME, || ()), Err(TIME * 2 / 3));
        tokio::time::advance(TIME * 2 / 3).await;
        assert_eq!(uses.if_idle(TIME, || ()), Ok(()));
    }
}
