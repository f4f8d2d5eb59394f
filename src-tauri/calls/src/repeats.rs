//! The same call again and again: a result that tells its reader to retry for ever must not be
//! obeyed for ever.
//!
//! Always true here:
//! - what counts is who asks, for which tool, with exactly which arguments; a tool that is called
//!   with others each time is work;
//! - a grant lets so many through in a while, then a person is asked; after a no the same call is
//!   refused until the while is over.

use protocol::{Caller, ServerId, Timestamp, ToolCall, ToolName};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many times the same call runs within [`WHILE`] without a question. A person who presses a
/// button, or a program that waits for something, stays below; a loop does not.
pub const REPEATS: usize = 20;
/// How long a while is.
pub const WHILE: Duration = Duration::from_secs(60);
/// How many different calls are watched at a time.
const WATCHED: usize = 1024;

/// What may be done with a call that comes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// As if it came for the first time.
    Usual,
    /// A person is asked, whatever was allowed. So many came before it.
    Ask(u32),
    /// It is refused: a person has said no a moment ago.
    Refuse,
}

/// Who asks for what.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Same {
    caller: Caller,
    server: ServerId,
    tool: ToolName,
    arguments: protocol::Fingerprint,
}

impl Same {
    pub fn of(call: &ToolCall) -> Self {
        let arguments = call.arguments_fingerprint();
        Self {
            caller: call.caller.clone(),
            server: call.server.clone(),
            tool: call.tool.clone(),
            arguments,
        }
    }
}

#[derive(Default)]
struct Seen {
    /// Oldest first, none older than a while.
    times: VecDeque<Timestamp>,
    refused_at: Option<Timestamp>,
}

impl Seen {
    fn last(&self) -> Timestamp {
        self.times
            .back()
            .copied()
            .max(self.refused_at)
            .unwrap_or(Timestamp(i64::MIN))
    }
}

/// The calls of the last while.
#[derive(Default)]
pub(crate) struct Repeats(Mutex<HashMap<Same, Seen>>);

impl Repeats {
    fn lock(&self) -> MutexGuard<'_, HashMap<Same, Seen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a call is wanted now, and says what may be done with it.
    pub(crate) fn again(&self, same: &Same, now: Timestamp) -> Again {
        let mut all = self.lock();
        if all.len() >= WATCHED && !all.contains_key(same) {
            all.retain(|_, seen| now.since(seen.last()) < WHILE);
            // Whoever makes so many different calls does not repeat one; the one that rests longest
            // is let go.
            if all.len() >= WATCHED
                && let Some(oldest) = all
                    .iter()
                    .min_by_key(|(_, seen)| seen.last())
                    .map(|(same, _)| same.clone())
            {
                all.remove(&oldest);
            }
        }
        let seen = all.entry(same.clone()).or_default();
        if seen.refused_at.is_some_and(|at| now.since(at) < WHILE) {
            return Again::Refuse;
        }
        while seen
            .times
            .front()
            .is_some_and(|first| now.since(*first) >= WHILE)
        {
            seen.times.pop_front();
        }
        if seen.times.len() >= REPEATS {
            return Again::Ask(u32::try_from(seen.times.len()).unwrap_or(u32::MAX));
        }
        seen.times.push_back(now);
        Again::Usual
    }

    /// A person was asked about it: after a yes it begins anew, after a no it is refused for a
    /// while.
    pub(crate) fn answered(&self, same: &Same, yes: bool, now: Timestamp) {
        let seen = Seen {
            times: VecDeque::new(),
            refused_at: (!yes).then_some(now),
        };
        self.lock().insert(same.clone(), seen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::CallId;
    use serde_json::json;

    fn same(text: &str) -> Same {
        let arguments = json!({ "text": text }).as_object().cloned().unwrap();
        let server = ServerId::parse("files").unwrap();
        Same::of(&ToolCall {
            id: CallId::random(),
            caller: Caller::terminal(),
            conversation: Caller::terminal().conversation(),
            by_hand: false,
            server,
            tool: "read".into(),
            arguments,
        })
    }

    const NOW: Timestamp = Timestamp(1_795_000_000_000);

    #[test]
    fn case_39_the_same_call_is_asked_about_after_so_many_and_other_arguments_are_another_call() {
        let repeats = Repeats::default();
        for _ in 0..REPEATS {
            assert_eq!(repeats.again(&same("a"), NOW), Again::Usual);
        }
        assert_eq!(repeats.again(&same("a"), NOW), Again::Ask(20));
        assert_eq!(repeats.again(&same("b"), NOW), Again::Usual);
        assert_eq!(repeats.again(&same("a"), NOW.plus(WHILE)), Again::Usual);
    }

    #[test]
    fn case_39_a_yes_begins_anew_and_a_no_holds_for_a_while() {
        let repeats = Repeats::default();
        repeats.answered(&same("a"), true, NOW);
        assert_eq!(repeats.again(&same("a"), NOW), Again::Usual);
        repeats.answered(&same("a"), false, NOW);
        assert_eq!(
            repeats.again(&same("a"), NOW.plus(WHILE / 2)),
            Again::Refuse
        );
        assert_eq!(repeats.again(&same("a"), NOW.plus(WHILE)), Again::Usual);
    }

    #[test]
    fn what_is_watched_is_bounded() {
        let repeats = Repeats::default();
        for number in 0..2 * WATCHED {
            repeats.again(&same(&number.to_string()), NOW);
        }
        assert_eq!(repeats.lock().len(), WATCHED);
    }
}
