//! What the system says of a file without reading it. A file of the same stamp has the same
//! content.

use protocol::Timestamp;
use std::fs::Metadata;
#[cfg(unix)]
use std::time::Duration;
use std::time::{SystemTime, UNIX_EPOCH};

/// In milliseconds. Clocks of file systems are coarse: what was written this short a time ago could
/// be written again with the same time.
const SETTLES: i64 = 3000;

/// Which file it is, its size in bytes, and when it was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
    more: More,
}

#[cfg(unix)]
type More = (u64, u64, i64, i64);
#[cfg(not(unix))]
type More = Option<SystemTime>;

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            size: metadata.len(),
            modified: metadata.modified().ok(),
            more: more(metadata),
        }
    }

    /// Whether a change after `now` would have another stamp.
    pub(super) fn is_settled(&self, now: Timestamp) -> bool {
        let past = |time: SystemTime| {
            let time = time
                .duration_since(UNIX_EPOCH)
                .ok()
                .and_then(|since| i64::try_from(since.as_millis()).ok());
            time.is_some_and(|time| now.0.saturating_sub(time) > SETTLES)
        };
        self.modified.is_some_and(past) && last_change(&self.more).is_none_or(past)
    }
}

/// Device, inode, and the time of the last change of anything, which a program cannot set as it can
/// the time of modification.
#[cfg(unix)]
fn more(metadata: &Metadata) -> More {
    use std::os::unix::fs::MetadataExt;
    (
        metadata.dev(),
        metadata.ino(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    )
}

#[cfg(unix)]
fn last_change((_, _, seconds, nanoseconds): &More) -> Option<SystemTime> {
    let (seconds, nanoseconds) = (
        u64::try_from(*seconds).ok()?,
        u32::try_from(*nanoseconds).ok()?,
    );
    UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
}

#[cfg(not(unix))]
fn more(metadata: &Metadata) -> More {
    metadata.created().ok()
}

#[cfg(not(unix))]
fn last_change(_: &More) -> Option<SystemTime> {
    None
}
