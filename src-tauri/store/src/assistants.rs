//! Assistants that the person has made.
//!
//! Always true here: names are unique without regard to case.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::{AssistantId, AssistantSettings, Timestamp};
use rusqlite::{OptionalExtension, params};

/// An assistant as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssistantRow {
    /// Its number.
    pub id: AssistantId,
    /// How it is set up, with its name.
    pub settings: AssistantSettings,
    /// When it was added.
    pub added_at: Timestamp,
}

/// The table of assistants.
#[derive(Clone)]
pub struct Assistants {
    pub(crate) db: Database,
}

impl Assistants {
    /// All of them, oldest first. Fails with [`StoreError::Damaged`] where one cannot be read.
    pub async fn all(&self) -> Result<Vec<AssistantRow>, StoreError> {
        self.db
            .read(|db| {
                let mut select = db.prepare_cached(
                    "SELECT id, settings, added_at FROM assistants ORDER BY added_at, id",
                )?;
                let mut found = select.query([])?;
                let mut rows = Vec::new();
                while let Some(row) = found.next()? {
                    rows.push(AssistantRow {
                        id: AssistantId::from(row.get::<_, String>(0)?),
                        settings: from_json(&row.get::<_, String>(1)?)?,
                        added_at: Timestamp(row.get(2)?),
                    });
                }
                Ok(rows)
            })
            .await
    }

    /// Keeps one, in place of what was kept of it. It is on the disk when this returns. Fails with
    /// [`StoreError::AssistantNameTaken`] if another has its name.
    pub async fn save(&self, row: AssistantRow) -> Result<(), StoreError> {
        let settings = to_json(&row.settings)?;
        self.db
            .write(Commit::Durable, move |tx| {
                let name = row.settings.name;
                let key = name.to_lowercase();
                let taken = tx
                    .query_row(
                        "SELECT 1 FROM assistants WHERE name_key = ?1 AND id <> ?2",
                        params![key, row.id.as_str()],
                        |_| Ok(()),
                    )
                    .optional()?;
                if taken.is_some() {
                    return Err(StoreError::AssistantNameTaken { name });
                }
                tx.execute(
                    "INSERT OR REPLACE INTO assistants (id, name_key, settings, added_at) VALUES (?1, ?2, ?3, ?4)",
                    params![row.id.as_str(), key, settings, row.added_at.0],
                )?;
                Ok(())
            })
            .await
    }

    /// Forgets one.
    pub async fn remove(&self, id: &AssistantId) -> Result<(), StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute("DELETE FROM assistants WHERE id = ?1", [id.as_str()])?;
                Ok(())
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Home, NOW};
    use protocol::{AnswerType, AssistantTools};

    fn row(name: &str) -> AssistantRow {
        AssistantRow {
            id: AssistantId::random(),
            settings: AssistantSettings {
                name: name.to_owned(),
                description: "Adds up.".to_owned(),
                instructions: "Be exact.".to_owned(),
                model: None,
                tools: AssistantTools::Chosen { tools: Vec::new() },
                calculates: true,
                helpers: vec![AssistantId::random()],
                is_helper: true,
                answer: AnswerType::Number,
            },
            added_at: NOW,
        }
    }

    #[tokio::test]
    async fn assistants_are_there_after_a_restart_and_no_two_have_one_name() {
        let home = Home::new();
        let store = home.open().await;
        let (mut first, second) = (row("Sums"), row("sums"));
        store.assistants().save(first.clone()).await.unwrap();
        let taken = store.assistants().save(second.clone()).await;
        assert!(matches!(taken, Err(StoreError::AssistantNameTaken { .. })));
        "SUMS".clone_into(&mut first.settings.name);
        store.assistants().save(first.clone()).await.unwrap();
        drop(store);
        let assistants = home.open().await.assistants();
        assert_eq!(
            assistants.all().await.unwrap(),
            std::slice::from_ref(&first)
        );
        assistants.remove(&first.id).await.unwrap();
        assistants.save(second.clone()).await.unwrap();
        assert_eq!(assistants.all().await.unwrap(), [second]);
    }
}
