//! Questions for a person and the calls that wait for them, step by step, so that a restart neither
//! loses nor repeats one.
//!
//! Always true here:
//! - a step is on the disk before what it announces happens: the question before it is shown, the
//!   answer before it has an effect, the sending before anything is sent;
//! - the steps go forward only, and from "sent" on there is nothing left that could be sent again, but
//!   what a server waits for that wants input first;
//! - one question is one row, and so is one call: nothing that comes later takes its place;
//! - what is needed to go on may hold secrets and lies sealed; where there is no keyring nothing of
//!   it is written, and the question ends with the application.

mod left;
mod paused;

pub use left::{LeftCall, Needed};
pub use paused::{LeftPaused, PausedRound};

use crate::db::{Commit, Database, to_json};
use crate::vault::{LockedUp, Vault};
use crate::{Audit, StoreError};
use policy::waiting::{Awaited, Durable, End};
use policy::{Decision, Question};
use protocol::{CallId, Caller, QuestionId, RunId, Secret, ServerId, Timestamp, ToolName};
use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long it is known of something that it is over.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The table of what waits for a person.
#[derive(Clone)]
pub struct Waiting {
    pub(crate) db: Database,
    pub(crate) vault: Vault,
    pub(crate) run: RunId,
    pub(crate) audit: Audit,
}

/// Who asks for what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingCall {
    /// Which call.
    pub call: CallId,
    /// Who asks.
    pub caller: Caller,
    /// Which server.
    pub server: ServerId,
    /// Which tool.
    pub tool: ToolName,
    /// When it was asked for.
    pub since: Timestamp,
}

impl Waiting {
    /// Writes down that a call is about to wait for a person, with what is needed to go on. It may
    /// be shown when this has returned, not before. Fails with [`StoreError::CallKnown`] if there is
    /// anything about a call of this number already.
    pub async fn call_waits(
        &self,
        about: &WaitingCall,
        needed: &Needed,
    ) -> Result<Awaited, StoreError> {
        let question = needed.question.id.clone();
        let text = Secret::new(to_json(needed)?);
        let locked = self
            .lock_up(&about.call, &question, left::NEEDED, &text)
            .await?;
        let durable = match locked {
            Some(_) => Durable::Yes,
            None => Durable::No,
        };
        let (call, about, run) = (about.call.clone(), about.clone(), self.run.clone());
        let waits = self
            .db
            .write(Commit::Durable, move |tx| {
                if stage(tx, &about.call)?.is_some() {
                    return Err(StoreError::CallKnown { id: about.call });
                }
                let (nonce, sealed) = parts(locked);
                tx.execute(
                    "INSERT INTO waiting (question, call, run, stage, since, about, nonce, sealed)
                     VALUES (?1, ?2, ?3, 'waiting', ?4, ?5, ?6, ?7)",
                    params![
                        question.as_str(),
                        about.call.as_str(),
                        run.as_str(),
                        about.since.0,
                        to_json(&about)?,
                        nonce,
                        sealed
                    ],
                )?;
                Ok(Awaited::Call(durable))
            })
            .await?;
        self.audit.note_waiting(&call)?;
        Ok(waits)
    }

    /// Writes down a question that is about no call. Nothing of it outlives the application.
    pub async fn question_waits(&self, question: &Question) -> Result<Awaited, StoreError> {
        let (id, since, run) = (question.id.clone(), question.asked_at, self.run.clone());
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "INSERT INTO waiting (question, run, stage, since) VALUES (?1, ?2, 'waiting', ?3)",
                    params![id.as_str(), run.as_str(), since.0],
                )?;
                Ok(Awaited::Other)
            })
            .await
    }

    /// Writes down an answer to the question about a call. False if it is not the first, or nothing
    /// waits for it.
    pub async fn answered(
        &self,
        question: &QuestionId,
        answer: &Decision,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let Some(call) = self.call_of(question).await? else {
            return Ok(false);
        };
        let text = Secret::new(to_json(answer)?);
        // If the keyring has gone meanwhile the call goes on, and a restart does not take it up.
        let locked = self.lock_up(&call, question, left::ANSWER, &text).await?;
        let question = question.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let (nonce, sealed) = parts(locked);
                let sql = "UPDATE waiting SET stage = 'answered', answered_at = ?2, answer_nonce = ?3, answer = ?4
                           WHERE question = ?1 AND stage = 'waiting'";
                Ok(tx.execute(sql, params![question.as_str(), now.0, nonce, sealed])? == 1)
            })
            .await
    }

    /// Lets a call wait again whose answer came too long ago to be carried out unasked.
    pub async fn waits_again(&self, question: &QuestionId) -> Result<(), StoreError> {
        let sql = "UPDATE waiting SET stage = 'waiting', answered_at = NULL, answer_nonce = NULL, answer = NULL
                   WHERE question = ?1 AND stage = 'answered'";
        self.change(question, sql).await.map(|_| ())
    }

    /// Writes down that a call is about to be sent, and removes what it could be sent again with.
    /// False if it must not be sent: it was already, or what it is sent on is not what was written
    /// down.
    pub async fn sends(&self, question: &QuestionId, end: End) -> Result<bool, StoreError> {
        let from = match end {
            End::Answered => "answered",
            _ => "waiting",
        };
        let question = question.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "UPDATE waiting SET stage = 'sent', ended = ?3, nonce = NULL, sealed = NULL, answer_nonce = NULL, answer = NULL
                           WHERE question = ?1 AND stage = ?2 AND call IS NOT NULL";
                Ok(tx.execute(sql, params![question.as_str(), from, end.word()])? == 1)
            })
            .await
    }

    /// Notes that it is over: of a call, when its end is in the log. Fails with
    /// [`StoreError::UnknownQuestion`] if it was over already.
    pub async fn ended(
        &self,
        question: &QuestionId,
        end: End,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let id = question.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql =
                    "UPDATE waiting SET stage = 'ended', ended = ?2, ended_at = ?3, about = NULL,
                                  nonce = NULL, sealed = NULL, answer_nonce = NULL, answer = NULL
                           WHERE question = ?1 AND stage NOT IN ('ended', 'noted')";
                match tx.execute(sql, params![id.as_str(), end.word(), now.0])? {
                    0 => Err(StoreError::UnknownQuestion { id }),
                    _ => Ok(()),
                }
            })
            .await
    }

    /// Ends the questions about no call that an earlier run left waiting: nobody waits for their
    /// answer any more. Returns how many.
    pub async fn lapse(&self, now: Timestamp) -> Result<usize, StoreError> {
        let run = self.run.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "UPDATE waiting SET stage = 'ended', ended = ?2, ended_at = ?3
                           WHERE stage = 'waiting' AND call IS NULL AND run IS NOT ?1";
                Ok(tx.execute(sql, params![run.as_str(), End::Lapsed.word(), now.0])?)
            })
            .await
    }

    /// A person has seen that nobody knows what became of a call. One that still waits, or is paused,
    /// goes on waiting.
    pub async fn noted(&self, call: &CallId, now: Timestamp) -> Result<(), StoreError> {
        let call = call.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "INSERT INTO waiting (call, stage, since) VALUES (?1, 'noted', ?2)
                           ON CONFLICT (call) DO UPDATE SET stage = 'noted', about = NULL, since = ?2
                           WHERE waiting.stage NOT IN ('waiting', 'answered', 'paused')";
                tx.execute(sql, params![call.as_str(), now.0])?;
                Ok(())
            })
            .await
    }

    /// Removes what has been over for thirty days. What is open stays, however old; and so does that
    /// a person has seen an unknown outcome, as long as the log would bring it up again. Returns how
    /// many.
    pub async fn tidy(&self, now: Timestamp) -> Result<usize, StoreError> {
        let before = now
            .0
            .saturating_sub(i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX));
        self.db
            .write(Commit::Lazy, move |tx| {
                let sql = "DELETE FROM waiting WHERE stage = 'ended' AND coalesce(ended_at, since) < ?1
                           OR stage = 'noted' AND since < ?1 AND NOT EXISTS
                              (SELECT 1 FROM activity a WHERE a.call = waiting.call AND a.outcome = 'interrupted')";
                Ok(tx.execute(sql, [before])?)
            })
            .await
    }

    /// How the waiting for an answer ended, if it did.
    pub async fn end_of(&self, question: &QuestionId) -> Result<Option<End>, StoreError> {
        let question = question.clone();
        self.db
            .read(move |db| {
                let sql = "SELECT ended FROM waiting WHERE question = ?1";
                let ended: Option<Option<String>> = db
                    .query_row(sql, [question.as_str()], |row| row.get(0))
                    .optional()?;
                Ok(ended.flatten().map(|word| left::end(&word)))
            })
            .await
    }

    async fn change(&self, question: &QuestionId, sql: &'static str) -> Result<bool, StoreError> {
        let question = question.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                Ok(tx.execute(sql, [question.as_str()])? == 1)
            })
            .await
    }

    async fn call_of(&self, question: &QuestionId) -> Result<Option<CallId>, StoreError> {
        let question = question.clone();
        self.db
            .read(move |db| {
                let sql = "SELECT call FROM waiting WHERE question = ?1";
                let call: Option<Option<String>> = db
                    .query_row(sql, [question.as_str()], |row| row.get(0))
                    .optional()?;
                Ok(call.flatten().map(CallId::from))
            })
            .await
    }

    /// Seals a text; none if there is no keyring.
    async fn lock_up(
        &self,
        call: &CallId,
        question: &QuestionId,
        what: &str,
        text: &Secret,
    ) -> Result<Option<LockedUp>, StoreError> {
        let purpose = left::purpose(call, question, what);
        match self.vault.lock_up(&purpose, text).await {
            Ok(locked) => Ok(Some(locked)),
            Err(StoreError::KeyringMissing { .. } | StoreError::KeyringFailed { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn parts(locked: Option<LockedUp>) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    locked.map(|locked| (locked.nonce, locked.sealed)).unzip()
}

fn stage(tx: &Transaction<'_>, call: &CallId) -> Result<Option<String>, StoreError> {
    Ok(tx
        .query_row(
            "SELECT stage FROM waiting WHERE call = ?1",
            [call.as_str()],
            |row| row.get(0),
        )
        .optional()?)
}
