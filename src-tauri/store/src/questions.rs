//! Questions that wait for a person, and how those ended that waited.
//!
//! Always true here: a question that was inserted is on the disk, so it can be shown; it ends once and only once.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use policy::Question;
use protocol::{QuestionId, RunId, Timestamp};
use rusqlite::params;

/// The table of questions.
#[derive(Clone)]
pub struct Questions {
    pub(crate) db: Database,
    pub(crate) run: RunId,
}

impl Questions {
    /// Remembers a question. It may be shown when this has returned, not before.
    pub async fn insert(&self, question: Question) -> Result<(), StoreError> {
        let run = self.run.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "INSERT INTO questions (id, run, asked_at, body) VALUES (?1, ?2, ?3, ?4)",
                    params![question.id.as_str(), run.as_str(), question.asked_at.0, to_json(&question)?],
                )?;
                Ok(())
            })
            .await
    }

    /// Notes how a question ended. Fails with [`StoreError::UnknownQuestion`] if it does not wait (any more).
    pub async fn close(&self, id: &QuestionId, how: &str, now: Timestamp) -> Result<(), StoreError> {
        let (id, how) = (id.clone(), how.to_owned());
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "UPDATE questions SET ended = ?2, ended_at = ?3 WHERE id = ?1 AND ended IS NULL";
                match tx.execute(sql, params![id.as_str(), how, now.0])? {
                    0 => Err(StoreError::UnknownQuestion { id }),
                    _ => Ok(()),
                }
            })
            .await
    }

    /// Those that wait, oldest first; before [`Questions::lapse`], also those that an earlier run left waiting.
    pub async fn waiting(&self) -> Result<Vec<Question>, StoreError> {
        self.db
            .read(|db| {
                let mut select = db.prepare_cached("SELECT body FROM questions WHERE ended IS NULL ORDER BY asked_at, rowid")?;
                let mut found = select.query([])?;
                let mut questions = Vec::new();
                while let Some(row) = found.next()? {
                    questions.push(from_json(&row.get::<_, String>(0)?)?);
                }
                Ok(questions)
            })
            .await
    }

    /// Ends those that an earlier run left waiting and that are not in the journal: nobody waits for their answer any more. Returns
    /// how many.
    pub async fn lapse(&self, now: Timestamp) -> Result<usize, StoreError> {
        let run = self.run.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "UPDATE questions SET ended = 'lapsed', ended_at = ?2 WHERE ended IS NULL AND run <> ?1
                           AND id NOT IN (SELECT question FROM journal WHERE question IS NOT NULL)";
                Ok(tx.execute(sql, params![run.as_str(), now.0])?)
            })
            .await
    }
}
