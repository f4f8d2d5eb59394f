//! Rules that the person made.
//!
//! Always true here: one that cannot be read is an error; it is never passed over.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use policy::Rule;
use protocol::RuleId;
use rusqlite::params;

/// The table of rules.
#[derive(Clone)]
pub struct Rules {
    pub(crate) db: Database,
}

impl Rules {
    /// Keeps a rule. It is on the disk when this returns.
    pub async fn insert(&self, rule: Rule) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                let made_at = rule.made_at.map_or(0, |at| at.0);
                tx.execute(
                    "INSERT INTO rules (id, body, made_at) VALUES (?1, ?2, ?3)",
                    params![rule.id.as_str(), to_json(&rule)?, made_at],
                )?;
                Ok(())
            })
            .await
    }

    /// Forgets a rule; whether there was one.
    pub async fn remove(&self, id: &RuleId) -> Result<bool, StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                Ok(tx.execute("DELETE FROM rules WHERE id = ?1", [id.as_str()])? > 0)
            })
            .await
    }

    /// All of them, oldest first.
    pub async fn all(&self) -> Result<Vec<Rule>, StoreError> {
        self.db
            .read(move |db| {
                let mut select =
                    db.prepare_cached("SELECT body FROM rules ORDER BY made_at, rowid")?;
                let mut found = select.query([])?;
                let mut rules = Vec::new();
                while let Some(row) = found.next()? {
                    rules.push(from_json(&row.get::<_, String>(0)?)?);
                }
                Ok(rules)
            })
            .await
    }
}
