//! Calls that were sent and of whose end nothing is known.

use super::Audit;
use super::index::number;
use super::search::{detail, row_of};
use crate::StoreError;
use api::ActivityDetail;
use protocol::CallId;
use rusqlite::Connection;

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
        call: call.map(CallId),
        ..ActivityDetail::of(row_of(db, seq)?)
    })
}

impl Audit {
    /// Calls that were sent, have no outcome, are neither tasks that are still waited for nor paused,
    /// and were not noted by a person; oldest first.
    pub async fn unknown(&self) -> Result<Vec<ActivityDetail>, StoreError> {
        self.bring_index_up_to_date().await?;
        let folder = self.dir();
        self.inner
            .db
            .read(move |db| {
                let mut select = db.prepare_cached(
                    "SELECT seq FROM activity a WHERE what = 'call' AND outcome = 'interrupted' AND call IS NOT NULL
                     AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.call = a.call)
                     AND NOT EXISTS (SELECT 1 FROM waiting w WHERE w.call = a.call AND w.stage IN ('paused', 'noted')) ORDER BY seq",
                )?;
                let mut found = select.query([])?;
                let mut unknown = Vec::new();
                while let Some(row) = found.next()? {
                    let seq = row.get::<_, i64>(0)?.unsigned_abs();
                    // That nobody knows its end is known, even where what was sent cannot be read
                    // any more.
                    unknown.push(detail(db, &folder, seq).or_else(|error| bare(db, seq, &error))?);
                }
                Ok(unknown)
            })
            .await
    }
}
