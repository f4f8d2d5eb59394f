//! Calls whose end may stand a few records after their beginning: most calls are short, and a row
//! that is made with its end costs half of one that is changed by it.

use super::call_end::Took;
use super::call_events::CallClosed;
use super::index::{Place, insert, open, put_record};
use super::record::{Entry, Event};
use super::row_batch::RowBatch;
use crate::StoreError;
use protocol::CallId;
use rusqlite::Transaction;
use std::collections::HashMap;

/// Most of them; they are kept while records are read, and no longer.
const MOST: usize = 1024;

/// Calls that were read and are in no row yet.
#[derive(Default)]
pub(super) struct BegunCalls(HashMap<CallId, (u64, Entry, Place)>);

impl BegunCalls {
    /// Indexes a record; of one that begins a call, as soon as it is known whether its end follows.
    pub(super) fn insert(
        &mut self,
        tx: &Transaction<'_>,
        batch: &mut RowBatch,
        seq: u64,
        entry: Entry,
        place: Place,
    ) -> Result<(), StoreError> {
        match (&entry.event, &entry.call) {
            (Event::CallOpened(_), Some(call)) => {
                if self.0.len() >= MOST || self.0.contains_key(call) {
                    self.settle(tx, batch)?;
                }
                self.0.insert(call.clone(), (seq, entry, place));
                Ok(())
            }
            (Event::CallClosed(CallClosed { outcome, error, .. }), Some(call))
                if let Some((row, begun, began)) = self.0.remove(call) =>
            {
                let took = Took::of(&entry.event);
                let what = ("call", error.as_deref());
                open(tx, batch, row, &begun, what, (*outcome, took))?;
                put_record(tx, row, Some(row), &begun, began)?;
                put_record(tx, seq, Some(row), &entry, place)
            }
            _ => insert(tx, batch, seq, &entry, place),
        }
    }

    /// Makes the rows of those whose end has not come.
    pub(super) fn settle(
        &mut self,
        tx: &Transaction<'_>,
        batch: &mut RowBatch,
    ) -> Result<(), StoreError> {
        let mut begun: Vec<_> = self.0.drain().map(|(_, begun)| begun).collect();
        begun.sort_by_key(|(seq, _, _)| *seq);
        for (seq, entry, place) in begun {
            insert(tx, batch, seq, &entry, place)?;
        }
        Ok(())
    }
}
