//! What earlier runs left in the middle, as it is read back.
//!
//! Always true here: what was sealed for one call and one question is of no use for another.

use super::{Waiting, WaitingCall};
use crate::StoreError;
use crate::db::from_json;
use crate::vault::LockedUp;
use policy::waiting::{End, Left};
use policy::{Decision, Pending, Question};
use protocol::{CallId, QuestionId, Timestamp};
use rusqlite::Row;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(super) const NEEDED: &str = "needed";
pub(super) const ANSWER: &str = "answer";

/// What is needed to go on with a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Needed {
    /// The call, and what it was decided on.
    pub pending: Pending,
    /// The question as it was shown.
    pub question: Question,
}

/// A call that an earlier run left in the middle.
#[derive(Debug)]
pub struct LeftCall {
    /// Which, and whose.
    pub about: WaitingCall,
    /// The question about it.
    pub question: QuestionId,
    /// How far it had come.
    pub left: Left,
    /// What is needed to go on; there whenever `left` is waiting or answered.
    pub needed: Option<Box<Needed>>,
}

impl Waiting {
    /// The calls that somebody was asked about and that earlier runs left in the middle, oldest first.
    /// To be asked before anything new is written.
    pub async fn left(&self) -> Result<Vec<LeftCall>, StoreError> {
        let rows = self
            .db
            .read(|db| {
                let mut select = db.prepare_cached(
                    "SELECT stage, about, question, ended, nonce, sealed, answered_at, answer_nonce, answer FROM waiting
                     WHERE stage IN ('waiting', 'answered', 'sent') AND call IS NOT NULL AND question IS NOT NULL ORDER BY since, id",
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
            left.push(self.open_up(row).await?);
        }
        Ok(left)
    }

    async fn open_up(&self, row: LeftRow) -> Result<LeftCall, StoreError> {
        let needed: Option<Needed> = self.read(&row, NEEDED, &row.needed).await?;
        // What a person sees and what runs come out of one sealed text.
        let needed = needed.filter(|needed| {
            needed.pending.call().id == row.about.call && needed.question.id == row.question
        });
        let left = match (row.stage.as_str(), &needed) {
            ("sent", _) => Left::Sent(row.ended),
            (_, None) => Left::Unreadable,
            ("waiting", Some(_)) => Left::Waiting,
            (_, Some(_)) => match self.read(&row, ANSWER, &row.answer).await? {
                Some(answer) => Left::Answered {
                    answer: Box::<Decision>::new(answer),
                    at: row.answered_at,
                },
                None => Left::Unreadable,
            },
        };
        Ok(LeftCall {
            about: row.about,
            question: row.question,
            left,
            needed: needed.map(Box::new),
        })
    }

    async fn read<T: DeserializeOwned>(
        &self,
        row: &LeftRow,
        what: &str,
        locked: &Option<LockedUp>,
    ) -> Result<Option<T>, StoreError> {
        let Some(locked) = locked else {
            return Ok(None);
        };
        let purpose = purpose(&row.about.call, &row.question, what);
        let text = self.vault.open_up(&purpose, locked).await?;
        Ok(text.and_then(|text| serde_json::from_str(text.expose()).ok()))
    }
}

struct LeftRow {
    stage: String,
    about: WaitingCall,
    question: QuestionId,
    ended: End,
    needed: Option<LockedUp>,
    answered_at: Timestamp,
    answer: Option<LockedUp>,
}

impl LeftRow {
    fn of(row: &Row<'_>) -> Result<Self, StoreError> {
        let locked = |nonce: Option<Vec<u8>>, sealed: Option<Vec<u8>>| {
            Some(LockedUp {
                nonce: nonce?,
                sealed: sealed?,
            })
        };
        let ended = row.get::<_, Option<String>>(3)?;
        Ok(Self {
            stage: row.get(0)?,
            about: from_json(&row.get::<_, String>(1)?)?,
            question: QuestionId::from(row.get::<_, String>(2)?),
            ended: ended.map_or(End::Answered, |word| end(&word)),
            needed: locked(row.get(4)?, row.get(5)?),
            answered_at: Timestamp(row.get::<_, Option<i64>>(6)?.unwrap_or_default()),
            answer: locked(row.get(7)?, row.get(8)?),
        })
    }
}

/// The end that a word in the database stands for. Of one that is not known, it is known that it is
/// over.
pub(super) fn end(word: &str) -> End {
    serde_json::from_value(word.into()).unwrap_or(End::Closed)
}

/// A text that was sealed for one call and one question about it cannot stand for another, nor an
/// answer for a question. The words are those with which what waits now was sealed.
pub(super) fn purpose(call: &CallId, question: &QuestionId, what: &str) -> String {
    format!("journal {what} {} {}", call.as_str(), question.as_str())
}
