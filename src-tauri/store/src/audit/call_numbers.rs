//! Which numbers calls have had, in ten bits each, so that of a number that nobody has had this is
//! known without looking into the index.
//!
//! Always true here: a number that is in the log, or waits for a person, is never said to be free.

use crate::StoreError;
use protocol::CallId;
use rusqlite::Connection;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Bits for each number, and how many of them a number sets: of a hundred that are free, one is
/// taken for one that may not be.
const BITS: usize = 10;
const SET: u64 = 7;
/// For how many more than there are there is room at least.
const ROOM: usize = 16_384;

/// The numbers of calls, as far as they have been learned.
#[derive(Default)]
pub(super) enum CallNumbers {
    /// Those of earlier records have not been read yet.
    #[default]
    Unknown,
    /// They are being read. Here are those that came since that began.
    Learning(Vec<u64>),
    Known(Numbers),
}

/// Numbers by the bits that they set.
pub(super) struct Numbers {
    bits: Vec<u64>,
    /// How many more it takes before it tells free ones from taken ones less well.
    room: usize,
}

impl CallNumbers {
    /// Notes the number of a record.
    pub(super) fn note(&mut self, call: &CallId) {
        match self {
            Self::Unknown => {}
            Self::Learning(since) => since.push(mark(call)),
            Self::Known(numbers) => {
                numbers.add(mark(call));
                if numbers.room == 0 {
                    *self = Self::Unknown;
                }
            }
        }
    }

    /// Whether nobody has had this number. False: somebody may have, or it is not known.
    pub(super) fn is_free(&self, call: &CallId) -> bool {
        matches!(self, Self::Known(numbers) if !numbers.may_have(mark(call)))
    }

    /// Begins to learn them. False if that was begun before.
    pub(super) fn begin(&mut self) -> bool {
        let is_unknown = matches!(self, Self::Unknown);
        if is_unknown {
            *self = Self::Learning(Vec::new());
        }
        is_unknown
    }

    /// Takes those that there were when, or after, learning began; nothing if they could not be
    /// read.
    pub(super) fn learned(&mut self, before: Option<&[u64]>) {
        *self = match (std::mem::take(self), before) {
            (Self::Learning(since), Some(before)) => {
                let mut numbers = Numbers::with_room(2 * (before.len() + since.len()) + ROOM);
                before
                    .iter()
                    .chain(&since)
                    .for_each(|&mark| numbers.add(mark));
                Self::Known(numbers)
            }
            _ => Self::Unknown,
        };
    }
}

impl Numbers {
    fn with_room(room: usize) -> Self {
        Self {
            bits: vec![0; (room * BITS).div_ceil(64)],
            room,
        }
    }

    fn add(&mut self, mark: u64) {
        for (word, bit) in places(mark, self.bits.len()) {
            if let Some(word) = self.bits.get_mut(word) {
                *word |= bit;
            }
        }
        self.room = self.room.saturating_sub(1);
    }

    fn may_have(&self, mark: u64) -> bool {
        places(mark, self.bits.len())
            .all(|(word, bit)| self.bits.get(word).is_some_and(|word| word & bit != 0))
    }
}

/// The bits of a number among so many words of them.
fn places(mark: u64, words: usize) -> impl Iterator<Item = (usize, u64)> {
    let bits = (words as u64 * 64).max(1);
    // Two halves of one hash serve as well as many hashes.
    let step = (mark >> 32) | 1;
    (0..SET).map(move |nth| {
        let place = mark.wrapping_add(nth.wrapping_mul(step)) % bits;
        (
            usize::try_from(place / 64).unwrap_or(usize::MAX),
            1 << (place % 64),
        )
    })
}

fn mark(call: &CallId) -> u64 {
    let mut hasher = DefaultHasher::new();
    call.hash(&mut hasher);
    hasher.finish()
}

/// All numbers that the index and the questions know.
pub(super) fn read(db: &Connection) -> Result<Vec<u64>, StoreError> {
    let sql = "SELECT call FROM activity WHERE call IS NOT NULL UNION ALL SELECT call FROM waiting WHERE call IS NOT NULL";
    let mut select = db.prepare(sql)?;
    let marks = select.query_map([], |row| Ok(mark(&CallId::from(row.get::<_, String>(0)?))))?;
    Ok(marks.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(count: usize) -> Vec<CallId> {
        (0..count).map(|_| CallId::random()).collect()
    }

    fn marks(calls: &[CallId]) -> Vec<u64> {
        calls.iter().map(mark).collect()
    }

    #[test]
    fn of_those_that_were_learned_and_noted_none_is_free_and_of_others_nearly_all_are() {
        let (before, during, after) = (some(5_000), some(100), some(10_000));
        let mut numbers = CallNumbers::default();
        assert!(numbers.begin());
        assert!(!numbers.begin());
        during.iter().for_each(|call| numbers.note(call));
        numbers.learned(Some(&marks(&before)));
        after.iter().for_each(|call| numbers.note(call));
        let taken = || before.iter().chain(&during).chain(&after);
        assert!(!taken().any(|call| numbers.is_free(call)));
        let free = some(10_000)
            .iter()
            .filter(|call| numbers.is_free(call))
            .count();
        assert!(free > 9_900, "{free}");
    }

    #[test]
    fn what_is_not_known_is_not_free() {
        let call = CallId::random();
        let mut numbers = CallNumbers::default();
        assert!(!numbers.is_free(&call));
        numbers.begin();
        assert!(!numbers.is_free(&call));
        numbers.learned(None);
        assert!(!numbers.is_free(&call));
        assert!(numbers.begin());
        numbers.learned(Some(&[]));
        assert!(numbers.is_free(&call));
    }

    #[test]
    fn more_than_there_is_room_for_are_learned_anew() {
        let mut numbers = CallNumbers::default();
        numbers.begin();
        numbers.learned(Some(&[]));
        let calls = some(ROOM + 1);
        for call in &calls {
            numbers.note(call);
            assert!(!numbers.is_free(call));
        }
        assert!(numbers.begin());
        numbers.learned(Some(&marks(&calls)));
        assert!(!calls.iter().any(|call| numbers.is_free(call)));
        assert!(!numbers.begin());
    }
}
