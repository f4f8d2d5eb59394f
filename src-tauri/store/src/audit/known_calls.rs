//! Whether there was a call of a number, whether it ended, and how.

#[cfg(test)]
use super::call_numbers::CallNumbers;
use super::search::detail;
use super::{Audit, call_numbers, index_up_to};
use crate::StoreError;
use api::ActivityDetail;
use protocol::CallId;
use rusqlite::{Connection, OptionalExtension};
use std::sync::Arc;

/// Whether the index knows a call, and how far it has got.
const CALLS: &str = "SELECT EXISTS (SELECT 1 FROM activity WHERE call = ?1 AND what = 'call'), (SELECT seq FROM activity_state)";
/// The same, with calls that somebody is, or was, asked about.
const CALLS_AND_QUESTIONS: &str = "SELECT EXISTS (SELECT 1 FROM activity WHERE call = ?1 AND what = 'call') OR EXISTS (SELECT 1 FROM waiting WHERE call = ?1), (SELECT seq FROM activity_state)";

/// What the index knows of a call; nothing if it does not know one and has not got as far as record
/// `since`.
fn indexed(
    db: &Connection,
    sql: &str,
    call: &CallId,
    since: u64,
) -> Result<Option<bool>, StoreError> {
    let mut select = db.prepare_cached(sql)?;
    let (is_known, seq): (bool, Option<i64>) =
        select.query_row([call.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let is_far_enough = seq.map_or(0, i64::unsigned_abs) >= since;
    Ok((is_known || is_far_enough).then_some(is_known))
}

impl Audit {
    /// Whether the log knows of this call more than that somebody was asked.
    pub async fn knows_call(&self, call: &CallId) -> Result<bool, StoreError> {
        self.knows(call, CALLS).await
    }

    /// Whether no other call may have this number: there was one in the log, or one of which
    /// somebody is, or was, asked.
    pub async fn is_taken(&self, call: &CallId) -> Result<bool, StoreError> {
        let is_free = {
            let mut state = self.inner.log.state()?;
            if state.call_numbers.begin() {
                self.learn_call_numbers();
            }
            state.call_numbers.is_free(call)
        };
        match is_free {
            true => Ok(false),
            false => self.knows(call, CALLS_AND_QUESTIONS).await,
        }
    }

    /// Notes that somebody is asked about the call of this number.
    pub(crate) fn note_waiting(&self, call: &CallId) -> Result<(), StoreError> {
        self.inner.log.state()?.call_numbers.note(call);
        Ok(())
    }

    /// Reads which numbers there were, beside all else. It keeps nothing open but what it reads.
    fn learn_call_numbers(&self) {
        let (log, db) = (Arc::clone(&self.inner.log), self.inner.db.clone());
        tokio::spawn(async move {
            let read = async {
                index_up_to(&db, &log, log.position()?).await?;
                db.read(call_numbers::read).await
            };
            let read = read.await.inspect_err(|error| {
                tracing::warn!(%error, "the numbers of earlier calls could not be read; they are looked up one by one");
            });
            if let Ok(mut state) = log.state() {
                state.call_numbers.learned(read.ok().as_deref());
            }
        });
    }

    /// The index need not be up to date for it: it is asked only about calls that are not among the
    /// newest.
    async fn knows(&self, call: &CallId, sql: &'static str) -> Result<bool, StoreError> {
        let since = {
            let state = self.inner.log.state()?;
            if state.recent_calls.contains(call) {
                return Ok(true);
            }
            state.recent_calls.since()
        };
        let db = &self.inner.db;
        let look = |since| {
            let call = call.clone();
            move |db: &Connection| indexed(db, sql, &call, since)
        };
        if let Some(is_known) = db.look_up(look(since)).await? {
            return Ok(is_known);
        }
        self.bring_index_up_to_date().await?;
        // All was looked at by now, also where what is there has no numbers that rise.
        let is_known = db.look_up(look(0)).await?;
        Ok(is_known.unwrap_or(false))
    }

    /// What the log knows of a call; nothing if it knows no more than that somebody was asked.
    pub async fn call(&self, call: &CallId) -> Result<Option<ActivityDetail>, StoreError> {
        self.bring_index_up_to_date().await?;
        let (folder, call) = (self.dir(), call.clone());
        self.inner
            .db
            .read(move |db| {
                let sql = "SELECT seq FROM activity WHERE call = ?1 AND what = 'call'";
                let found: Option<i64> = db
                    .query_row(sql, [call.as_str()], |row| row.get(0))
                    .optional()?;
                found
                    .map(|seq| detail(db, &folder, seq.unsigned_abs()))
                    .transpose()
            })
            .await
    }

    /// Whether the log knows how this call ended.
    pub async fn knows_end(&self, call: &CallId) -> Result<bool, StoreError> {
        self.bring_index_up_to_date().await?;
        let call = call.clone();
        self.inner
            .db
            .read(move |db| {
                let sql = "SELECT 1 FROM activity WHERE call = ?1 AND what = 'call' AND outcome NOT IN ('running', 'interrupted')";
                Ok(db
                    .query_row(sql, [call.as_str()], |_| Ok(()))
                    .optional()?
                    .is_some())
            })
            .await
    }
}

#[cfg(test)]
impl Audit {
    /// Whether the numbers of earlier calls have been read.
    pub(crate) fn knows_all_numbers(&self) -> Result<bool, StoreError> {
        let state = self.inner.log.state()?;
        Ok(matches!(state.call_numbers, CallNumbers::Known(_)))
    }
}
