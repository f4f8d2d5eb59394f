//! The calls of the newest records, by which it is known without the index whether there was a call.
//!
//! Always true here: every call that began, was refused or ended in a record after [`RecentCalls::since`]
//! is among them; they are as many as two generations, whatever is appended.

use super::record::{Entry, Event};
use protocol::CallId;
use std::collections::HashSet;

/// Calls of one generation: more than the index is behind by.
const GENERATION: usize = 1024;

/// The calls of the newest records.
pub(super) struct RecentCalls {
    young: HashSet<CallId>,
    old: HashSet<CallId>,
    /// The record after which the young ones begin.
    young_since: u64,
    since: u64,
}

impl RecentCalls {
    /// None yet, in a log that ends with record `seq`.
    pub(super) fn after(seq: u64) -> Self {
        Self {
            young: HashSet::new(),
            old: HashSet::new(),
            young_since: seq,
            since: seq,
        }
    }

    /// Notes what record `seq`, the last of the log, says of a call: more than that somebody was
    /// asked.
    pub(super) fn note(&mut self, seq: u64, entry: &Entry) {
        let (Some(call), true) = (&entry.call, is_of_a_call(&entry.event)) else {
            return;
        };
        if self.young.len() >= GENERATION {
            self.since = self.young_since;
            std::mem::swap(&mut self.old, &mut self.young);
            self.young.clear();
            self.young_since = seq.saturating_sub(1);
        }
        if !self.young.contains(call) {
            self.young.insert(call.clone());
        }
    }

    /// Whether one of them has this number.
    pub(super) fn contains(&self, call: &CallId) -> bool {
        self.young.contains(call) || self.old.contains(call)
    }

    /// The record after which all calls are here.
    pub(super) fn since(&self) -> u64 {
        self.since
    }
}

/// Whether the row of the record is that of a call.
fn is_of_a_call(event: &Event) -> bool {
    matches!(
        event,
        Event::CallOpened(_) | Event::CallRefused { .. } | Event::CallClosed(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{about, opened};
    use protocol::QuestionId;
    use serde_json::json;

    #[test]
    fn every_call_after_the_record_it_names_is_known_and_they_stay_bounded() {
        let mut recent = RecentCalls::after(7);
        let calls: Vec<CallId> = (0..5 * GENERATION).map(|_| CallId::random()).collect();
        for (place, call) in calls.iter().enumerate() {
            let seq = 8 + place as u64;
            recent.note(seq, &opened(call, json!({})));
            assert!(recent.young.len() + recent.old.len() <= 2 * GENERATION);
            if place % 97 == 0 {
                let known = usize::try_from(recent.since() - 7).unwrap();
                assert!(place + 1 - known <= 2 * GENERATION);
                assert!(
                    calls[known..=place]
                        .iter()
                        .all(|call| recent.contains(call))
                );
                assert!(!calls[..known].iter().any(|call| recent.contains(call)));
            }
        }
    }

    #[test]
    fn a_question_alone_is_no_call() {
        let mut recent = RecentCalls::after(0);
        let call = CallId::random();
        let question = QuestionId::random();
        recent.note(1, &about(&call, Event::QuestionAsked { question }));
        assert!(!recent.contains(&call));
    }
}
