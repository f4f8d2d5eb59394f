//! What a person says about tools.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use policy::ToolFlags;
use protocol::{ServerId, ToolName};
use rusqlite::params;
use std::collections::BTreeMap;

/// The table of marks.
#[derive(Clone)]
pub struct FlaggedTools {
    pub(crate) db: Database,
}

impl FlaggedTools {
    /// All marks on tools of a server. One that cannot be read makes the host as careful as can be.
    pub async fn of(&self, server: &ServerId) -> Result<BTreeMap<ToolName, ToolFlags>, StoreError> {
        let key = server.key();
        self.db
            .read(move |db| {
                let mut select =
                    db.prepare_cached("SELECT tool, body FROM marks WHERE server = ?1")?;
                let mut found = select.query([key])?;
                let mut marks = BTreeMap::new();
                while let Some(row) = found.next()? {
                    let careful = ToolFlags {
                        consequential: true,
                        secret: true,
                    };
                    marks.insert(
                        ToolName::from(row.get::<_, String>(0)?),
                        from_json(&row.get::<_, String>(1)?).unwrap_or(careful),
                    );
                }
                Ok(marks)
            })
            .await
    }

    /// Keeps a mark in place of the one before.
    pub async fn save(
        &self,
        server: &ServerId,
        tool: &ToolName,
        mark: ToolFlags,
    ) -> Result<(), StoreError> {
        let (key, tool) = (server.key(), tool.clone());
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "INSERT OR REPLACE INTO marks (server, tool, body) VALUES (?1, ?2, ?3)",
                    params![key, tool.as_str(), to_json(&mark)?],
                )?;
                Ok(())
            })
            .await
    }
}
