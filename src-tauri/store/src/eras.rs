//! In which era each server is spoken to.
//!
//! Always true here: what was found out holds for one way of reaching a server; reached in another
//! way, nothing is known.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::{Era, EraChoice, Fingerprint, ServerId, Timestamp};
use rusqlite::{OptionalExtension, params};

/// What is kept of one server's era.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EraRow {
    /// What the person chose.
    pub choice: EraChoice,
    /// What was found out, for which way of reaching the server, and when.
    pub found: Option<(Era, Fingerprint, Timestamp)>,
}

/// The table of eras.
#[derive(Clone)]
pub struct Eras {
    pub(crate) db: Database,
}

impl Eras {
    /// What is kept of a server; the default if nothing is.
    pub async fn of(&self, server: &ServerId) -> Result<EraRow, StoreError> {
        let key = server.key();
        self.db
            .read(move |db| {
                let sql = "SELECT choice, found, fingerprint, found_at FROM eras WHERE server = ?1";
                let row = db.query_row(sql, [key], |row| {
                    let found: (Option<String>, Option<String>, Option<i64>) =
                        (row.get(1)?, row.get(2)?, row.get(3)?);
                    Ok((row.get::<_, String>(0)?, found))
                });
                let Some((choice, found)) = row.optional()? else {
                    return Ok(EraRow::default());
                };
                let found = match found {
                    (Some(era), Some(fingerprint), Some(at)) => {
                        Some((from_json(&era)?, from_json(&fingerprint)?, Timestamp(at)))
                    }
                    _ => None,
                };
                Ok(EraRow {
                    choice: from_json(&choice)?,
                    found,
                })
            })
            .await
    }

    /// Keeps it in place of what was there.
    pub async fn save(&self, server: &ServerId, row: EraRow) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                let found = row.found.as_ref();
                tx.execute(
                    "INSERT OR REPLACE INTO eras (server, choice, found, fingerprint, found_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![
                        key,
                        to_json(&row.choice)?,
                        found.map(|(era, ..)| to_json(era)).transpose()?,
                        found.map(|(_, fingerprint, _)| to_json(fingerprint)).transpose()?,
                        found.map(|(.., at)| at.0),
                    ],
                )?;
                Ok(())
            })
            .await
    }
}
