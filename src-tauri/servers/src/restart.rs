//! Whether and when a server that failed is started again. Pure.
//!
//! Always true here: what a person has to mend first is not tried again by itself, and nothing is
//! tried for ever.

use api::{ErrorCode, RESTART_FIRST, RESTART_LONGEST, RESTARTS};
use std::time::Duration;

/// How patient the host is with servers that fail.
#[derive(Debug, Clone, Copy)]
pub struct Restart {
    /// How long after the first failure; it doubles with each failure in a row.
    pub first: Duration,
    /// The longest that is waited.
    pub longest: Duration,
    /// How often in a row a server may fail.
    pub times: u32,
}

impl Default for Restart {
    fn default() -> Self {
        Self {
            first: RESTART_FIRST,
            longest: RESTART_LONGEST,
            times: RESTARTS,
        }
    }
}

impl Restart {
    /// How long to wait after the `failures`th failure in a row; none if it is not tried again.
    /// `ran` says that the server has run since it was switched on, and `chance` is a number from 0
    /// to 1 that keeps many servers from coming back at once.
    pub(crate) fn after(
        &self,
        code: ErrorCode,
        failures: u32,
        ran: bool,
        chance: f64,
    ) -> Option<Duration> {
        let worth = match code {
            // The network, or the other side, may be back soon.
            ErrorCode::Unreachable
            | ErrorCode::ProxyFailed
            | ErrorCode::HttpStatus
            | ErrorCode::SessionLost => true,
            // What has run before can run again.
            ErrorCode::ConnectionLost
            | ErrorCode::ExitedAtStart
            | ErrorCode::StartTimedOut
            | ErrorCode::MessageTooLong
            | ErrorCode::TimedOut
            | ErrorCode::NotProtocol => ran,
            _ => false,
        };
        if !worth || failures > self.times {
            return None;
        }
        let wait = self
            .first
            .saturating_mul(
                1_u32
                    .checked_shl(failures.saturating_sub(1))
                    .unwrap_or(u32::MAX),
            )
            .min(self.longest);
        Some(wait.mul_f64(0.8 + 0.4 * chance.clamp(0.0, 1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_wait_doubles_up_to_the_longest_and_ends_after_the_last_time() {
        let restart = Restart {
            first: SECOND,
            longest: 5 * SECOND,
            times: 4,
        };
        let waits: Vec<_> = (1..=5)
            .map(|failures| restart.after(ErrorCode::ConnectionLost, failures, true, 0.5))
            .collect();
        assert_eq!(
            waits,
            [
                Some(SECOND),
                Some(2 * SECOND),
                Some(4 * SECOND),
                Some(5 * SECOND),
                None
            ]
        );
    }

    #[test]
    fn chance_spreads_the_wait_by_a_fifth_to_either_side() {
        let restart = Restart {
            first: 10 * SECOND,
            ..Restart::default()
        };
        let wait = |chance| restart.after(ErrorCode::Unreachable, 1, false, chance);
        assert_eq!(
            (wait(0.0), wait(1.0)),
            (Some(8 * SECOND), Some(12 * SECOND))
        );
    }

    #[test]
    fn what_a_person_has_to_mend_is_not_tried_again() {
        let restart = Restart::default();
        for code in [
            ErrorCode::CommandNotFound,
            ErrorCode::NeedsSignIn,
            ErrorCode::BadCertificate,
            ErrorCode::RevisionUnknown,
        ] {
            assert_eq!(restart.after(code, 1, true, 0.5), None, "{code:?}");
        }
        assert_eq!(
            restart.after(ErrorCode::ExitedAtStart, 1, false, 0.5),
            None,
            "it never ran"
        );
    }
}
