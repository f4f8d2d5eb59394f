//! Tells every surface what happened. Events are numbered without gaps; who misses one asks for a
//! snapshot.
//!
//! Always true here: what waits for a slow surface is bounded in number and in bytes, whoever made
//! it, and is kept once for all of them.

use api::{EventEnvelope, HostEvent};
use protocol::{Budget, Ring, Weigh};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// How many events, and bytes of them, a slow surface may be behind before it misses some.
const BACKLOG: usize = 1024;
const BACKLOG_BYTES: usize = 16 * 1024 * 1024;

#[derive(Debug)]
pub(crate) struct Events {
    // Number and keeping under one lock, so that numbers arrive in order.
    backlog: Arc<Mutex<Backlog>>,
    /// The number of the last event. Whoever follows waits for it to move.
    last: watch::Sender<u64>,
    decisive: watch::Sender<u64>,
    /// Shared with those who follow the rows of the log.
    rows: Arc<()>,
}

#[derive(Debug)]
struct Backlog {
    last: u64,
    events: Ring<Published>,
}

#[derive(Debug)]
struct Published {
    envelope: Arc<EventEnvelope>,
    bytes: usize,
}

impl Weigh for Published {
    fn weigh(&self) -> usize {
        self.bytes
    }
}

/// Hears every event from when it was made.
#[derive(Debug)]
pub struct Follower {
    backlog: Arc<Mutex<Backlog>>,
    last: watch::Receiver<u64>,
    /// The number of the event that comes next.
    next: u64,
    /// Present where the rows of the log are wanted, too.
    _rows: Option<Arc<()>>,
}

/// Why there is no next event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotHeard {
    /// This many are not kept any more; the oldest that is comes next.
    #[error("{0} events were missed")]
    Missed(u64),
    /// There will be none any more.
    #[error("the host has ended")]
    Over,
}

impl Events {
    pub(crate) fn new() -> Self {
        let events = Ring::new(BACKLOG, BACKLOG_BYTES, Budget::new(BACKLOG_BYTES));
        Self {
            backlog: Arc::new(Mutex::new(Backlog { last: 0, events })),
            last: watch::Sender::new(0),
            decisive: watch::Sender::new(0),
            rows: Arc::default(),
        }
    }

    pub fn publish(&self, event: HostEvent) {
        if is_decisive(&event) {
            self.decisive.send_modify(|count| *count += 1);
        }
        // Weighed before there is a lock: a long event would keep everybody waiting who has something
        // to tell.
        let weighed = self.is_followed().then(|| weight(&event));
        let mut backlog = lock(&self.backlog);
        backlog.last += 1;
        let seq = backlog.last;
        // Nobody listening is no error, and needs nothing to be kept.
        if self.is_followed() {
            let bytes = weighed.unwrap_or_else(|| weight(&event));
            backlog.events.push(Published {
                envelope: Arc::new(EventEnvelope { seq, event }),
                bytes,
            });
        } else {
            backlog.events.clear();
        }
        self.last.send_replace(seq);
    }

    fn is_followed(&self) -> bool {
        self.last.receiver_count() > 0
    }

    /// Whether anybody hears of new rows of the log.
    pub(crate) fn are_rows_wanted(&self) -> bool {
        Arc::strong_count(&self.rows) > 1
    }

    pub(crate) fn last(&self) -> u64 {
        lock(&self.backlog).last
    }

    pub fn follow(&self) -> Follower {
        Follower {
            _rows: Some(Arc::clone(&self.rows)),
            ..self.follow_without_rows()
        }
    }

    /// As [`Events::follow`], for who needs no rows of the log: reading them costs something. They
    /// come all the same while somebody else wants them.
    pub fn follow_without_rows(&self) -> Follower {
        let backlog = lock(&self.backlog);
        Follower {
            last: self.last.subscribe(),
            next: backlog.last + 1,
            backlog: Arc::clone(&self.backlog),
            _rows: None,
        }
    }

    /// Moves on whenever something happened that may change what is decided.
    pub(crate) fn decisive_changes(&self) -> watch::Receiver<u64> {
        self.decisive.subscribe()
    }
}

impl Follower {
    /// Waits for the next event.
    pub async fn next(&mut self) -> Result<Arc<EventEnvelope>, NotHeard> {
        loop {
            self.last.mark_unchanged();
            if let Some(heard) = self.heard() {
                return heard;
            }
            if self.last.changed().await.is_err() {
                return self.heard().unwrap_or(Err(NotHeard::Over));
            }
        }
    }

    /// The next event, if it has happened already.
    pub fn heard(&mut self) -> Option<Result<Arc<EventEnvelope>, NotHeard>> {
        let backlog = lock(&self.backlog);
        let kept = backlog.events.len() as u64;
        let oldest = backlog.last + 1 - kept;
        if self.next > backlog.last {
            return None;
        }
        if self.next < oldest {
            let missed = oldest - self.next;
            self.next = oldest;
            return Some(Err(NotHeard::Missed(missed)));
        }
        let index = usize::try_from(self.next - oldest).ok()?;
        let envelope = Arc::clone(&backlog.events.get(index)?.envelope);
        self.next += 1;
        Some(Ok(envelope))
    }
}

/// What an event takes, about as much as it is long as it travels, in bytes.
fn weight(event: &HostEvent) -> usize {
    size_of::<EventEnvelope>().saturating_add(match event {
        // Servers make as many of these as they like: they are not written out for it.
        HostEvent::ServerWrote { lines, .. } => all(lines),
        HostEvent::ServerLogged { lines, .. } => all(lines),
        // What cannot be written reaches nobody; it is not kept.
        _ => written(event).unwrap_or(usize::MAX),
    })
}

fn all(parts: &[impl Weigh]) -> usize {
    parts.iter().map(Weigh::weigh).sum()
}

/// How long an event is as it travels, in bytes.
fn written(event: &HostEvent) -> serde_json::Result<usize> {
    struct Count(usize);

    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    serde_json::to_writer(&mut count, event)?;
    Ok(count.0)
}

fn lock(backlog: &Mutex<Backlog>) -> MutexGuard<'_, Backlog> {
    backlog.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether it may change what becomes of a question that waits.
fn is_decisive(event: &HostEvent) -> bool {
    matches!(
        event,
        HostEvent::GrantMade { .. }
            | HostEvent::ToolsChanged { .. }
            | HostEvent::OffersChanged { .. }
            | HostEvent::ServerChanged { .. }
            | HostEvent::ServerRemoved { .. }
            | HostEvent::PolicyChanged
            | HostEvent::ClientsChanged
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::ServerId;

    fn wrote(text: &str) -> HostEvent {
        HostEvent::ServerWrote {
            server: ServerId::parse("files").unwrap(),
            lines: vec![text.to_owned()],
        }
    }

    fn heard(follower: &mut Follower) -> Option<Result<u64, NotHeard>> {
        let heard = follower.heard()?;
        Some(heard.map(|envelope| envelope.seq))
    }

    #[test]
    fn who_follows_hears_what_happens_from_then_on_in_its_order() {
        let events = Events::new();
        events.publish(wrote("a"));
        let mut one = events.follow();
        events.publish(wrote("b"));
        let mut other = events.follow();
        events.publish(wrote("c"));
        assert_eq!(heard(&mut one), Some(Ok(2)));
        assert_eq!(heard(&mut one), Some(Ok(3)));
        assert_eq!(heard(&mut one), None);
        assert_eq!(heard(&mut other), Some(Ok(3)));
        assert_eq!(heard(&mut other), None);
    }

    #[test]
    fn who_does_not_read_costs_no_more_than_the_bound_and_learns_what_was_missed() {
        let events = Events::new();
        let mut slow = events.follow();
        let large = "x".repeat(1024 * 1024);
        for _ in 0..100 {
            events.publish(wrote(&large));
        }
        let kept = {
            let backlog = lock(&events.backlog);
            let bytes: usize = backlog.events.iter().map(Weigh::weigh).sum();
            assert!(bytes <= BACKLOG_BYTES);
            backlog.events.len() as u64
        };
        assert!(kept > 0);
        assert_eq!(heard(&mut slow), Some(Err(NotHeard::Missed(100 - kept))));
        assert_eq!(heard(&mut slow), Some(Ok(101 - kept)));
        for _ in 0..2 * BACKLOG {
            events.publish(wrote("small"));
        }
        assert!(matches!(heard(&mut slow), Some(Err(NotHeard::Missed(_)))));
    }

    #[test]
    fn an_event_that_is_larger_than_the_bound_is_missed() {
        let events = Events::new();
        let mut follower = events.follow();
        events.publish(wrote(&"x".repeat(2 * BACKLOG_BYTES)));
        assert_eq!(heard(&mut follower), Some(Err(NotHeard::Missed(1))));
        events.publish(wrote("a"));
        assert_eq!(heard(&mut follower), Some(Ok(2)));
    }

    #[tokio::test]
    async fn the_last_words_are_heard_before_it_is_over() {
        let events = Events::new();
        let mut follower = events.follow();
        events.publish(wrote("a"));
        drop(events);
        assert_eq!(follower.next().await.map(|event| event.seq), Ok(1));
        assert_eq!(
            follower.next().await.map(|event| event.seq),
            Err(NotHeard::Over)
        );
    }
}
