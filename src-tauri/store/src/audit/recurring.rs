//! What a server can have written to the log by itself, without anybody who asked for it.
//!
//! Always true here:
//! - a record of such a kind cannot be made without [`Times`], and only this file makes them;
//! - of each kind a few are written one by one; what comes again and again is counted, and written
//!   as one record a minute until a minute is quiet.

use protocol::{ServerId, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often something has happened that is written down once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Times(u32);

impl Times {
    /// As a number.
    pub fn get(self) -> u32 {
        self.0
    }

    /// Records of earlier versions are of one each.
    pub(super) fn once() -> Self {
        Self(1)
    }

    pub(super) fn is_once(&self) -> bool {
        self.0 == 1
    }
}

/// Writes one down, or as many as there were.
type Tell = Box<dyn FnOnce(Times) + Send>;

/// What servers brought about by themselves lately, by server and kind.
#[derive(Default)]
pub struct Recurring(Mutex<HashMap<(String, &'static str), Flow>>);

struct Flow {
    /// When the last one was.
    last: Timestamp,
    /// How many were told one by one since it was quiet.
    one_by_one: u32,
    /// How many were only counted since then.
    counted: u32,
    /// Tells of the last of them.
    tell: Option<Tell>,
}

impl Recurring {
    /// So many of one kind are told one by one.
    pub const ONE_BY_ONE: u32 = 10;
    /// How long others gather then, and how long none must come for it to be quiet.
    pub const MINUTE: Duration = Duration::from_secs(60);

    fn lock(&self) -> MutexGuard<'_, HashMap<(String, &'static str), Flow>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has `tell` write down that `server` has brought about `what`: at once, or together with
    /// others. True for the first of these others: [`Recurring::tell_counted`] is to be called in a
    /// minute.
    pub fn tell(
        &self,
        server: &ServerId,
        what: &'static str,
        now: Timestamp,
        tell: impl FnOnce(Times) + Send + 'static,
    ) -> bool {
        let mut all = self.lock();
        all.retain(|_, flow| flow.counted > 0 || now.since(flow.last) < Self::MINUTE);
        let flow = all.entry((server.key(), what)).or_insert(Flow {
            last: now,
            one_by_one: 0,
            counted: 0,
            tell: None,
        });
        flow.last = now;
        if flow.counted == 0 && flow.one_by_one < Self::ONE_BY_ONE {
            flow.one_by_one += 1;
            drop(all);
            tell(Times(1));
            return false;
        }
        flow.counted = flow.counted.saturating_add(1);
        flow.tell = Some(Box::new(tell));
        flow.counted == 1
    }

    /// Tells together what was only counted of one kind.
    pub fn tell_counted(&self, server: &ServerId, what: &'static str) {
        let counted = self
            .lock()
            .get_mut(&(server.key(), what))
            .and_then(Flow::take);
        if let Some((tell, times)) = counted {
            tell(times);
        }
    }

    /// Tells together what was only counted, of every kind.
    pub fn tell_all_counted(&self) {
        let counted: Vec<_> = self.lock().values_mut().filter_map(Flow::take).collect();
        for (tell, times) in counted {
            tell(times);
        }
    }
}

impl Flow {
    fn take(&mut self) -> Option<(Tell, Times)> {
        let tell = self.tell.take()?;
        Some((tell, Times(std::mem::take(&mut self.counted))))
    }
}

impl fmt::Debug for Recurring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recurring")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{NOW, server};
    use std::sync::Arc;

    /// What is told, in its order.
    #[derive(Clone, Default)]
    struct Told(Arc<Mutex<Vec<u32>>>);

    impl Told {
        fn told(&self) -> Vec<u32> {
            std::mem::take(&mut self.0.lock().unwrap())
        }

        fn of(
            &self,
            recurring: &Recurring,
            name: &str,
            what: &'static str,
            now: Timestamp,
        ) -> bool {
            let told = self.0.clone();
            recurring.tell(&server(name), what, now, move |times| {
                told.lock().unwrap().push(times.get());
            })
        }
    }

    #[test]
    fn of_a_flood_a_few_are_told_and_the_others_are_counted() {
        let (recurring, told) = (Recurring::default(), Told::default());
        let due = (0..20_000)
            .filter(|_| told.of(&recurring, "loud", "refused", NOW))
            .count();
        assert_eq!((due, told.told()), (1, vec![1; 10]));
        // Another server, and another kind, are counted by themselves.
        assert!(!told.of(&recurring, "quiet", "refused", NOW));
        assert!(!told.of(&recurring, "loud", "changed", NOW));
        assert_eq!(told.told(), [1, 1]);
        recurring.tell_counted(&server("loud"), "refused");
        recurring.tell_counted(&server("loud"), "refused");
        assert_eq!(told.told(), [19_990]);
    }

    #[test]
    fn what_does_not_fall_quiet_is_one_record_a_minute() {
        let (recurring, told) = (Recurring::default(), Told::default());
        let second = |number: u64| NOW.plus(Duration::from_secs(number));
        for number in 0..3_600 {
            told.of(&recurring, "loud", "refused", second(number));
            if number % 60 == 59 {
                recurring.tell_counted(&server("loud"), "refused");
            }
        }
        let hour = told.told();
        assert_eq!((hour.len(), hour.iter().sum::<u32>()), (70, 3_600));
        told.of(&recurring, "loud", "refused", second(3_600 + 60));
        assert_eq!(told.told(), [1], "it was quiet");
    }

    #[test]
    fn nothing_that_was_counted_is_lost_at_the_end() {
        let (recurring, told) = (Recurring::default(), Told::default());
        for _ in 0..15 {
            told.of(&recurring, "one", "refused", NOW);
            told.of(&recurring, "other", "changed", NOW);
        }
        told.told();
        recurring.tell_all_counted();
        recurring.tell_all_counted();
        assert_eq!(told.told(), [5, 5]);
    }

    #[test]
    fn a_clock_that_is_set_back_tells_no_more_than_before() {
        let (recurring, told) = (Recurring::default(), Told::default());
        for number in 0..100 {
            told.of(
                &recurring,
                "loud",
                "refused",
                Timestamp(NOW.0 - number * 1_000),
            );
        }
        assert_eq!(told.told(), [1; 10]);
    }
}
