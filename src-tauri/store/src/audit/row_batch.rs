//! The rows that one transaction adds to the index, with what they have in common: when they were
//! made, and who asked.
//!
//! Always true here: that is written once for all of them, before the transaction ends.

use super::callers;
use super::index::number;
use super::record::Entry;
use super::word_index;
use crate::StoreError;
use protocol::Caller;
use rusqlite::{Transaction, params};
use std::collections::BTreeMap;

/// Of the rows that one transaction makes.
pub(super) struct RowBatch {
    /// The last row that the index of words holds.
    last_with_words: i64,
    /// From when to when the rows of a stretch are.
    times: BTreeMap<i64, (i64, i64)>,
    /// Who asked, by their column, with the last row in which they did.
    callers: BTreeMap<String, (u64, Caller)>,
}

impl RowBatch {
    /// Rows by which times are looked up together.
    pub(super) const STRETCH: i64 = 1_024;

    /// None yet.
    pub(super) fn of(tx: &Transaction<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            last_with_words: word_index::last(tx)?,
            times: BTreeMap::new(),
            callers: BTreeMap::new(),
        })
    }

    /// A row was made of this record.
    pub(super) fn note(
        &mut self,
        tx: &Transaction<'_>,
        seq: u64,
        entry: &Entry,
    ) -> Result<(), StoreError> {
        let (row, at) = (number(seq), entry.at.0);
        // Behind the last that is there it waits for its turn.
        if row <= self.last_with_words {
            word_index::put(tx, row)?;
        }
        let (first, last) = self.times.entry(row / Self::STRETCH).or_insert((at, at));
        (*first, *last) = (at.min(*first), at.max(*last));
        if let Some(caller) = &entry.caller {
            let key = callers::key_of(caller.kind(), caller.id());
            match self.callers.get_mut(&key) {
                Some((known, _)) if *known > seq => {}
                Some(known) => *known = (seq, caller.clone()),
                None => _ = self.callers.insert(key, (seq, caller.clone())),
            }
        }
        Ok(())
    }

    /// Writes it down.
    pub(super) fn write(self, tx: &Transaction<'_>) -> Result<(), StoreError> {
        for (stretch, (first, last)) in self.times {
            tx.prepare_cached(
                "INSERT INTO activity_times (stretch, first, last) VALUES (?1, ?2, ?3)
                 ON CONFLICT (stretch) DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)",
            )?
            .execute(params![stretch, first, last])?;
        }
        for (key, (seq, caller)) in self.callers {
            callers::note(tx, &key, &caller, seq)?;
        }
        Ok(())
    }
}
