//! Calls that were sent and of whose end nothing is known.

use super::search::detail;
use super::{ActivityDetail, Audit};
use crate::StoreError;
use protocol::CallId;
use rusqlite::OptionalExtension;

impl Audit {
    /// Calls that were sent, have no outcome, are no tasks that are still waited for, and were not noted by a person; oldest first.
    pub async fn unknown(&self) -> Result<Vec<ActivityDetail>, StoreError> {
        self.bring_index_up_to_date().await?;
        let folder = self.dir();
        self.inner
            .db
            .read(move |db| {
                let mut select = db.prepare_cached(
                    "SELECT seq FROM activity a WHERE what = 'call' AND outcome = 'interrupted' AND call IS NOT NULL
                     AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.call = a.call)
                     AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.call = a.call AND j.step = 'noted') ORDER BY seq",
                )?;
                let mut found = select.query([])?;
                let mut unknown = Vec::new();
                while let Some(row) = found.next()? {
                    unknown.push(detail(db, &folder, row.get::<_, i64>(0)?.unsigned_abs())?);
                }
                Ok(unknown)
            })
            .await
    }

    /// Whether the log knows of this call more than that somebody was asked.
    pub async fn knows_call(&self, call: &CallId) -> Result<bool, StoreError> {
        self.bring_index_up_to_date().await?;
        let call = call.clone();
        self.inner
            .db
            .read(move |db| {
                let sql = "SELECT 1 FROM activity WHERE call = ?1 AND what = 'call'";
                Ok(db.query_row(sql, [call.as_str()], |_| Ok(())).optional()?.is_some())
            })
            .await
    }
}
