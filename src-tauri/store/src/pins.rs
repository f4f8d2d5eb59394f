//! What a person decided about each thing that a server offers.
//!
//! Always true here: a row that cannot be read, or whose fingerprint is not that of its definition,
//! is left out, so that what it was about waits for a person again.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use policy::pin::Pin;
use protocol::{FeatureKey, ServerId, Timestamp};
use rusqlite::{Row, params};

/// The table of pins.
#[derive(Clone)]
pub struct Pins {
    pub(crate) db: Database,
}

impl Pins {
    /// All decisions about what a server offers.
    pub async fn of(&self, server: &ServerId) -> Result<Vec<Pin>, StoreError> {
        let (key, name) = (server.key(), server.clone());
        self.db
            .read(move |db| {
                let sql = "SELECT kind, name, decision, definition, fingerprint, decided_at FROM pins WHERE server = ?1";
                let mut select = db.prepare_cached(sql)?;
                let mut found = select.query([key])?;
                let mut pins = Vec::new();
                while let Some(row) = found.next()? {
                    match pin(row) {
                        Ok(pin) if pin.is_whole() => pins.push(pin),
                        _ => tracing::error!(server = %name, "what was decided about something that this server offers is damaged"),
                    }
                }
                Ok(pins)
            })
            .await
    }

    /// Remembers decisions, in place of earlier ones about the same, and forgets others, all in one
    /// go.
    pub async fn save(
        &self,
        server: &ServerId,
        pins: Vec<Pin>,
        forget: Vec<FeatureKey>,
    ) -> Result<(), StoreError> {
        let server = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                for key in &forget {
                    tx.execute(
                        "DELETE FROM pins WHERE server = ?1 AND kind = ?2 AND name = ?3",
                        params![server, to_json(&key.kind)?, key.name],
                    )?;
                }
                let sql = "INSERT OR REPLACE INTO pins (server, kind, name, decision, definition, fingerprint, decided_at)
                           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
                let mut insert = tx.prepare_cached(sql)?;
                for pin in &pins {
                    insert.execute(params![
                        server,
                        to_json(&pin.key.kind)?,
                        pin.key.name,
                        to_json(&pin.decision)?,
                        to_json(&pin.definition)?,
                        to_json(&pin.fingerprint)?,
                        pin.decided_at.0
                    ])?;
                }
                Ok(())
            })
            .await
    }
}

fn pin(row: &Row<'_>) -> Result<Pin, StoreError> {
    let text = |index| row.get::<_, String>(index);
    Ok(Pin {
        key: FeatureKey {
            kind: from_json(&text(0)?)?,
            name: text(1)?,
        },
        decision: from_json(&text(2)?)?,
        definition: from_json(&text(3)?)?,
        fingerprint: from_json(&text(4)?)?,
        decided_at: Timestamp(row.get(5)?),
    })
}
