//! Calls that are nearly the same, again and again: whoever counts up, asks for the time or makes
//! up an id goes round in circles as well as one who says exactly the same.
//!
//! Always true here:
//! - a run is of one caller in one conversation, for one tool, with arguments that differ from call
//!   to call in at most [`FEW`] values; a person's answer, or a rest, ends it;
//! - where only what counts differs and the result is the same each time, it is a circle after
//!   [`SAME`] calls; where results change, as from page to page, it is work;
//! - what is kept is bounded, whatever is called.

use crate::repeats::Again;
use policy::Reason;
use protocol::{Timestamp, ToolCall, ToolResult};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::time::Duration;

#[cfg(test)]
mod tests;

/// So many calls in a row that only count up, each with the same result, run without a question: as
/// many as of exactly the same call.
pub const SAME: u32 = 20;
/// A result of more bytes than this is no sign of a circle: who reads so much each time comes to an
/// end soon.
const LONG: usize = 16 * 1024;
/// Values that may differ from one call to the next: a counter, a time and an id.
const FEW: usize = 3;
/// A run ends when nothing of it was called for so long.
const REST: Duration = Duration::from_secs(10 * 60);
/// How long a no holds.
const REFUSED: Duration = Duration::from_secs(60);
/// Calls with more values than this are not compared.
const VALUES: usize = 64;
/// Runs of one caller and tool: whoever takes turns between a few forms is followed in each.
const RUNS: usize = 4;
/// Callers and tools that are followed at a time.
const FOLLOWED: usize = 256;

/// Who asks in which conversation for what: the hash of all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key(u64);

/// The values of a call's arguments, in the order of their places.
#[derive(Debug, Clone, PartialEq)]
struct Values(Vec<ValueHashes>);

/// The hashes of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ValueHashes {
    /// Where it stands.
    place: u64,
    /// What it is.
    whole: u64,
    /// What is left of it without what counts.
    rest: u64,
}

/// How a call differs from one before it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Differs {
    /// In nothing.
    Not,
    /// In what counts only.
    Counts,
    /// In a few values.
    Few,
    /// Otherwise.
    Much,
}

#[derive(Debug)]
struct Run {
    values: Values,
    /// Calls in a row that only counted up and have ended with the same result.
    same: u32,
    /// Calls of which the result is not known yet.
    open: u32,
    /// What came last; nothing before the first end.
    came: Option<Came>,
    last_at: Timestamp,
    refused_at: Option<Timestamp>,
}

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Came {
    /// An error, which is the same each time.
    Failed,
    /// This result.
    Short(u64),
    /// A result that is too long to say anything.
    Long,
}

/// The runs of the last while.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    runs: HashMap<Key, VecDeque<Run>>,
    hashes: RandomState,
}

impl Alike {
    fn key(&self, call: &ToolCall) -> Key {
        let asked = (&call.caller, &call.conversation, &call.server, &call.tool);
        Key(self.hashes.hash_one(asked))
    }

    /// Notes that a call is wanted now, and says what may be done with it.
    pub(crate) fn again(&mut self, call: &ToolCall, now: Timestamp) -> Again {
        let Some(values) = self.values(call) else {
            return Again::Usual;
        };
        let key = self.key(call);
        self.make_room(key, now);
        let runs = self.runs.entry(key).or_default();
        runs.retain(|run| now.since(run.last_at) < REST);
        let Some((at, differs)) = closest(runs, &values) else {
            runs.truncate(RUNS - 1);
            runs.push_front(Run::new(values, now));
            return Again::Usual;
        };
        // The one that was called last stands first.
        let Some(mut run) = runs.remove(at) else {
            return Again::Usual;
        };
        let again = run.again(differs, values, now);
        runs.push_front(run);
        again
    }

    /// Notes what came of a call; nothing if it failed.
    pub(crate) fn came(&mut self, call: &ToolCall, result: Option<&ToolResult>) {
        let Some(values) = self.values(call) else {
            return;
        };
        let came = result.map_or(Came::Failed, |result| self.result(result));
        let Some(runs) = self.runs.get_mut(&self.key(call)) else {
            return;
        };
        if let Some((at, _)) = closest(runs, &values) {
            runs[at].came(came);
        }
    }

    /// A person was asked about it: after a yes it begins anew, after a no it is refused for a
    /// while.
    pub(crate) fn answered(&mut self, call: &ToolCall, yes: bool, now: Timestamp) {
        let Some(values) = self.values(call) else {
            return;
        };
        let runs = self.runs.entry(self.key(call)).or_default();
        if let Some((at, _)) = closest(runs, &values) {
            runs[at] = Run {
                open: 0,
                refused_at: (!yes).then_some(now),
                ..Run::new(values, now)
            };
        }
    }

    fn make_room(&mut self, key: Key, now: Timestamp) {
        if self.runs.len() < FOLLOWED || self.runs.contains_key(&key) {
            return;
        }
        let last = |runs: &VecDeque<Run>| runs.front().map(|run| run.last_at);
        self.runs
            .retain(|_, runs| last(runs).is_some_and(|at| now.since(at) < REST));
        if self.runs.len() >= FOLLOWED
            && let Some(oldest) = self
                .runs
                .iter()
                .min_by_key(|(_, runs)| last(runs))
                .map(|(key, _)| *key)
        {
            self.runs.remove(&oldest);
        }
    }

    /// The values of a call; nothing if there are none, or too many.
    fn values(&self, call: &ToolCall) -> Option<Values> {
        let mut values = Vec::new();
        for (name, value) in &call.arguments {
            let place = self.hashes.hash_one(name);
            self.add(place, value, &mut values)?;
        }
        values.sort_unstable();
        (!values.is_empty()).then_some(Values(values))
    }

    fn add(&self, place: u64, value: &Value, to: &mut Vec<ValueHashes>) -> Option<()> {
        let inside = |key: &dyn Fn(&mut dyn Hasher)| {
            let mut hasher = self.hashes.build_hasher();
            place.hash(&mut hasher);
            key(&mut hasher);
            hasher.finish()
        };
        match value {
            Value::Array(items) => items.iter().enumerate().try_for_each(|(index, item)| {
                let place = inside(&|hasher| hasher.write_usize(index));
                self.add(place, item, to)
            }),
            Value::Object(fields) => fields.iter().try_for_each(|(name, field)| {
                let place = inside(&|hasher| hasher.write(name.as_bytes()));
                self.add(place, field, to)
            }),
            scalar => {
                if to.len() >= VALUES {
                    return None;
                }
                let mut rest = self.hashes.build_hasher();
                without_counts(scalar, |part| rest.write(part.as_bytes()));
                to.push(ValueHashes {
                    place,
                    whole: self.hashes.hash_one(scalar),
                    rest: rest.finish(),
                });
                Some(())
            }
        }
    }

    fn result(&self, result: &ToolResult) -> Came {
        let mut hasher = self.hashes.build_hasher();
        result.is_error.hash(&mut hasher);
        let hashing = Hashing {
            hasher: &mut hasher,
            left: LONG,
        };
        match serde_json::to_writer(hashing, &(&result.content, &result.structured)) {
            Ok(()) => Came::Short(hasher.finish()),
            Err(_) => Came::Long,
        }
    }
}

impl Run {
    fn new(values: Values, now: Timestamp) -> Self {
        Self {
            values,
            same: 0,
            open: 1,
            came: None,
            last_at: now,
            refused_at: None,
        }
    }

    fn again(&mut self, differs: Differs, values: Values, now: Timestamp) -> Again {
        if self.refused_at.is_some_and(|at| now.since(at) < REFUSED) {
            return Again::Refuse;
        }
        // Exactly the same call has a count of its own.
        if differs == Differs::Not {
            return Again::Usual;
        }
        if differs != Differs::Counts {
            self.same = 0;
        }
        if self.same >= SAME {
            return Again::Ask(Reason::Alike { times: self.same });
        }
        self.open += 1;
        (self.values, self.last_at) = (values, now);
        Again::Usual
    }

    fn came(&mut self, came: Came) {
        // Exactly the same call, which is not counted here, can have ended in between.
        let Some(open) = self.open.checked_sub(1) else {
            return;
        };
        self.open = open;
        let is_same = self.came.replace(came) == Some(came);
        self.same = match came {
            Came::Long => 0,
            _ if is_same => self.same + 1,
            _ => 1,
        };
    }
}

impl Values {
    fn differs(&self, before: &Self) -> Differs {
        let both = || self.0.iter().zip(&before.0);
        if self.0.len() != before.0.len() || both().any(|(a, b)| a.place != b.place) {
            return Differs::Much;
        }
        match both().filter(|(a, b)| a.whole != b.whole).count() {
            0 => Differs::Not,
            1..=FEW if both().all(|(a, b)| a.rest == b.rest) => Differs::Counts,
            1..=FEW => Differs::Few,
            _ => Differs::Much,
        }
    }
}

/// The run that a call goes on with: the one from which it differs least.
fn closest(runs: &VecDeque<Run>, values: &Values) -> Option<(usize, Differs)> {
    let each = runs
        .iter()
        .map(|run| values.differs(&run.values))
        .enumerate();
    each.filter(|(_, differs)| *differs != Differs::Much)
        .min_by_key(|(at, differs)| (*differs as u8, *at))
}

/// Tells what is left of a value without what counts, part by part: without numbers, the digits in a
/// text, and an id that was made up.
fn without_counts(value: &Value, mut tell: impl FnMut(&str)) {
    const COUNTED: &str = "#";
    match value {
        Value::Number(_) => tell(COUNTED),
        Value::String(text) if is_id(text) => tell(COUNTED),
        Value::String(text) => {
            let mut rest = text.as_str();
            while let Some(at) = rest.find(char::is_numeric) {
                tell(&rest[..at]);
                tell(COUNTED);
                rest = rest[at..].trim_start_matches(char::is_numeric);
            }
            tell(rest);
        }
        other => tell(&other.to_string()),
    }
}

/// Whether a text is one row of letters and digits, as random ids and cursors are.
fn is_id(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=' | '+');
    (8..=256).contains(&text.len())
        && text.chars().all(fits)
        && text.chars().any(|c| c.is_ascii_digit())
        && text.chars().any(|c| c.is_ascii_alphabetic())
}

/// Writes into a hash, and fails where it becomes too much.
struct Hashing<'a, H> {
    hasher: &'a mut H,
    left: usize,
}

impl<H: Hasher> std::io::Write for Hashing<'_, H> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.left = self
            .left
            .checked_sub(bytes.len())
            .ok_or(std::io::ErrorKind::FileTooLarge)?;
        self.hasher.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
