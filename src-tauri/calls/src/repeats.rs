//! The same call again and again: a result that tells its reader to retry for ever must not be
//! obeyed for ever.
//!
//! Always true here:
//! - what counts is who asks, for which tool, with exactly which arguments; calls that are nearly
//!   the same are counted beside it (`alike.rs`), but for those that a person fills in;
//! - a grant lets so many through in a while, then a person is asked; after a no the same call is
//!   refused until the while is over.

use crate::alike::Alike;
use policy::Reason;
use protocol::{Timestamp, ToolCall, ToolResult};
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many times the same call runs within [`WHILE`] without a question. A person who presses a
/// button, or a program that waits for something, stays below; a loop does not.
pub const REPEATS: usize = 20;
/// How long a while is.
pub const WHILE: Duration = Duration::from_secs(60);
/// How many different calls are watched at a time. When there are too many, those that have rested
/// longest are let go together, so that a call seldom looks at all others.
const WATCHED: usize = 1024;
const LET_GO: usize = WATCHED / 4;

/// What may be done with a call that comes again.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Again {
    /// As if it came for the first time.
    Usual,
    /// A person is asked, whatever was allowed.
    Ask(Reason),
    /// It is refused: a person has said no a moment ago.
    Refuse,
}

/// Who asks for what, with which arguments: the hash of all of it. Nobody outside this process can
/// make two calls that share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Same(u64);

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
pub(crate) struct Repeats {
    same: Mutex<HashMap<Same, Seen>>,
    alike: Mutex<Alike>,
    hashes: RandomState,
}

impl Repeats {
    fn same(&self, call: &ToolCall) -> Same {
        let asked = (&call.caller, &call.server, &call.tool, &call.arguments);
        Same(self.hashes.hash_one(asked))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Same, Seen>> {
        self.same.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn alike(&self) -> MutexGuard<'_, Alike> {
        self.alike.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a call is wanted now, and says what may be done with it.
    pub(crate) fn again(&self, call: &ToolCall, now: Timestamp) -> Again {
        match self.same_again(self.same(call), now) {
            Again::Usual if !call.by_hand => self.alike().again(call, now),
            again => again,
        }
    }

    /// Notes what came of a call; nothing if it failed.
    pub(crate) fn came(&self, call: &ToolCall, result: Option<&ToolResult>) {
        self.alike().came(call, result);
    }

    fn same_again(&self, same: Same, now: Timestamp) -> Again {
        let mut all = self.lock();
        if all.len() >= WATCHED && !all.contains_key(&same) {
            // Whoever makes so many different calls does not repeat one.
            make_room(&mut all, now);
        }
        let seen = all.entry(same).or_default();
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
            let times = u32::try_from(seen.times.len()).unwrap_or(u32::MAX);
            return Again::Ask(Reason::Repeated { times });
        }
        seen.times.push_back(now);
        Again::Usual
    }

    /// A person was asked about it: after a yes it begins anew, after a no it is refused for a
    /// while.
    pub(crate) fn answered(&self, call: &ToolCall, why: &Reason, yes: bool, now: Timestamp) {
        if matches!(why, Reason::Alike { .. }) {
            return self.alike().answered(call, yes, now);
        }
        let seen = Seen {
            times: VecDeque::new(),
            refused_at: (!yes).then_some(now),
        };
        let same = self.same(call);
        self.lock().insert(same, seen);
    }
}

/// Lets go of the calls that were wanted longest ago, and of all that count no more.
fn make_room(all: &mut HashMap<Same, Seen>, now: Timestamp) {
    let mut last: Vec<Timestamp> = all.values().map(Seen::last).collect();
    last.sort_unstable();
    let newest_gone = last.get(LET_GO).copied().unwrap_or(now);
    let mut left = all.len() - LET_GO.min(all.len());
    all.retain(|_, seen| {
        // Of those of one moment as many stay as there is room for.
        let stays = seen.last() >= newest_gone && left > 0 && now.since(seen.last()) < WHILE;
        left -= usize::from(stays);
        stays
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{CallId, Caller, ServerId};
    use serde_json::json;

    fn call(text: &str) -> ToolCall {
        let arguments = json!({ "text": text }).as_object().cloned().unwrap();
        let server = ServerId::parse("files").unwrap();
        ToolCall {
            id: CallId::random(),
            caller: Caller::terminal(),
            conversation: Caller::terminal().conversation(),
            by_hand: false,
            server,
            tool: "read".into(),
            arguments,
        }
    }

    const REPEATED: Reason = Reason::Repeated { times: 20 };
    const NOW: Timestamp = Timestamp(1_795_000_000_000);

    #[test]
    fn case_39_the_same_call_is_asked_about_after_so_many_and_other_arguments_are_another_call() {
        let repeats = Repeats::default();
        for _ in 0..REPEATS {
            assert_eq!(repeats.again(&call("a"), NOW), Again::Usual);
        }
        assert_eq!(repeats.again(&call("a"), NOW), Again::Ask(REPEATED));
        assert_eq!(repeats.again(&call("b"), NOW), Again::Usual);
        assert_eq!(repeats.again(&call("a"), NOW.plus(WHILE)), Again::Usual);
    }

    #[test]
    fn case_39_a_yes_begins_anew_and_a_no_holds_for_a_while() {
        let repeats = Repeats::default();
        repeats.answered(&call("a"), &REPEATED, true, NOW);
        assert_eq!(repeats.again(&call("a"), NOW), Again::Usual);
        repeats.answered(&call("a"), &REPEATED, false, NOW);
        assert_eq!(
            repeats.again(&call("a"), NOW.plus(WHILE / 2)),
            Again::Refuse
        );
        assert_eq!(repeats.again(&call("a"), NOW.plus(WHILE)), Again::Usual);
    }

    #[test]
    fn what_is_watched_is_bounded() {
        let repeats = Repeats::default();
        for number in 0..2 * WATCHED {
            repeats.same_again(repeats.same(&call(&number.to_string())), NOW);
            assert!(repeats.lock().len() <= WATCHED);
        }
        assert!(repeats.lock().len() >= WATCHED - LET_GO);
    }

    #[test]
    fn the_call_that_comes_again_stays_watched_however_many_others_come() {
        let repeats = Repeats::default();
        let moment = |number: usize| NOW.plus(Duration::from_millis(number as u64));
        for number in 0..8 * WATCHED {
            repeats.same_again(repeats.same(&call(&number.to_string())), moment(number));
            if number % 500 == 0 {
                repeats.same_again(repeats.same(&call("again")), moment(number));
            }
        }
        let times = repeats.lock()[&repeats.same(&call("again"))].times.len();
        assert_eq!(times, (8 * WATCHED).div_ceil(500));
    }
}
