//! Other applications that may come in by the gateway.
//!
//! Always true here: of a token only its hash is kept, and no two clients have the same.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use policy::ClientSettings;
use protocol::{CallerId, Timestamp, TokenHash};
use rusqlite::params;

/// A client as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayClientRow {
    /// The id of the caller.
    pub id: CallerId,
    /// What the person calls it.
    pub name: String,
    /// When it was added.
    pub added_at: Timestamp,
    /// The hash of its token for HTTP, if it has one.
    pub token_hash: Option<TokenHash>,
    /// When it was connected last.
    pub seen_at: Option<Timestamp>,
    /// What it is given, and how it is shown it.
    pub settings: ClientSettings,
}

/// The table of clients.
#[derive(Clone)]
pub struct GatewayClients {
    pub(crate) db: Database,
}

impl GatewayClients {
    /// All of them, oldest first. Fails with [`StoreError::Damaged`] where one cannot be read.
    pub async fn all(&self) -> Result<Vec<GatewayClientRow>, StoreError> {
        self.db
            .read(|db| {
                let mut select = db.prepare_cached(
                    "SELECT id, name, added_at, token_hash, seen_at, settings FROM gateway_clients ORDER BY added_at, id",
                )?;
                let mut found = select.query([])?;
                let mut rows = Vec::new();
                while let Some(row) = found.next()? {
                    let (id, hash): (String, Option<String>) = (row.get(0)?, row.get(3)?);
                    let settings: Option<String> = row.get(5)?;
                    rows.push(GatewayClientRow {
                        id: id.parse().map_err(damaged)?,
                        name: row.get(1)?,
                        added_at: Timestamp(row.get(2)?),
                        token_hash: hash.map(|hash| hash.parse()).transpose().map_err(damaged)?,
                        seen_at: row.get::<_, Option<i64>>(4)?.map(Timestamp),
                        // It was added before there were any.
                        settings: settings.map_or(Ok(ClientSettings::default()), |text| from_json(&text))?,
                    });
                }
                Ok(rows)
            })
            .await
    }

    /// Keeps a client, in place of what was kept of it. It is on the disk when this returns.
    pub async fn save(&self, row: GatewayClientRow) -> Result<(), StoreError> {
        let settings = to_json(&row.settings)?;
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "INSERT OR REPLACE INTO gateway_clients (id, name, added_at, token_hash, seen_at, settings) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![
                        row.id.as_str(),
                        row.name,
                        row.added_at.0,
                        row.token_hash.as_ref().map(TokenHash::as_str),
                        row.seen_at.map(|at| at.0),
                        settings,
                    ],
                )?;
                Ok(())
            })
            .await
    }

    /// Notes that one is connected.
    pub async fn seen(&self, id: &CallerId, now: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Lazy, move |tx| {
                tx.execute(
                    "UPDATE gateway_clients SET seen_at = ?2 WHERE id = ?1",
                    params![id.as_str(), now.0],
                )?;
                Ok(())
            })
            .await
    }

    /// Forgets one.
    pub async fn remove(&self, id: &CallerId) -> Result<(), StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute("DELETE FROM gateway_clients WHERE id = ?1", [id.as_str()])?;
                Ok(())
            })
            .await
    }
}

fn damaged(problem: impl std::fmt::Display) -> StoreError {
    StoreError::Damaged {
        reason: format!("a client cannot be read: {problem}"),
    }
}
