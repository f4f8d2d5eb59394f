//! Calls that their servers go on with as tasks.
//!
//! Always true here: a task that was inserted is on the disk, so a later run can ask what became of
//! it.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::{CallId, Caller, ConversationId, Fingerprint, ServerId, Timestamp, ToolName};
use rusqlite::params;
use serde::{Deserialize, Serialize};

/// A call that its server goes on with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRow {
    /// Which call.
    pub call: CallId,
    /// Who asked.
    pub caller: Caller,
    /// In which of its conversations; absent in rows of earlier versions.
    #[serde(default)]
    pub conversation: Option<ConversationId>,
    /// On which server.
    pub server: ServerId,
    /// How that was started or reached then; absent in rows of earlier versions.
    #[serde(default)]
    pub launch: Option<Fingerprint>,
    /// Which tool.
    pub tool: ToolName,
    /// The server's name for the task.
    pub task: String,
    /// How often the server wants to be asked about it, in milliseconds.
    pub poll_ms: u64,
    /// When the call was asked for.
    pub begun_at: Timestamp,
}

/// The table of tasks.
#[derive(Clone)]
pub struct Tasks {
    pub(crate) db: Database,
}

impl Tasks {
    /// Remembers a task.
    pub async fn insert(&self, row: TaskRow) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "INSERT OR REPLACE INTO tasks (call, server, begun_at, body) VALUES (?1, ?2, ?3, ?4)";
                tx.execute(sql, params![row.call.as_str(), row.server.key(), row.begun_at.0, to_json(&row)?])?;
                Ok(())
            })
            .await
    }

    /// The end of a task is known.
    pub async fn remove(&self, call: &CallId) -> Result<(), StoreError> {
        let call = call.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute("DELETE FROM tasks WHERE call = ?1", [call.as_str()])?;
                Ok(())
            })
            .await
    }

    /// The keys of the servers that have any.
    pub async fn servers(&self) -> Result<Vec<String>, StoreError> {
        self.db
            .read(move |db| {
                let mut select = db.prepare_cached("SELECT DISTINCT server FROM tasks")?;
                let found = select.query_map([], |row| row.get(0))?;
                Ok(found.collect::<Result<_, _>>()?)
            })
            .await
    }

    /// The tasks of a server whose end is not known, oldest first.
    pub async fn of(&self, server: &ServerId) -> Result<Vec<TaskRow>, StoreError> {
        let key = server.key();
        self.db
            .read(move |db| {
                let mut select = db.prepare_cached(
                    "SELECT body FROM tasks WHERE server = ?1 ORDER BY begun_at, call",
                )?;
                let mut found = select.query([key])?;
                let mut tasks = Vec::new();
                while let Some(row) = found.next()? {
                    tasks.push(from_json(&row.get::<_, String>(0)?)?);
                }
                Ok(tasks)
            })
            .await
    }
}
