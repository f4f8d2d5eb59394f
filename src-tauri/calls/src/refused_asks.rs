//! How often servers were refused something that nobody may be asked for.
//!
//! Always true here: the first few of a kind within a minute are told one by one, and the others as a
//! number, so that asking without end fills neither the log nor a list of events.

use crate::floods::MINUTE;
use api::AskRefusal;
use protocol::{ServerId, Timestamp};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many of one kind are told one by one within [`MINUTE`].
const ONE_BY_ONE: usize = 10;

/// All that were refused within the last minute, by server and kind.
#[derive(Debug, Default)]
pub(crate) struct RefusedAsks(Mutex<HashMap<(String, &'static str), Flow>>);

#[derive(Debug, Default)]
struct Flow {
    /// When one was told by itself, oldest first.
    told: VecDeque<Timestamp>,
    /// How many were only counted since.
    counted: u32,
}

/// What is to be done about one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noted {
    /// It is told by itself.
    Alone,
    /// It is counted, the first of them: they are to be told together in a minute.
    First,
    /// It is counted with others that will be told.
    Counted,
}

impl RefusedAsks {
    fn lock(&self) -> MutexGuard<'_, HashMap<(String, &'static str), Flow>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes one.
    pub(crate) fn note(&self, server: &ServerId, why: AskRefusal, now: Timestamp) -> Noted {
        let mut all = self.lock();
        all.retain(|_, flow| {
            flow.told.retain(|at| now.since(*at) < MINUTE);
            flow.counted > 0 || !flow.told.is_empty()
        });
        let flow = all.entry((server.key(), why.key())).or_default();
        if flow.counted == 0 && flow.told.len() < ONE_BY_ONE {
            flow.told.push_back(now);
            return Noted::Alone;
        }
        flow.counted = flow.counted.saturating_add(1);
        if flow.counted == 1 {
            Noted::First
        } else {
            Noted::Counted
        }
    }

    /// Takes the number of those that were only counted, to be told.
    pub(crate) fn take(&self, server: &ServerId, why: AskRefusal) -> u32 {
        self.lock()
            .get_mut(&(server.key(), why.key()))
            .map_or(0, |flow| std::mem::take(&mut flow.counted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const NOW: Timestamp = Timestamp(1_795_000_000_000);

    #[test]
    fn of_a_flood_a_few_are_told_and_the_others_are_counted() {
        let (refused, loud) = (RefusedAsks::default(), ServerId::parse("loud").unwrap());
        let quiet = ServerId::parse("quiet").unwrap();
        let noted: Vec<_> = (0..20_000)
            .map(|_| refused.note(&loud, AskRefusal::Unbidden, NOW))
            .collect();
        let of = |kind| noted.iter().filter(|noted| **noted == kind).count();
        assert_eq!(
            (of(Noted::Alone), of(Noted::First), of(Noted::Counted)),
            (ONE_BY_ONE, 1, 20_000 - ONE_BY_ONE - 1)
        );
        let other = refused.note(&quiet, AskRefusal::Unbidden, NOW);
        let kind = refused.note(&loud, AskRefusal::Password, NOW);
        assert_eq!((other, kind), (Noted::Alone, Noted::Alone));
        assert_eq!(refused.take(&loud, AskRefusal::Unbidden), 19_990);
        assert_eq!(refused.take(&loud, AskRefusal::Unbidden), 0);
        let later = NOW.plus(MINUTE + Duration::from_secs(1));
        assert_eq!(
            refused.note(&loud, AskRefusal::Unbidden, later),
            Noted::Alone
        );
    }
}
