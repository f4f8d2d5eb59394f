//! What a person has allowed for more than once.
//!
//! Always true here: a grant that was taken back never comes back, and one for a run ends with that
//! run.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use policy::{Grant, Scope};
use protocol::{Fingerprint, GrantId, RunId, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::Value;

/// The table of grants.
#[derive(Clone)]
pub struct Grants {
    pub(crate) db: Database,
    pub(crate) run: RunId,
}

/// How often a grant was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Which one.
    pub grant: GrantId,
    /// How many calls it has let through.
    pub used: u32,
    /// When the last one was.
    pub last_at: Timestamp,
}

impl Grants {
    /// Remembers a grant. It is on the disk when this returns.
    pub async fn insert(&self, grant: Grant) -> Result<(), StoreError> {
        let run = self.run.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                // One for a conversation ends with the run, since all conversations do.
                let run = matches!(grant.scope, Scope::Conversation { .. }).then_some(run.as_str());
                tx.execute(
                    "INSERT INTO grants (id, server, run, body, made_at, used, last_used_at, revoked_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                    params![
                        grant.id.as_str(),
                        grant.server.key(),
                        run,
                        to_json(&grant)?,
                        grant.made_at.0,
                        grant.used,
                        grant.last_used_at.map(|at| at.0),
                        grant.revoked_at.map(|at| at.0)
                    ],
                )?;
                Ok(())
            })
            .await
    }

    /// Those that hold now, oldest first. Those for other runs of the application are left out.
    pub async fn live(&self) -> Result<Vec<Grant>, StoreError> {
        let run = self.run.clone();
        self.db
            .read(move |db| {
                let mut select = db.prepare_cached(
                    "SELECT body, used, last_used_at, revoked_at FROM grants
                     WHERE revoked_at IS NULL AND (run IS NULL OR run = ?1) ORDER BY made_at, rowid",
                )?;
                let mut found = select.query([run.as_str()])?;
                let mut grants = Vec::new();
                while let Some(row) = found.next()? {
                    grants.push(read(row)?);
                }
                Ok(grants)
            })
            .await
    }

    /// Whether there is such a grant, or was one.
    pub async fn knows(&self, id: &GrantId) -> Result<bool, StoreError> {
        let id = id.clone();
        self.db.read(move |db| Ok(find(db, &id)?.is_some())).await
    }

    /// Takes a grant back for good. Fails with [`StoreError::UnknownGrant`] if there is none, or it
    /// was taken back already.
    pub async fn revoke(&self, id: &GrantId, now: Timestamp) -> Result<Grant, StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let revoked = tx.execute(
                    "UPDATE grants SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL",
                    params![id.as_str(), now.0],
                )?;
                match find(tx, &id)? {
                    Some(grant) if revoked == 1 => Ok(grant),
                    _ => Err(StoreError::UnknownGrant { id }),
                }
            })
            .await
    }

    /// Notes how many calls grants have let through, and when each did last. What is not there any
    /// more is passed over.
    pub async fn note_uses(&self, uses: Vec<Use>) -> Result<(), StoreError> {
        self.db
            // Lazy: the log says the same.
            .write(Commit::Lazy, move |tx| {
                let sql = "UPDATE grants SET used = MAX(used, ?2), last_used_at = ?3 WHERE id = ?1";
                let mut update = tx.prepare_cached(sql)?;
                for Use {
                    grant,
                    used,
                    last_at,
                } in uses
                {
                    update.execute(params![grant.as_str(), used, last_at.0])?;
                }
                Ok(())
            })
            .await
    }

    /// Notes how many calls a grant has decided about. It is on the disk when this returns, and
    /// never becomes less.
    pub async fn count(&self, id: &GrantId, used: u32, now: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "UPDATE grants SET used = MAX(used, ?2), last_used_at = ?3 WHERE id = ?1";
                match tx.execute(sql, params![id.as_str(), used, now.0])? {
                    0 => Err(StoreError::UnknownGrant { id }),
                    _ => Ok(()),
                }
            })
            .await
    }
}

/// The fingerprint of a grant's terms, as they are written down: all that does not change while it
/// holds.
pub(crate) fn terms_of(mut body: Value) -> Fingerprint {
    if let Value::Object(body) = &mut body {
        for changing in ["used", "last_used_at", "revoked_at"] {
            body.remove(changing);
        }
    }
    Fingerprint::of(&body)
}

fn find(db: &Connection, id: &GrantId) -> Result<Option<Grant>, StoreError> {
    let mut select =
        db.prepare_cached("SELECT body, used, last_used_at, revoked_at FROM grants WHERE id = ?1")?;
    select
        .query_row([id.as_str()], |row| Ok(read(row)))
        .optional()?
        .transpose()
}

fn read(row: &Row<'_>) -> Result<Grant, StoreError> {
    let grant: Grant = from_json(&row.get::<_, String>(0)?)?;
    Ok(Grant {
        used: row.get(1)?,
        last_used_at: row.get::<_, Option<i64>>(2)?.map(Timestamp),
        revoked_at: row.get::<_, Option<i64>>(3)?.map(Timestamp),
        ..grant
    })
}
