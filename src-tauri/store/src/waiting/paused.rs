//! Calls whose servers want input before they go on.
//!
//! Always true here: a paused call is written down with what it goes on with, and that is gone
//! before the call goes on.

use super::left::end;
use super::{Waiting, WaitingCall, parts};
use crate::StoreError;
use crate::db::{Commit, from_json, to_json};
use crate::vault::LockedUp;
use policy::PausedCall;
use policy::waiting::End;
use protocol::{CallId, Secret, ServerId, Timestamp};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is needed to go on with a paused call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PausedRound {
    /// The call, and on whose word it was sent.
    pub call: PausedCall,
    /// The open round, in the words of the connection.
    pub round: Value,
}

/// A call that an earlier run left paused.
#[derive(Debug)]
pub struct LeftPaused {
    /// Which, and whose.
    pub about: WaitingCall,
    /// How the waiting for its permission had ended.
    pub end: End,
    /// What is needed to go on; absent if it cannot be read any more, or the call went on already.
    pub round: Option<Box<PausedRound>>,
}

impl Waiting {
    /// Writes down that a call that was sent is paused. False if it could not be, as there is no
    /// keyring: it ends with the application.
    pub async fn pauses(
        &self,
        about: &WaitingCall,
        end: End,
        round: &PausedRound,
    ) -> Result<bool, StoreError> {
        let text = Secret::new(to_json(round)?);
        let locked = match self.vault.lock_up(&purpose(&about.call), &text).await {
            Ok(locked) => Some(locked),
            Err(StoreError::KeyringMissing { .. } | StoreError::KeyringFailed { .. }) => {
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        let (about, run) = (about.clone(), self.run.clone());
        self.db
            .write(Commit::Durable, move |tx| {
                let (nonce, sealed) = parts(locked);
                // One that a person was asked about has a row, and any other gets one.
                let sql = "INSERT INTO waiting (call, run, stage, since, ended, about, nonce, sealed)
                           VALUES (?1, ?2, 'paused', ?3, ?4, ?5, ?6, ?7)
                           ON CONFLICT (call) DO UPDATE SET stage = 'paused', about = ?5, nonce = ?6, sealed = ?7
                           WHERE waiting.stage IN ('sent', 'paused')";
                let changed = tx.execute(
                    sql,
                    params![
                        about.call.as_str(),
                        run.as_str(),
                        about.since.0,
                        end.word(),
                        to_json(&about)?,
                        nonce,
                        sealed
                    ],
                )?;
                Ok(changed == 1)
            })
            .await
    }

    /// Writes down that a paused call is about to go on, and removes what it goes on with. False if
    /// it must not: it did already, or is not paused.
    pub async fn goes_on(&self, call: &CallId) -> Result<bool, StoreError> {
        let call = call.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "UPDATE waiting SET stage = 'sent', nonce = NULL, sealed = NULL
                           WHERE call = ?1 AND stage = 'paused'";
                Ok(tx.execute(sql, [call.as_str()])? == 1)
            })
            .await
    }

    /// Notes that a call is over which was paused, when its end is in the log.
    pub async fn paused_ended(
        &self,
        call: &CallId,
        end: End,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let call = call.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql =
                    "UPDATE waiting SET stage = 'ended', ended = ?2, ended_at = ?3, about = NULL,
                                  nonce = NULL, sealed = NULL
                           WHERE call = ?1 AND stage IN ('sent', 'paused')";
                tx.execute(sql, params![call.as_str(), end.word(), now.0])?;
                Ok(())
            })
            .await
    }

    /// Paused calls that earlier runs left, oldest first: of one server, or of all. With them those
    /// that nobody was asked about and that had gone on.
    pub async fn left_paused(
        &self,
        server: Option<&ServerId>,
    ) -> Result<Vec<LeftPaused>, StoreError> {
        let rows = self
            .db
            .read(|db| {
                let sql = "SELECT about, ended, nonce, sealed FROM waiting
                           WHERE stage = 'paused' OR (stage = 'sent' AND question IS NULL) ORDER BY since, id";
                let mut select = db.prepare_cached(sql)?;
                let mut found = select.query([])?;
                let mut rows = Vec::new();
                while let Some(row) = found.next()? {
                    let about: WaitingCall = from_json(&row.get::<_, String>(0)?)?;
                    let ended: Option<String> = row.get(1)?;
                    let (nonce, sealed): (Option<Vec<u8>>, Option<Vec<u8>>) =
                        (row.get(2)?, row.get(3)?);
                    let locked = nonce
                        .zip(sealed)
                        .map(|(nonce, sealed)| LockedUp { nonce, sealed });
                    rows.push((about, ended, locked));
                }
                Ok(rows)
            })
            .await?;
        let mut left = Vec::new();
        for (about, ended, locked) in rows {
            if server.is_some_and(|server| *server != about.server) {
                continue;
            }
            let round = self.round(&about.call, locked).await?;
            let end = ended.map_or(End::SettledByPermission, |word| end(&word));
            left.push(LeftPaused { about, end, round });
        }
        Ok(left)
    }

    async fn round(
        &self,
        call: &CallId,
        locked: Option<LockedUp>,
    ) -> Result<Option<Box<PausedRound>>, StoreError> {
        let Some(locked) = locked else {
            return Ok(None);
        };
        let text = self.vault.open_up(&purpose(call), &locked).await?;
        let round: Option<PausedRound> =
            text.and_then(|text| serde_json::from_str(text.expose()).ok());
        Ok(round
            .filter(|round| round.call.call().id == *call)
            .map(Box::new))
    }
}

/// What was sealed for one call is of no use for another.
fn purpose(call: &CallId) -> String {
    format!("paused round {}", call.as_str())
}
