//! The newest lines that a server wrote: to its standard error, and by the protocol. Whoever writes
//! them changes nothing that a call is decided by.

use api::LoggedLine;
use std::collections::VecDeque;

/// How many lines of either are kept.
const LINES: usize = 1_000;

/// The logs of one server.
#[derive(Default)]
pub(super) struct Logs {
    pub(super) stderr: Ring<String>,
    pub(super) protocol: Ring<LoggedLine>,
}

/// The newest of many lines.
pub(super) struct Ring<T> {
    lines: VecDeque<T>,
    dropped: u64,
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Self {
            lines: VecDeque::new(),
            dropped: 0,
        }
    }
}

impl<T: Clone> Ring<T> {
    pub(super) fn write(&mut self, lines: &[T]) {
        self.lines.extend(lines.iter().cloned());
        while self.lines.len() > LINES {
            self.lines.pop_front();
            self.dropped += 1;
        }
    }

    /// The lines, oldest first, and how many before them are gone.
    pub(super) fn read(&self) -> (Vec<T>, u64) {
        (self.lines.iter().cloned().collect(), self.dropped)
    }
}
