//! Connections of one program that wait for their next request: the next need not begin one and
//! have the host prove itself again.

use crate::accept::HEADER_TIMEOUT;
use crate::line::Line;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many there are at most.
const MOST: usize = 8;

/// How long one may wait: well below the time after which the host closes it, so that no request
/// meets a connection in its end.
const LONGEST: Duration = Duration::from_millis(1500);
const _: () = assert!(LONGEST.as_millis() * 3 < HEADER_TIMEOUT.as_millis());

/// All of them. Cloning gives another handle to the same ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdleLines(Arc<Mutex<Vec<(Instant, Line)>>>);

impl IdleLines {
    /// The one that was used last; `None` if there is none that can be used.
    pub(crate) fn take(&self) -> Option<Line> {
        let mut lines = self.lines();
        lines.retain(|(since, line)| since.elapsed() < LONGEST && !line.is_closed());
        lines.pop().map(|(_, line)| line)
    }

    /// Keeps one whose last answer was read to its end.
    pub(crate) fn keep(&self, line: Line) {
        let mut lines = self.lines();
        if lines.len() < MOST && !line.is_closed() {
            lines.push((Instant::now(), line));
        }
    }

    fn lines(&self) -> MutexGuard<'_, Vec<(Instant, Line)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
