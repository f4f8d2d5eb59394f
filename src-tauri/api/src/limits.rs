//! How long things may take.

use std::time::Duration;

/// How long a call may take without progress.
pub const CALL_DEADLINE: Duration = Duration::from_secs(60);

/// How long a call may take at all, a person's thinking left out.
pub const CALL_MAXIMUM: Duration = Duration::from_secs(600);

/// How long after a failure a server is started again; it doubles with each failure in a row.
pub const RESTART_FIRST: Duration = Duration::from_secs(1);

/// The longest that is waited before a server is started again.
pub const RESTART_LONGEST: Duration = Duration::from_secs(60);

/// How often in a row a server may fail before it is not started again by itself.
pub const RESTARTS: u32 = 5;

/// How long nobody uses a server before it is ended, if it runs when it is used.
pub const IDLE_TIME: Duration = Duration::from_secs(10 * 60);

/// How long a server may take to answer its first message.
pub const START_DEADLINE: Duration = Duration::from_secs(60);
