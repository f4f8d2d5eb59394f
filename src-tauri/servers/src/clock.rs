//! The only reader of time.

use protocol::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the host takes the time from.
#[derive(Debug, Clone)]
pub enum Clock {
    /// The system's.
    System,
    /// Milliseconds since 1970 that a test sets.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// The time now.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp(system_now()),
            Self::Fixed(time) => Timestamp(time.load(Ordering::Relaxed)),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place that reads the clock"
)]
fn system_now() -> i64 {
    // A clock before 1970 is a broken clock; 0 keeps the order of the log readable.
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| {
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        })
}
