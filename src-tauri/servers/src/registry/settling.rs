//! How long to wait before a list is read again that a server says has changed.
//!
//! Always true here: servers announce in storms, and one reading at the end of a storm is enough. A
//! few such readings come one after another; one whose lists go on changing is read less and less
//! often, until it falls quiet.

use std::time::{Duration, Instant};

/// How long one may go on announcing before its list is read.
const SHORTEST: Duration = Duration::from_millis(200);
/// So many readings in a row wait no longer than that: somebody may be at work.
const AT_WORK: u32 = 12;
/// How seldom the list of one that never falls quiet is read.
const LONGEST: Duration = Duration::from_secs(60);
/// How long nothing must be announced after a reading, at least, for it to be quiet.
const QUIET: Duration = Duration::from_secs(30);

/// When one list of one server was to be read last.
#[derive(Debug, Default)]
pub(super) struct Settling {
    wait: Duration,
    due: Option<Instant>,
    in_a_row: u32,
}

impl Settling {
    /// How long to wait before the next reading.
    pub(super) fn next(&mut self, now: Instant) -> Duration {
        let is_quiet = self
            .due
            .is_none_or(|due| now.saturating_duration_since(due) >= self.wait.max(QUIET));
        self.in_a_row = if is_quiet { 0 } else { self.in_a_row + 1 };
        self.wait = if self.in_a_row < AT_WORK {
            SHORTEST
        } else {
            (2 * self.wait).min(LONGEST)
        };
        self.due = Some(now + self.wait);
        self.wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_changes_without_end_is_read_once_a_minute() {
        let (mut settling, begin) = (Settling::default(), Instant::now());
        let (mut now, mut waits) = (begin, Vec::new());
        while now < begin + Duration::from_secs(24 * 3600) {
            let wait = settling.next(now);
            waits.push(wait);
            now += wait;
        }
        let (at_work, later) = waits.split_at(AT_WORK as usize);
        assert!(at_work.iter().all(|wait| *wait == SHORTEST));
        assert!(
            later
                .windows(2)
                .all(|two| two[1] == (2 * two[0]).min(LONGEST))
        );
        assert!((1_440..1_470).contains(&waits.len()), "{}", waits.len());
    }

    #[test]
    fn one_that_falls_quiet_is_read_at_once_again() {
        let (mut settling, mut now) = (Settling::default(), Instant::now());
        for _ in 0..AT_WORK + 12 {
            now += settling.next(now);
        }
        now += LONGEST - Duration::from_secs(1);
        assert_eq!(settling.next(now), LONGEST);
        now += LONGEST + LONGEST;
        assert_eq!(settling.next(now), SHORTEST);
        now += SHORTEST + QUIET;
        assert_eq!(settling.next(now), SHORTEST);
    }
}
