//! Numbers by which a surface knows the newer of two views of the same thing, whichever of them
//! reaches it first.
//!
//! Always true here: a number is greater than every one that was given before it.

use std::sync::atomic::{AtomicU64, Ordering};

static LAST: AtomicU64 = AtomicU64::new(0);

/// The next number. Taken before anything is looked at that the view shows: what changes later is
/// told with a greater one.
pub fn next() -> u64 {
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}
