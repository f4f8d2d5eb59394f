//! The last list of tools that each server showed.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::{ServerId, ToolSpec};
use rusqlite::params;

/// The table of tools.
#[derive(Clone)]
pub struct Tools {
    pub(crate) db: Database,
}

impl Tools {
    /// Remembers the list that a server showed, in place of the one before.
    pub async fn save(&self, server: &ServerId, tools: Vec<ToolSpec>) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute("DELETE FROM tools WHERE server = ?1", [&key])?;
                let mut insert = tx.prepare_cached(
                    "INSERT INTO tools (server, position, spec) VALUES (?1, ?2, ?3)",
                )?;
                for (position, tool) in (0_i64..).zip(&tools) {
                    insert.execute(params![key, position, to_json(tool)?])?;
                }
                Ok(())
            })
            .await
    }

    /// The list that a server showed last, in its order.
    pub async fn load(&self, server: &ServerId) -> Result<Vec<ToolSpec>, StoreError> {
        let key = server.key();
        self.db
            .read(move |db| {
                let mut select = db
                    .prepare_cached("SELECT spec FROM tools WHERE server = ?1 ORDER BY position")?;
                let mut found = select.query([key])?;
                let mut tools = Vec::new();
                while let Some(row) = found.next()? {
                    tools.push(from_json(&row.get::<_, String>(0)?)?);
                }
                Ok(tools)
            })
            .await
    }
}
