//! How fast a server is read that says what nobody asked it for.
//!
//! Always true here:
//! - a server pays with the time that its messages take; an answer that somebody waits for costs it
//!   nothing;
//! - who has spent more than there is, is not read until it is paid back. Nothing is lost: its
//!   messages wait in its own pipe, and it waits itself once that is full;
//! - no server pays for another one.

use std::time::{Duration, Instant};

/// The part of one processor's time that a server may take by itself, as a divisor.
const SHARE: u32 = 40;
/// The longest that is waited at once: that a server has ended must not be seen much later.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// What it may take at once after it was quiet for long enough.
const BURST: Duration = Duration::from_millis(500);

/// What one server may still take.
#[derive(Debug)]
pub(crate) struct Pace {
    left: Duration,
    paid_at: Instant,
}

impl Pace {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            left: BURST,
            paid_at: now,
        }
    }

    /// Pays for something that took `spent` until `now`. How long to wait before more is read.
    pub(crate) fn pay(&mut self, spent: Duration, now: Instant) -> Duration {
        let earned = now.saturating_duration_since(self.paid_at) / SHARE;
        self.paid_at = now;
        self.left = self.left.saturating_add(earned).min(BURST);
        let owed = spent.saturating_sub(self.left);
        self.left = self.left.saturating_sub(spent);
        // What is earned meanwhile is what is owed now.
        let wait = owed.saturating_mul(SHARE).min(LONGEST_WAIT);
        self.paid_at += wait;
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn who_says_little_never_waits() {
        let begun = Instant::now();
        let mut pace = Pace::new(begun);
        for step in 1..10_000 {
            let now = begun + Duration::from_millis(10) * step;
            assert_eq!(pace.pay(Duration::from_micros(100), now), Duration::ZERO);
        }
    }

    #[test]
    fn a_burst_is_read_at_once_and_what_goes_on_is_not() {
        let begun = Instant::now();
        let mut pace = Pace::new(begun);
        assert_eq!(pace.pay(BURST, begun), Duration::ZERO);
        let spent = Duration::from_millis(1);
        assert_eq!(pace.pay(spent, begun), spent * SHARE);
    }

    #[test]
    fn nobody_waits_long_at_once() {
        let begun = Instant::now();
        let mut pace = Pace::new(begun);
        assert_eq!(pace.pay(Duration::from_secs(60), begun), LONGEST_WAIT);
    }

    proptest! {
        #[test]
        fn nobody_takes_more_than_their_share(spent in proptest::collection::vec(0_u64..20_000, 1..200)) {
            let begun = Instant::now();
            let (mut now, mut taken) = (begun, Duration::ZERO);
            let mut pace = Pace::new(begun);
            for spent in spent.into_iter().map(Duration::from_micros) {
                now += spent;
                taken += spent;
                now += pace.pay(spent, now);
            }
            let earned = now.duration_since(begun) / SHARE;
            prop_assert!(taken <= BURST + earned + Duration::from_millis(1));
        }
    }
}
