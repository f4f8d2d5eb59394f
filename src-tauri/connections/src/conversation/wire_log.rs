//! The newest messages of one connection, as they were on the wire. Bounded in number and in bytes.

use protocol::{Budget, CallId, Ring, Weigh};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Messages that are kept, and bytes of them in all.
const MESSAGES: usize = 500;
const BYTES: usize = 4 * 1024 * 1024;
/// Bytes of one message that are kept.
const LONGEST: usize = 64 * 1024;

/// One message between us and a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its number on this connection, from 1.
    pub number: u64,
    /// How long ago it was.
    pub age: Duration,
    /// From us to the server, or from it.
    pub sent: bool,
    /// The method of a request or notification.
    pub method: Option<String>,
    /// The id of a request or answer, as JSON.
    pub id: Option<String>,
    /// The call that it belongs to.
    pub call: Option<CallId>,
    /// Its text, or the beginning of it. Secrets are not covered.
    pub text: String,
    /// Its length in bytes.
    pub bytes: usize,
}

/// What is known of a message before it is kept.
#[derive(Debug, Default)]
pub(crate) struct MessageInfo<'a> {
    pub(crate) method: Option<&'a str>,
    pub(crate) id: Option<String>,
    pub(crate) call: Option<CallId>,
}

/// The newest messages of one connection.
#[derive(Debug)]
pub(crate) struct WireLog(Mutex<Newest>);

#[derive(Debug)]
struct Newest {
    messages: Ring<Noted>,
    count: u64,
}

/// A message, and when it was.
#[derive(Debug)]
struct Noted(Instant, Message);

impl Weigh for Noted {
    fn weigh(&self) -> usize {
        let Message {
            number: _,
            age: _,
            sent: _,
            method,
            id,
            call,
            text,
            bytes: _,
        } = &self.1;
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let call = call.as_ref().map_or(0, |call| call.as_str().len());
        size_of::<Self>() + length(method) + length(id) + call + text.len()
    }
}

impl WireLog {
    /// An empty one, kept out of `budget`.
    pub(crate) fn new(budget: Budget) -> Self {
        Self(Mutex::new(Newest {
            messages: Ring::new(MESSAGES, BYTES, budget),
            count: 0,
        }))
    }

    /// Keeps one message, and forgets the oldest where there are too many.
    pub(crate) fn note(&self, sent: bool, bytes: &[u8], about: MessageInfo<'_>) {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)])
            .trim_end()
            .to_owned();
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        newest.count += 1;
        let message = Message {
            number: newest.count,
            age: Duration::ZERO,
            sent,
            method: about.method.map(str::to_owned),
            id: about.id,
            call: about.call,
            text,
            bytes: bytes.len(),
        };
        newest.messages.push(Noted(Instant::now(), message));
    }

    /// What is kept, oldest first.
    pub(crate) fn messages(&self) -> Vec<Message> {
        let newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        newest
            .messages
            .iter()
            .map(|Noted(at, message)| Message {
                age: at.elapsed(),
                ..message.clone()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_holds_more_than_its_bounds_and_keeps_the_newest() {
        let wire_log = WireLog::new(Budget::new(usize::MAX));
        for _ in 0..MESSAGES + 3 {
            wire_log.note(true, b"{}\n", MessageInfo::default());
        }
        let newest = wire_log.messages();
        assert_eq!(
            (newest.len(), newest[0].number, newest[0].text.as_str()),
            (MESSAGES, 4, "{}")
        );
        let long = vec![b'x'; 3 * LONGEST];
        for _ in 0..200 {
            wire_log.note(false, &long, MessageInfo::default());
        }
        let newest = wire_log.messages();
        assert!(
            newest
                .iter()
                .map(|message| message.text.len())
                .sum::<usize>()
                <= BYTES
        );
        assert_eq!(
            newest
                .last()
                .map(|message| (message.text.len(), message.bytes)),
            Some((LONGEST, 3 * LONGEST))
        );
    }
}
