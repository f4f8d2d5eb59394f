//! Calls that were sent and of whose end nothing is known.

use super::Audit;
use super::index::number;
use super::search::{detail, row_of};
use crate::StoreError;
use api::ActivityDetail;
use protocol::CallId;
use rusqlite::{Connection, OptionalExtension as _};
use std::path::Path;

/// As many of them are told at once, with so many bytes of what was sent: who has seen some is told
/// of the next.
const MOST: usize = 100;
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// Calls that were sent, have no outcome, are neither tasks that are still waited for nor paused,
/// and were not noted by a person.
const UNKNOWN: &str = "FROM activity a WHERE what = 'call' AND outcome = 'interrupted' AND call IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.call = a.call)
    AND NOT EXISTS (SELECT 1 FROM waiting w WHERE w.call = a.call AND w.stage IN ('paused', 'noted'))";

/// Calls that were sent and of whose end nothing is known.
#[derive(Debug, Default)]
pub struct UnknownOutcomes {
    /// The oldest of them, oldest first: at most 100, with at most 4 MiB of what was sent, and one at
    /// least if there is any.
    pub first: Vec<ActivityDetail>,
    /// How many more there are.
    pub more: usize,
}

/// The first record of the oldest call that runs, or of which nobody knows the end and no person
/// has noted it.
pub(super) fn first_unresolved(db: &Connection) -> Result<Option<u64>, StoreError> {
    let sql = "SELECT min(seq) FROM activity a WHERE what = 'call' AND call IS NOT NULL AND (outcome = 'running' OR outcome = 'interrupted'
               AND NOT EXISTS (SELECT 1 FROM waiting w WHERE w.call = a.call AND w.stage = 'noted'))";
    let first: Option<i64> = db.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    Ok(first.map(i64::unsigned_abs))
}

/// What the index alone knows of a call.
fn bare(db: &Connection, seq: u64, why: &StoreError) -> Result<ActivityDetail, StoreError> {
    tracing::warn!(error = %why, record = seq, "the records of a call cannot be read");
    let call: Option<String> = db.query_row(
        "SELECT call FROM activity WHERE seq = ?1",
        [number(seq)],
        |row| row.get(0),
    )?;
    Ok(ActivityDetail {
        call: call.map(CallId::from),
        ..ActivityDetail::of(row_of(db, seq)?)
    })
}

/// The row of a call, with what was sent, even where that cannot be read any more: that nobody knows
/// its end is known.
fn known(db: &Connection, folder: &Path, seq: i64) -> Result<ActivityDetail, StoreError> {
    let seq = seq.unsigned_abs();
    detail(db, folder, seq).or_else(|error| bare(db, seq, &error))
}

fn bytes(detail: &ActivityDetail) -> usize {
    detail.records.iter().map(String::len).sum()
}

impl Audit {
    /// Calls that were sent, have no outcome, are neither tasks that are still waited for nor paused,
    /// and were not noted by a person.
    pub async fn unknown(&self) -> Result<UnknownOutcomes, StoreError> {
        self.bring_index_up_to_date().await?;
        let folder = self.dir();
        self.inner
            .db
            .read(move |db| {
                let mut select =
                    db.prepare_cached(&format!("SELECT seq {UNKNOWN} ORDER BY seq"))?;
                let mut found = select.query([])?;
                let (mut unknown, mut told) = (UnknownOutcomes::default(), 0);
                while let Some(row) = found.next()? {
                    if unknown.more > 0 || unknown.first.len() == MOST {
                        unknown.more += 1;
                        continue;
                    }
                    let one = known(db, &folder, row.get(0)?)?;
                    told += bytes(&one);
                    match told <= MOST_BYTES || unknown.first.is_empty() {
                        true => unknown.first.push(one),
                        false => unknown.more += 1,
                    }
                }
                Ok(unknown)
            })
            .await
    }

    /// One of [`Audit::unknown`], if this call is one, whether it is told with them or not.
    pub async fn unknown_call(&self, call: CallId) -> Result<Option<ActivityDetail>, StoreError> {
        self.bring_index_up_to_date().await?;
        let folder = self.dir();
        self.inner
            .db
            .read(move |db| {
                let sql = format!("SELECT seq {UNKNOWN} AND a.call = ?1");
                let seq: Option<i64> = db
                    .prepare_cached(&sql)?
                    .query_row([call.as_str()], |row| row.get(0))
                    .optional()?;
                seq.map(|seq| known(db, &folder, seq)).transpose()
            })
            .await
    }
}
