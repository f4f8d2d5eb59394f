//! What a server that is confined did with hosts: which it reached, and which it asked for in vain.
//!
//! It is bounded, because a server can ask for as many names as it likes, and for each outcome by
//! itself: names that were asked for in vain take no room from hosts that were reached. There is no
//! time in it: whoever looks notes when that was.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many different uses of one outcome are told apart.
const MOST: usize = 128;

/// What was done with hosts so far. Clones are the same record.
#[derive(Debug, Clone, Default)]
pub struct HostUses(Arc<Mutex<Record>>);

/// What a server did with one host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostUse {
    /// Its name, in lower case and in the letters of DNS; or its address, where no name was asked
    /// for.
    pub host: String,
    /// The port; none where only its name was looked up.
    pub port: Option<u16>,
    /// What came of it.
    pub outcome: HostOutcome,
    /// How often.
    pub count: u64,
    /// Why it was not reached, the last time; none where the outcome says it all.
    pub problem: Option<String>,
}

/// What came of asking for a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostOutcome {
    /// It was reached.
    Reached,
    /// Nobody listed it, or not this port of it.
    NotListed,
    /// It is listed, and leads to where this server may not go, such as a private network of which
    /// the address is not listed.
    Forbidden,
    /// It is listed, and could not be reached.
    Unreachable,
}

#[derive(Debug, Default)]
struct Record {
    uses: BTreeMap<Key, Times>,
    /// How many of them there are of each outcome.
    different: BTreeMap<HostOutcome, usize>,
    not_told_apart: u64,
}

type Key = (String, Option<u16>, HostOutcome);

#[derive(Debug, Default)]
struct Times {
    count: u64,
    last_problem: Option<String>,
}

impl HostUses {
    /// Every use, by host.
    pub fn all(&self) -> Vec<HostUse> {
        let record = self.lock();
        let uses = record.uses.iter();
        uses.map(|((host, port, outcome), times)| HostUse {
            host: host.clone(),
            port: *port,
            outcome: *outcome,
            count: times.count,
            problem: times.last_problem.clone(),
        })
        .collect()
    }

    /// How many uses there were beside those, of more hosts than are told apart.
    pub fn not_told_apart(&self) -> u64 {
        self.lock().not_told_apart
    }

    #[cfg_attr(
        all(windows, not(test)),
        expect(dead_code, reason = "no hosts are listed for a server on Windows")
    )]
    pub(super) fn note(
        &self,
        host: &str,
        port: Option<u16>,
        outcome: HostOutcome,
        problem: Option<String>,
    ) {
        let mut record = self.lock();
        let key = (host.to_owned(), port, outcome);
        if !record.uses.contains_key(&key) {
            let different = record.different.entry(outcome).or_default();
            if *different >= MOST {
                record.not_told_apart += 1;
                return;
            }
            *different += 1;
        }
        let times = record.uses.entry(key).or_default();
        times.count += 1;
        times.last_problem = problem;
    }

    fn lock(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_refused_are_bounded_and_push_out_no_host_that_was_reached() {
        let uses = HostUses::default();
        let listed = |port| {
            uses.note("a.example", Some(port), HostOutcome::Reached, None);
        };
        listed(443);
        listed(443);
        for number in 0..10_000 {
            uses.note(
                &format!("{number}.example"),
                None,
                HostOutcome::NotListed,
                None,
            );
        }
        // There is room for it all the same.
        listed(80);
        let all = uses.all();
        assert_eq!(all.len(), MOST + 2);
        assert_eq!(uses.not_told_apart(), 10_000 - MOST as u64);
        let counts: Vec<_> = all
            .iter()
            .filter(|one| one.host == "a.example")
            .map(|one| (one.port, one.count))
            .collect();
        assert_eq!(counts, [(Some(80), 1), (Some(443), 2)]);
    }
}
