//! How long a call took: all of it, the part in which a person was asked something, and the part in
//! which it ran.
//!
//! Always true here: what is not known is said to be unknown; it is never zero.

use crate::Calls;
use crate::running::RunningCalls;
use policy::{Question, Subject};
use protocol::{CallId, Timestamp};
use std::time::Duration;

/// The moments of a call so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    asked: Timestamp,
    sent: Sent,
}

#[derive(Debug, Clone, Copy)]
enum Sent {
    Not,
    /// Then, having waited so long for a person.
    At(Timestamp, Option<Duration>),
    /// Before its server or this program was started anew. Nobody knows what has passed since.
    Earlier,
}

/// Milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Took {
    pub duration_ms: u64,
    pub waited_ms: Option<u64>,
    pub ran_ms: Option<u64>,
}

impl Moments {
    /// A call that was asked for then, and not sent yet.
    pub(crate) fn asked(asked: Timestamp) -> Self {
        let sent = Sent::Not;
        Self { asked, sent }
    }

    /// A call that was sent before its server or this program was started anew.
    pub(crate) fn sent_earlier(asked: Timestamp) -> Self {
        let sent = Sent::Earlier;
        Self { asked, sent }
    }

    /// When it was asked for.
    pub(crate) fn since(self) -> Timestamp {
        self.asked
    }

    /// The same, sent now.
    pub(crate) fn sent(self, calls: &Calls, call: &CallId) -> Self {
        let now = calls.now();
        Self {
            sent: Sent::At(now, calls.running().waited(call, now)),
            ..self
        }
    }

    /// How long it took if it ends now.
    pub(crate) fn took(self, calls: &Calls, call: &CallId) -> Took {
        let now = calls.now();
        let waited = calls.running().waited(call, now);
        let (waited, ran) = match self.sent {
            Sent::Not => (waited, None),
            Sent::At(sent, before) => {
                let meanwhile = waited
                    .zip(before)
                    .map(|(all, before)| all.saturating_sub(before));
                let ran = meanwhile.map(|meanwhile| now.since(sent).saturating_sub(meanwhile));
                (waited, ran)
            }
            Sent::Earlier => (None, None),
        };
        Took {
            duration_ms: ms(now.since(self.asked)),
            waited_ms: waited.map(ms),
            ran_ms: ran.map(ms),
        }
    }
}

/// A person is asked this from this moment on.
pub(crate) fn begin_to_wait(running: &RunningCalls, question: &Question, at: Timestamp) {
    running.begin_to_wait(calls_of(question), &question.id, at);
}

/// Since this moment a person is not asked this any more.
pub(crate) fn stop_to_wait(running: &RunningCalls, question: &Question, at: Timestamp) {
    running.stop_to_wait(calls_of(question), &question.id, at);
}

/// The calls of which one does not go on before a question is answered.
fn calls_of(question: &Question) -> &[CallId] {
    match &question.subject {
        Subject::Call { call, .. } => std::slice::from_ref(call),
        Subject::Form { during, .. }
        | Subject::Url { during, .. }
        | Subject::Sample { during, .. }
        | Subject::SampleReply { during, .. } => during,
        Subject::Change { .. } | Subject::Request { .. } | Subject::Rule { .. } => &[],
    }
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
