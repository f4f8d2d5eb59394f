//! The servers a person has added. Whether they run, and with which folders, is a matter of each
//! workspace.
//!
//! Always true here: names are unique without regard to case, and a new server inherits nothing
//! from an earlier one of its name.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::{ConfinementSettings, Fingerprint, Identity, Launch, Runs, ServerId, Timestamp};
use rusqlite::{Connection, Transaction, params};

/// A server as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerRow {
    /// Our name for it.
    pub id: ServerId,
    /// How it is reached. Secrets are references.
    pub launch: Launch,
    /// The review that a person accepted last.
    pub reviewed: Option<Fingerprint>,
    /// What ran when they did, as far as it could be found out.
    pub identity: Option<Identity>,
    /// When it runs, where it is on.
    pub runs: Runs,
    /// What it may touch, if it is a program on this computer.
    pub confinement: ConfinementSettings,
    /// When it was added.
    pub added_at: Timestamp,
}

/// The table of servers.
#[derive(Clone)]
pub struct Servers {
    pub(crate) db: Database,
}

impl Servers {
    /// All of them, by name.
    pub async fn all(&self) -> Result<Vec<ServerRow>, StoreError> {
        self.db.read(all).await
    }

    /// Adds one; it is off in every workspace. Fails with [`StoreError::NameTaken`] if another has
    /// its name, in whatever case.
    pub async fn insert(&self, row: ServerRow) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                let taken: bool =
                    tx.query_row("SELECT EXISTS (SELECT 1 FROM servers WHERE key = ?1)", [row.id.key()], |found| found.get(0))?;
                if taken {
                    return Err(StoreError::NameTaken { name: row.id });
                }
                forget(tx, &row.id)?;
                tx.execute(
                    "INSERT INTO servers (key, name, launch, reviewed, added_at, identity, runs, confinement) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                    params![
                        row.id.key(),
                        row.id.as_str(),
                        to_json(&row.launch)?,
                        row.reviewed.as_ref().map(Fingerprint::as_str),
                        row.added_at.0,
                        row.identity.as_ref().map(to_json).transpose()?,
                        to_json(&row.runs)?,
                        to_json(&row.confinement)?
                    ],
                )?;
                Ok(())
            })
            .await
    }

    /// Replaces what is kept of one for all workspaces.
    pub async fn update(&self, row: ServerRow) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                let changed = tx.execute(
                    "UPDATE servers SET name = ?2, launch = ?3, reviewed = ?4, added_at = ?5, identity = ?6, runs = ?7, confinement = ?8 WHERE key = ?1",
                    params![
                        row.id.key(),
                        row.id.as_str(),
                        to_json(&row.launch)?,
                        row.reviewed.as_ref().map(Fingerprint::as_str),
                        row.added_at.0,
                        row.identity.as_ref().map(to_json).transpose()?,
                        to_json(&row.runs)?,
                        to_json(&row.confinement)?
                    ],
                )?;
                if changed == 0 {
                    return Err(StoreError::UnknownServer { name: row.id });
                }
                Ok(())
            })
            .await
    }

    /// Removes one, and with it its folders, tools, switches and grants. Its secrets are the
    /// caller's to remove.
    pub async fn remove(&self, id: &ServerId) -> Result<(), StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                if tx.execute("DELETE FROM servers WHERE key = ?1", [id.key()])? == 0 {
                    return Err(StoreError::UnknownServer { name: id });
                }
                forget(tx, &id)
            })
            .await
    }
}

fn all(db: &Connection) -> Result<Vec<ServerRow>, StoreError> {
    let mut servers = db.prepare_cached(
        "SELECT name, launch, reviewed, added_at, identity, runs, confinement FROM servers ORDER BY key",
    )?;
    let mut found = servers.query([])?;
    let mut all = Vec::new();
    while let Some(row) = found.next()? {
        let name: String = row.get(0)?;
        let reviewed: Option<String> = row.get(2)?;
        all.push(ServerRow {
            id: ServerId::parse(&name).map_err(|error| StoreError::Damaged {
                reason: error.to_string(),
            })?,
            launch: from_json(&row.get::<_, String>(1)?)?,
            reviewed: reviewed
                .map(|text| from_json(&to_json(&text)?))
                .transpose()?,
            // One that cannot be read is none, and then the server must be reviewed again.
            identity: row
                .get::<_, Option<String>>(4)?
                .and_then(|text| from_json(&text).ok()),
            runs: from_json(&row.get::<_, String>(5)?)?,
            // What cannot be read gives nothing.
            confinement: from_json(&row.get::<_, String>(6)?).unwrap_or_default(),
            added_at: Timestamp(row.get(3)?),
        });
    }
    Ok(all)
}

/// Deletes all that hangs on a server's name.
fn forget(tx: &Transaction<'_>, id: &ServerId) -> Result<(), StoreError> {
    for table in [
        "switched_on",
        "roots",
        "tools",
        "catalogues",
        "switched_off",
        "always_shown",
        "grants",
        "eras",
        "tasks",
        "accounts",
        "clients",
        "pins",
        "marks",
    ] {
        tx.execute(
            &format!("DELETE FROM {table} WHERE server = ?1"),
            [id.key()],
        )?;
    }
    Ok(())
}
