//! The newest lines that a server wrote: to its standard error, and by the protocol. Whoever writes
//! them changes nothing that a call is decided by.

use api::LoggedLine;
use protocol::{Budget, Ring};

/// How many lines of either are kept, and how many bytes of them.
const LINES: usize = 1_000;
const BYTES: usize = 2 * 1024 * 1024;

/// The logs of one server.
pub(super) struct Logs {
    pub(super) stderr: Ring<String>,
    pub(super) protocol: Ring<LoggedLine>,
}

impl Logs {
    /// Empty ones, kept out of `budget`.
    pub(super) fn new(budget: &Budget) -> Self {
        Self {
            stderr: Ring::new(LINES, BYTES, budget.clone()),
            protocol: Ring::new(LINES, BYTES, budget.clone()),
        }
    }
}
