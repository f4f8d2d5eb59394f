//! What a person chose about the application as a whole: one row for each noun.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use rusqlite::OptionalExtension;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The table of settings.
#[derive(Clone)]
pub struct Settings {
    pub(crate) db: Database,
}

impl Settings {
    /// What was chosen; nothing if nobody chose yet.
    pub async fn get<T: DeserializeOwned + Send + 'static>(
        &self,
        key: &'static str,
    ) -> Result<Option<T>, StoreError> {
        self.db
            .read(move |db| {
                let row = db.query_row("SELECT value FROM settings WHERE key = ?1", [key], |row| {
                    row.get::<_, String>(0)
                });
                row.optional()?.map(|value| from_json(&value)).transpose()
            })
            .await
    }

    /// Keeps what was chosen, in place of what was before.
    pub async fn set<T: Serialize>(&self, key: &'static str, value: &T) -> Result<(), StoreError> {
        let value = to_json(value)?;
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "INSERT OR REPLACE INTO settings (key, value) VALUES (?1, ?2)",
                    [key, value.as_str()],
                )?;
                Ok(())
            })
            .await
    }
}
