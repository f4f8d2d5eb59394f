//! The last list of tools that each server showed, and which of them a person has switched off.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::{ServerId, ToolName, ToolSpec};
use rusqlite::params;
use std::collections::BTreeSet;

/// The tables of tools and of their switches.
#[derive(Clone)]
pub struct Tools {
    pub(crate) db: Database,
}

impl Tools {
    /// Remembers the list that a server showed, in place of the one before. Switches stay as they are.
    pub async fn save(&self, server: &ServerId, tools: Vec<ToolSpec>) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute("DELETE FROM tools WHERE server = ?1", [&key])?;
                let mut insert = tx.prepare_cached("INSERT INTO tools (server, position, spec) VALUES (?1, ?2, ?3)")?;
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
                let mut select = db.prepare_cached("SELECT spec FROM tools WHERE server = ?1 ORDER BY position")?;
                let mut found = select.query([key])?;
                let mut tools = Vec::new();
                while let Some(row) = found.next()? {
                    tools.push(from_json(&row.get::<_, String>(0)?)?);
                }
                Ok(tools)
            })
            .await
    }

    /// Switches one tool on or off, whether or not it is listed now.
    pub async fn switch(&self, server: &ServerId, tool: &ToolName, on: bool) -> Result<(), StoreError> {
        let (key, tool) = (server.key(), tool.clone());
        let sql = if on {
            "DELETE FROM switched_off WHERE server = ?1 AND tool = ?2"
        } else {
            "INSERT INTO switched_off (server, tool) VALUES (?1, ?2) ON CONFLICT DO NOTHING"
        };
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(sql, params![key, tool.as_str()])?;
                Ok(())
            })
            .await
    }

    /// The tools of a server that a person has switched off.
    pub async fn switched_off(&self, server: &ServerId) -> Result<BTreeSet<ToolName>, StoreError> {
        let key = server.key();
        self.db
            .read(move |db| {
                let mut select = db.prepare_cached("SELECT tool FROM switched_off WHERE server = ?1")?;
                let tools = select.query_map([key], |row| row.get(0).map(ToolName))?.collect::<Result<_, _>>()?;
                Ok(tools)
            })
            .await
    }
}
