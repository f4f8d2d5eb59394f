//! Calls that a person is asked about, step by step, so that a restart neither loses nor repeats one.
//!
//! Always true here:
//! - a step is on the disk before what it announces happens: the question before it is shown, the answer before it has an effect,
//!   the sending before anything is sent;
//! - the steps go forward only, and from "sent" on there is nothing left that could be sent again;
//! - one call is one row, and what is in it belongs to one question: nothing that comes later takes its place;
//! - what is needed to go on may hold secrets and lies sealed; where there is no keyring nothing is written, and the question ends
//!   with the application.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use crate::vault::{LockedUp, Vault};
use protocol::{CallId, Caller, QuestionId, Secret, ServerId, Timestamp, ToolName};
use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::{Deserialize, Serialize};

/// The table of calls that a person is asked about.
#[derive(Clone)]
pub struct Journal {
    pub(crate) db: Database,
    pub(crate) vault: Vault,
}

/// Who asks for what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalCall {
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

/// A call that an earlier run left in the middle.
#[derive(Debug)]
pub struct LeftCall {
    /// Which, and whose.
    pub about: JournalCall,
    /// The question about it.
    pub question: QuestionId,
    /// How far it had come.
    pub step: LeftAt,
}

/// How far a call had come.
#[derive(Debug)]
pub enum LeftAt {
    /// Nobody had answered.
    Waiting {
        /// What is needed to go on, as it was given; none if it cannot be read any more.
        needed: Option<Secret>,
    },
    /// A person had answered, and nothing was sent.
    Answered {
        /// What is needed to go on.
        needed: Option<Secret>,
        /// The answer, as it was given.
        answer: Option<Secret>,
        /// When.
        at: Timestamp,
    },
    /// It was sent, or was just about to be: nobody knows.
    Sent,
}

/// Why a call is about to be sent.
#[derive(Debug, Clone, Copy)]
pub enum SentOn<'a> {
    /// A person has answered this question, and the answer was written down.
    Answer(&'a QuestionId),
    /// Something else has settled the question before anyone answered it.
    Settled,
}

/// Whether a question outlives this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It is on the disk.
    OnDisk,
    /// There is no keyring to seal it with.
    InMemory,
}

impl Journal {
    /// Writes down that a call is about to wait for a person, with what is needed to go on. Fails with [`StoreError::CallKnown`] if
    /// there is anything about a call of this number already.
    pub async fn waits(&self, about: &JournalCall, question: &QuestionId, needed: &Secret) -> Result<Kept, StoreError> {
        let locked = match self.vault.lock_up(&purpose(&about.call, question, "needed"), needed).await {
            Ok(locked) => locked,
            Err(StoreError::KeyringMissing { .. } | StoreError::KeyringFailed { .. }) => return Ok(Kept::InMemory),
            Err(error) => return Err(error),
        };
        let (about, question) = (about.clone(), question.clone());
        self.db
            .write(Commit::Durable, move |tx| {
                if step(tx, &about.call)?.is_some() {
                    return Err(StoreError::CallKnown { id: about.call });
                }
                let sql = "INSERT INTO journal (call, question, step, since, about, nonce, sealed)
                           VALUES (?1, ?2, 'waiting', ?3, ?4, ?5, ?6)";
                let body = to_json(&about)?;
                tx.execute(sql, params![about.call.as_str(), question.as_str(), about.since.0, body, locked.nonce, locked.sealed])?;
                Ok(Kept::OnDisk)
            })
            .await
    }

    /// Writes down an answer to the question about a call. Of a call that is not kept here nothing is written. False if it is no
    /// answer to what is kept: to another question, or not the first.
    pub async fn answered(&self, call: &CallId, question: &QuestionId, answer: &Secret, now: Timestamp) -> Result<bool, StoreError> {
        if self.step(call).await?.is_none() {
            return Ok(true);
        }
        let locked = match self.vault.lock_up(&purpose(call, question, "answer"), answer).await {
            Ok(locked) => locked,
            // The keyring has gone meanwhile. The call goes on; a restart does not take it up.
            Err(StoreError::KeyringMissing { .. } | StoreError::KeyringFailed { .. }) => return self.ended(call).await.map(|()| true),
            Err(error) => return Err(error),
        };
        let (call, question) = (call.clone(), question.clone());
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "UPDATE journal SET step = 'answered', answered_at = ?3, answer_nonce = ?4, answer = ?5
                           WHERE call = ?1 AND question = ?2 AND step = 'waiting'";
                Ok(tx.execute(sql, params![call.as_str(), question.as_str(), now.0, locked.nonce, locked.sealed])? == 1)
            })
            .await
    }

    /// Writes down that a call is about to be sent, and removes what it could be sent again with. False if it must not be sent: it
    /// was already, or what it is sent on is not what was written down.
    pub async fn sends(&self, call: &CallId, on: SentOn<'_>) -> Result<bool, StoreError> {
        let call = call.clone();
        let (from, question) = match on {
            SentOn::Answer(question) => ("answered", Some(question.clone())),
            SentOn::Settled => ("waiting", None),
        };
        self.db
            .write(Commit::Durable, move |tx| {
                if step(tx, &call)?.is_none() {
                    return Ok(true);
                }
                let sql = "UPDATE journal SET step = 'sent', nonce = NULL, sealed = NULL, answer_nonce = NULL, answer = NULL
                           WHERE call = ?1 AND step = ?2 AND (?3 IS NULL OR question = ?3)";
                Ok(tx.execute(sql, params![call.as_str(), from, question.as_ref().map(QuestionId::as_str)])? == 1)
            })
            .await
    }

    /// The end of a call is in the log.
    pub async fn ended(&self, call: &CallId) -> Result<(), StoreError> {
        let call = call.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute("DELETE FROM journal WHERE call = ?1 AND step <> 'noted'", [call.as_str()])?;
                Ok(())
            })
            .await
    }

    /// Lets a call wait again whose answer came too long ago to be carried out unasked.
    pub async fn waits_again(&self, call: &CallId) -> Result<(), StoreError> {
        let call = call.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "UPDATE journal SET step = 'waiting', answered_at = NULL, answer_nonce = NULL, answer = NULL
                           WHERE call = ?1 AND step = 'answered'";
                tx.execute(sql, [call.as_str()])?;
                Ok(())
            })
            .await
    }

    /// What earlier runs left in the middle, oldest first. To be asked before anything new is written.
    pub async fn left(&self) -> Result<Vec<LeftCall>, StoreError> {
        let rows = self
            .db
            .read(|db| {
                let mut select = db.prepare_cached(
                    "SELECT step, about, question, nonce, sealed, answered_at, answer_nonce, answer FROM journal
                     WHERE step <> 'noted' ORDER BY since, call",
                )?;
                let mut found = select.query([])?;
                let mut rows = Vec::new();
                while let Some(row) = found.next()? {
                    rows.push(LeftRow::of(row)?);
                }
                Ok(rows)
            })
            .await?;
        let mut left = Vec::new();
        for row in rows {
            let step = match row.step.as_str() {
                "waiting" => LeftAt::Waiting { needed: self.open_up(&row.about.call, &row.question, "needed", row.needed).await? },
                "answered" => LeftAt::Answered {
                    needed: self.open_up(&row.about.call, &row.question, "needed", row.needed).await?,
                    answer: self.open_up(&row.about.call, &row.question, "answer", row.answer).await?,
                    at: row.answered_at,
                },
                _ => LeftAt::Sent,
            };
            left.push(LeftCall { about: row.about, question: row.question, step });
        }
        Ok(left)
    }

    /// A person has seen that nobody knows what became of a call. One that still waits goes on waiting.
    pub async fn noted(&self, call: &CallId, now: Timestamp) -> Result<(), StoreError> {
        let call = call.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "INSERT INTO journal (call, step, since) VALUES (?1, 'noted', ?2)
                           ON CONFLICT (call) DO UPDATE SET step = 'noted', question = NULL, about = NULL, since = ?2
                           WHERE journal.step NOT IN ('waiting', 'answered')";
                tx.execute(sql, params![call.as_str(), now.0])?;
                Ok(())
            })
            .await
    }

    /// Whether there is anything here about a call of this number.
    pub async fn knows(&self, call: &CallId) -> Result<bool, StoreError> {
        Ok(self.step(call).await?.is_some())
    }

    async fn open_up(
        &self,
        call: &CallId,
        question: &QuestionId,
        what: &str,
        locked: Option<LockedUp>,
    ) -> Result<Option<Secret>, StoreError> {
        match locked {
            Some(locked) => self.vault.open_up(&purpose(call, question, what), &locked).await,
            None => Ok(None),
        }
    }

    async fn step(&self, call: &CallId) -> Result<Option<String>, StoreError> {
        let call = call.clone();
        self.db
            .read(move |db| {
                let sql = "SELECT step FROM journal WHERE call = ?1";
                Ok(db.query_row(sql, [call.as_str()], |row| row.get(0)).optional()?)
            })
            .await
    }
}

struct LeftRow {
    step: String,
    about: JournalCall,
    question: QuestionId,
    needed: Option<LockedUp>,
    answered_at: Timestamp,
    answer: Option<LockedUp>,
}

impl LeftRow {
    fn of(row: &Row<'_>) -> Result<Self, StoreError> {
        let locked = |nonce: Option<Vec<u8>>, sealed: Option<Vec<u8>>| Some(LockedUp { nonce: nonce?, sealed: sealed? });
        Ok(Self {
            step: row.get(0)?,
            about: from_json(&row.get::<_, String>(1)?)?,
            question: QuestionId(row.get(2)?),
            needed: locked(row.get(3)?, row.get(4)?),
            answered_at: Timestamp(row.get::<_, Option<i64>>(5)?.unwrap_or_default()),
            answer: locked(row.get(6)?, row.get(7)?),
        })
    }
}

/// A text that was sealed for one call and one question about it cannot stand for another, nor an answer for a question.
fn purpose(call: &CallId, question: &QuestionId, what: &str) -> String {
    format!("journal {what} {} {}", call.as_str(), question.as_str())
}

fn step(tx: &Transaction<'_>, call: &CallId) -> Result<Option<String>, StoreError> {
    Ok(tx.query_row("SELECT step FROM journal WHERE call = ?1", [call.as_str()], |row| row.get(0)).optional()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Home, NOW, server};

    fn about() -> JournalCall {
        JournalCall { call: CallId::random(), caller: Caller::Terminal, server: server("files"), tool: "read".into(), since: NOW }
    }

    fn secret(text: &str) -> Secret {
        Secret::new(text.to_owned())
    }

    #[tokio::test]
    async fn steps_go_forward_only_and_one_answer_is_one_sending() {
        let home = Home::new();
        let journal = home.open().await.journal();
        let about = about();
        let question = QuestionId::random();
        let on = SentOn::Answer(&question);
        assert!(journal.sends(&about.call, on).await.unwrap(), "what is not kept here is not held up");
        assert_eq!(journal.waits(&about, &question, &secret("the needed")).await.unwrap(), Kept::OnDisk);
        assert!(!journal.sends(&about.call, on).await.unwrap(), "nobody has answered");
        let left = journal.left().await.unwrap().remove(0);
        assert_eq!((left.about, left.question), (about.clone(), question.clone()));
        assert!(matches!(left.step, LeftAt::Waiting { needed: Some(needed) } if needed.expose() == "the needed"));
        assert!(!journal.answered(&about.call, &QuestionId::random(), &secret("yes"), NOW).await.unwrap(), "another question");
        assert!(journal.answered(&about.call, &question, &secret("yes"), NOW).await.unwrap());
        assert!(!journal.answered(&about.call, &question, &secret("no"), NOW).await.unwrap());
        assert!(!journal.sends(&about.call, SentOn::Answer(&QuestionId::random())).await.unwrap());
        assert!(!journal.sends(&about.call, SentOn::Settled).await.unwrap(), "it was answered");
        let LeftAt::Answered { answer: Some(answer), .. } = journal.left().await.unwrap().remove(0).step else { panic!("no answer") };
        assert_eq!(answer.expose(), "yes", "the first answer stays");
        assert!(journal.sends(&about.call, on).await.unwrap());
        assert!(!journal.sends(&about.call, on).await.unwrap());
        journal.waits_again(&about.call).await.unwrap();
        assert!(matches!(journal.left().await.unwrap().remove(0).step, LeftAt::Sent), "nothing leads back from there");
        journal.ended(&about.call).await.unwrap();
        assert!(journal.left().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn what_waits_is_replaced_by_no_other_call_of_the_same_number() {
        let home = Home::new();
        let journal = home.open().await.journal();
        let about = about();
        journal.waits(&about, &QuestionId::random(), &secret("the first")).await.unwrap();
        let again = journal.waits(&about, &QuestionId::random(), &secret("another")).await;
        assert!(matches!(again, Err(StoreError::CallKnown { id }) if id == about.call));
        journal.noted(&about.call, NOW).await.unwrap();
        let left = journal.left().await.unwrap().remove(0);
        assert!(matches!(left.step, LeftAt::Waiting { needed: Some(needed) } if needed.expose() == "the first"));
        assert!(journal.knows(&about.call).await.unwrap() && !journal.knows(&CallId::random()).await.unwrap());
    }

    #[tokio::test]
    async fn what_something_else_has_settled_is_sent_once() {
        let home = Home::new();
        let journal = home.open().await.journal();
        let about = about();
        journal.waits(&about, &QuestionId::random(), &secret("the needed")).await.unwrap();
        assert!(journal.sends(&about.call, SentOn::Settled).await.unwrap());
        assert!(!journal.sends(&about.call, SentOn::Settled).await.unwrap());
        assert!(matches!(journal.left().await.unwrap().remove(0).step, LeftAt::Sent));
    }

    #[tokio::test]
    async fn what_is_needed_is_not_readable_in_the_file_and_is_of_no_use_for_another_call() {
        let home = Home::new();
        let store = home.open().await;
        let (one, other) = (about(), about());
        for about in [&one, &other] {
            store.journal().waits(about, &QuestionId::random(), &secret("a very secret argument")).await.unwrap();
        }
        let (one_call, other_call) = (one.call.clone(), other.call.clone());
        let sql = "UPDATE journal SET (nonce, sealed) = (SELECT nonce, sealed FROM journal WHERE call = ?2) WHERE call = ?1";
        store.journal().db.write(Commit::Durable, move |tx| Ok(tx.execute(sql, [one_call.as_str(), other_call.as_str()])?)).await.unwrap();
        for left in store.journal().left().await.unwrap() {
            let LeftAt::Waiting { needed } = left.step else { panic!("it does not wait") };
            assert_eq!(needed.is_some(), left.about.call == other.call);
        }
        store.close().await;
        let bytes = std::fs::read(home.dir().join(crate::db::FILE)).unwrap();
        assert!(!bytes.windows(22).any(|window| window == b"a very secret argument"));
    }
}
