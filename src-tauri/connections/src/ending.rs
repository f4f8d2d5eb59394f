//! How a connection ends: once, with the first reason that was seen. Everyone who waits for the
//! server looks here too.

use crate::ConnectionError;
use std::sync::{Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// The end of one connection.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    why: Mutex<Option<Why>>,
    over: CancellationToken,
}

/// Why it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// We ended it.
    Stopped,
    /// The server closed its end, or died.
    Lost {
        /// The exit code, once it is known.
        status: Option<i32>,
    },
    /// It sent a message longer than this.
    TooLong {
        /// Bytes.
        limit: usize,
    },
    /// It sent a message with more of something than is read.
    Oversized {
        /// Of what.
        what: &'static str,
        /// How many are read.
        limit: usize,
    },
}

impl Ending {
    /// Notes why and wakes everyone. The first reason stays, except that an exit code completes a
    /// loss.
    pub(crate) fn end(&self, why: Why) {
        let mut known = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*known, None | Some(Why::Lost { status: None })) {
            *known = Some(why);
        }
        drop(known);
        self.over.cancel();
    }

    /// Waits for the end.
    pub(crate) async fn over(&self) {
        self.over.cancelled().await;
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    pub(crate) fn why(&self) -> Option<Why> {
        *self.why.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The end as an error for whoever was waiting.
    pub(crate) fn error(&self) -> ConnectionError {
        match self.why() {
            Some(Why::TooLong { limit }) => ConnectionError::MessageTooLong { limit },
            Some(Why::Oversized { what, limit }) => ConnectionError::Oversized { what, limit },
            Some(Why::Lost { status }) => ConnectionError::ConnectionLost { status },
            Some(Why::Stopped) | None => ConnectionError::ConnectionLost { status: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays_and_an_exit_code_completes_it() {
        let ending = Ending::default();
        ending.end(Why::Lost { status: None });
        ending.end(Why::Lost { status: Some(3) });
        ending.end(Why::TooLong { limit: 1 });
        assert_eq!(ending.why(), Some(Why::Lost { status: Some(3) }));
        assert!(ending.is_over());
    }
}
