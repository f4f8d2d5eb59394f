//! Workspaces: named sets of servers, with the folders and the tool switches of each server there,
//! and the tools of it that models are always shown.
//!
//! Always true here:
//! - exactly one workspace is in use, and it cannot be removed;
//! - names are unique without regard to case;
//! - what is kept of a server in one workspace says nothing about another.

use crate::StoreError;
use crate::db::{Commit, Database};
use protocol::{ServerId, Timestamp, ToolName, WorkspaceId};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::collections::{BTreeMap, BTreeSet};

/// What is kept of servers in each workspace.
const TABLES: [(&str, &str); 4] = [
    ("switched_on", "server"),
    ("roots", "server, position, path"),
    ("switched_off", "server, tool"),
    ("always_shown", "server, tool"),
];

/// A workspace as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceRow {
    /// Its number.
    pub id: WorkspaceId,
    /// What the person calls it; empty for the first one until they give it a name.
    pub name: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// Whether it is the one in use.
    pub in_use: bool,
    /// Its servers: those of which anything is kept here. A server that is not among them is off
    /// and has no folder.
    pub places: BTreeMap<ServerId, Place>,
}

/// What is kept of a server in one workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// Whether it should run while the workspace is in use.
    pub on: bool,
    /// Its folders, in the order they were given.
    pub roots: Vec<String>,
    /// Its tools that a person has switched off.
    pub off: BTreeSet<ToolName>,
    /// Its tools that models are always shown, however many there are.
    pub always_shown: BTreeSet<ToolName>,
}

/// The tables of workspaces.
#[derive(Clone)]
pub struct Workspaces {
    pub(crate) db: Database,
}

impl Workspaces {
    /// Makes the first one if there is none.
    pub async fn ensure(&self, now: Timestamp) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "INSERT INTO workspaces (id, key, name, made_at, in_use)
                     SELECT ?1, '', '', ?2, 1 WHERE NOT EXISTS (SELECT 1 FROM workspaces)",
                    params![WorkspaceId::first().as_str(), now.0],
                )?;
                Ok(())
            })
            .await
    }

    /// All of them, by name.
    pub async fn all(&self) -> Result<Vec<WorkspaceRow>, StoreError> {
        self.db.read(all).await
    }

    /// Makes one that is not in use, with everything that is kept of servers in `like`. Fails with
    /// [`StoreError::WorkspaceNameTaken`] if another has its name, in whatever case, and with
    /// [`StoreError::UnknownWorkspace`] if there is no `like`.
    pub async fn add(
        &self,
        id: WorkspaceId,
        name: String,
        like: Option<WorkspaceId>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                check_free(tx, &id, &name)?;
                tx.execute(
                    "INSERT INTO workspaces (id, key, name, made_at, in_use) VALUES (?1, ?2, ?3, ?4, 0)",
                    params![id.as_str(), key(&name), name, now.0],
                )?;
                let Some(like) = like else { return Ok(()) };
                check_known(tx, &like)?;
                for (table, columns) in TABLES {
                    let copy = format!("INSERT INTO {table} (workspace, {columns}) SELECT ?1, {columns} FROM {table} WHERE workspace = ?2");
                    tx.execute(&copy, params![id.as_str(), like.as_str()])?;
                }
                Ok(())
            })
            .await
    }

    /// Calls one something else. Fails with [`StoreError::WorkspaceNameTaken`] and
    /// [`StoreError::UnknownWorkspace`].
    pub async fn rename(&self, id: WorkspaceId, name: String) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                check_known(tx, &id)?;
                check_free(tx, &id, &name)?;
                tx.execute(
                    "UPDATE workspaces SET key = ?2, name = ?3 WHERE id = ?1",
                    params![id.as_str(), key(&name), name],
                )?;
                Ok(())
            })
            .await
    }

    /// Removes one with everything in it; its grants are the caller's to take back. Fails with
    /// [`StoreError::WorkspaceInUse`] and [`StoreError::UnknownWorkspace`].
    pub async fn remove(&self, id: WorkspaceId) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                if check_known(tx, &id)? {
                    return Err(StoreError::WorkspaceInUse { id });
                }
                tx.execute("DELETE FROM workspaces WHERE id = ?1", [id.as_str()])?;
                for (table, _) in TABLES {
                    tx.execute(
                        &format!("DELETE FROM {table} WHERE workspace = ?1"),
                        [id.as_str()],
                    )?;
                }
                Ok(())
            })
            .await
    }

    /// Takes one into use, in place of the one before. Fails with [`StoreError::UnknownWorkspace`].
    pub async fn take_up(&self, id: WorkspaceId) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                check_known(tx, &id)?;
                tx.execute("UPDATE workspaces SET in_use = (id = ?1)", [id.as_str()])?;
                Ok(())
            })
            .await
    }

    /// Switches a server on or off in one workspace.
    pub async fn switch(
        &self,
        id: WorkspaceId,
        server: &ServerId,
        on: bool,
    ) -> Result<(), StoreError> {
        let key = server.key();
        let sql = if on {
            "INSERT INTO switched_on (workspace, server) VALUES (?1, ?2) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM switched_on WHERE workspace = ?1 AND server = ?2"
        };
        self.db
            .write(Commit::Durable, move |tx| {
                Ok(tx.execute(sql, params![id.as_str(), key]).map(|_| ())?)
            })
            .await
    }

    /// Switches a server off in every workspace.
    pub async fn switch_off_everywhere(&self, server: &ServerId) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                Ok(tx
                    .execute("DELETE FROM switched_on WHERE server = ?1", [key])
                    .map(|_| ())?)
            })
            .await
    }

    /// Gives a server these folders in one workspace, in place of those before.
    pub async fn set_roots(
        &self,
        id: WorkspaceId,
        server: &ServerId,
        roots: Vec<String>,
    ) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "DELETE FROM roots WHERE workspace = ?1 AND server = ?2",
                    params![id.as_str(), key],
                )?;
                let mut insert = tx.prepare_cached(
                    "INSERT INTO roots (workspace, server, position, path) VALUES (?1, ?2, ?3, ?4)",
                )?;
                for (position, path) in (0_i64..).zip(&roots) {
                    insert.execute(params![id.as_str(), key, position, path])?;
                }
                Ok(())
            })
            .await
    }

    /// Switches one tool on or off in one workspace, whether or not it is listed now.
    pub async fn switch_tool(
        &self,
        id: WorkspaceId,
        server: &ServerId,
        tool: &ToolName,
        on: bool,
    ) -> Result<(), StoreError> {
        self.put_tool("switched_off", id, server, tool, !on).await
    }

    /// Has models always shown one tool in one workspace, or not any more, whether or not it is
    /// listed now.
    pub async fn show_tool_always(
        &self,
        id: WorkspaceId,
        server: &ServerId,
        tool: &ToolName,
        on: bool,
    ) -> Result<(), StoreError> {
        self.put_tool("always_shown", id, server, tool, on).await
    }

    /// Puts a tool into one of the tables of tools, or takes it out.
    async fn put_tool(
        &self,
        table: &'static str,
        id: WorkspaceId,
        server: &ServerId,
        tool: &ToolName,
        is_in: bool,
    ) -> Result<(), StoreError> {
        let (key, tool) = (server.key(), tool.clone());
        let sql = if is_in {
            format!(
                "INSERT INTO {table} (workspace, server, tool) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"
            )
        } else {
            format!("DELETE FROM {table} WHERE workspace = ?1 AND server = ?2 AND tool = ?3")
        };
        self.db
            .write(Commit::Durable, move |tx| {
                Ok(tx
                    .execute(&sql, params![id.as_str(), key, tool.as_str()])
                    .map(|_| ())?)
            })
            .await
    }

    /// A tool goes by another name now: wherever it is switched off or always shown, it stays so
    /// under the new one.
    pub async fn follow_tool(
        &self,
        server: &ServerId,
        from: &ToolName,
        to: &ToolName,
    ) -> Result<(), StoreError> {
        let (key, from, to) = (server.key(), from.clone(), to.clone());
        self.db
            .write(Commit::Durable, move |tx| {
                for table in ["switched_off", "always_shown"] {
                    let sql = format!(
                        "INSERT OR IGNORE INTO {table} (workspace, server, tool)
                         SELECT workspace, server, ?3 FROM {table} WHERE server = ?1 AND tool = ?2"
                    );
                    tx.execute(&sql, params![key, from.as_str(), to.as_str()])?;
                }
                Ok(())
            })
            .await
    }
}

fn all(db: &Connection) -> Result<Vec<WorkspaceRow>, StoreError> {
    let mut select =
        db.prepare_cached("SELECT id, name, made_at, in_use FROM workspaces ORDER BY key")?;
    let found = select.query_map([], |row| {
        Ok(WorkspaceRow {
            id: WorkspaceId::from(row.get::<_, String>(0)?),
            name: row.get(1)?,
            made_at: Timestamp(row.get(2)?),
            in_use: row.get(3)?,
            places: BTreeMap::new(),
        })
    })?;
    let mut rows = found.collect::<Result<Vec<_>, _>>()?;
    for row in &mut rows {
        row.places = places(db, &row.id)?;
    }
    Ok(rows)
}

fn places(db: &Connection, id: &WorkspaceId) -> Result<BTreeMap<ServerId, Place>, StoreError> {
    let mut places: BTreeMap<ServerId, Place> = BTreeMap::new();
    type Take = fn(&mut Place, String);
    let kinds: [(&str, Take); 4] = [
        (
            "SELECT name, '' FROM switched_on JOIN servers ON key = server WHERE workspace = ?1",
            |place, _| place.on = true,
        ),
        (
            "SELECT name, path FROM roots JOIN servers ON key = server WHERE workspace = ?1 ORDER BY position",
            |place, path| {
                place.roots.push(path);
            },
        ),
        (
            "SELECT name, tool FROM switched_off JOIN servers ON key = server WHERE workspace = ?1",
            |place, tool| {
                place.off.insert(ToolName::from(tool.as_str()));
            },
        ),
        (
            "SELECT name, tool FROM always_shown JOIN servers ON key = server WHERE workspace = ?1",
            |place, tool| {
                place.always_shown.insert(ToolName::from(tool.as_str()));
            },
        ),
    ];
    for (sql, take) in kinds {
        let mut select = db.prepare_cached(sql)?;
        let mut found = select.query([id.as_str()])?;
        while let Some(row) = found.next()? {
            let name: String = row.get(0)?;
            let server = ServerId::parse(&name).map_err(|error| StoreError::Damaged {
                reason: error.to_string(),
            })?;
            take(places.entry(server).or_default(), row.get(1)?);
        }
    }
    Ok(places)
}

/// What names are compared by.
fn key(name: &str) -> String {
    name.to_lowercase()
}

/// Whether it is in use; an error if there is no such workspace.
fn check_known(tx: &Transaction<'_>, id: &WorkspaceId) -> Result<bool, StoreError> {
    let found = tx
        .query_row(
            "SELECT in_use FROM workspaces WHERE id = ?1",
            [id.as_str()],
            |row| row.get(0),
        )
        .optional()?;
    found.ok_or_else(|| StoreError::UnknownWorkspace { id: id.clone() })
}

fn check_free(tx: &Transaction<'_>, id: &WorkspaceId, name: &str) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM workspaces WHERE key = ?1 AND id <> ?2)";
    if tx.query_row(sql, params![key(name), id.as_str()], |row| row.get(0))? {
        return Err(StoreError::WorkspaceNameTaken {
            name: name.to_owned(),
        });
    }
    Ok(())
}
