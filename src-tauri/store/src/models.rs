//! Models that the person has set up.
//!
//! Always true here: of a key nothing is kept but where it lies, and names are unique without regard
//! to case.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::{ModelId, ModelSettings, SecretId, Timestamp};
use rusqlite::{OptionalExtension, params};

/// A model as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRow {
    /// Its number.
    pub id: ModelId,
    /// What the person calls it.
    pub name: String,
    /// How it is reached, and what it can do.
    pub settings: ModelSettings,
    /// Where the key of its service lies, if it has one.
    pub key: Option<SecretId>,
    /// When it was added.
    pub added_at: Timestamp,
}

/// The table of models.
#[derive(Clone)]
pub struct Models {
    pub(crate) db: Database,
}

impl Models {
    /// All of them, oldest first. Fails with [`StoreError::Damaged`] where one cannot be read.
    pub async fn all(&self) -> Result<Vec<ModelRow>, StoreError> {
        self.db
            .read(|db| {
                let mut select = db.prepare_cached(
                    "SELECT id, name, settings, key, added_at FROM models ORDER BY added_at, id",
                )?;
                let mut found = select.query([])?;
                let mut rows = Vec::new();
                while let Some(row) = found.next()? {
                    rows.push(ModelRow {
                        id: ModelId::from(row.get::<_, String>(0)?),
                        name: row.get(1)?,
                        settings: from_json(&row.get::<_, String>(2)?)?,
                        key: row.get::<_, Option<String>>(3)?.map(SecretId::from),
                        added_at: Timestamp(row.get(4)?),
                    });
                }
                Ok(rows)
            })
            .await
    }

    /// Keeps a model, in place of what was kept of it. It is on the disk when this returns. Fails
    /// with [`StoreError::ModelNameTaken`] if another has its name.
    pub async fn save(&self, row: ModelRow) -> Result<(), StoreError> {
        let settings = to_json(&row.settings)?;
        self.db
            .write(Commit::Durable, move |tx| {
                let key = row.name.to_lowercase();
                let taken = tx
                    .query_row(
                        "SELECT 1 FROM models WHERE name_key = ?1 AND id <> ?2",
                        params![key, row.id.as_str()],
                        |_| Ok(()),
                    )
                    .optional()?;
                if taken.is_some() {
                    return Err(StoreError::ModelNameTaken { name: row.name });
                }
                tx.execute(
                    "INSERT OR REPLACE INTO models (id, name, name_key, settings, key, added_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![
                        row.id.as_str(),
                        row.name,
                        key,
                        settings,
                        row.key.as_ref().map(SecretId::as_str),
                        row.added_at.0,
                    ],
                )?;
                Ok(())
            })
            .await
    }

    /// Forgets one; where its key lies is the caller's to empty.
    pub async fn remove(&self, id: &ModelId) -> Result<(), StoreError> {
        let id = id.clone();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute("DELETE FROM models WHERE id = ?1", [id.as_str()])?;
                Ok(())
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Home, NOW};
    use protocol::ModelService;

    fn row(name: &str) -> ModelRow {
        ModelRow {
            id: ModelId::random(),
            name: name.to_owned(),
            settings: ModelSettings {
                service: ModelService::Ollama,
                url: ModelService::Ollama.address().to_owned(),
                name: "qwen3:8b".to_owned(),
                context: 16_384,
                sees_images: false,
                plain_nearby: false,
            },
            key: Some(SecretId::random()),
            added_at: NOW,
        }
    }

    #[tokio::test]
    async fn models_are_there_after_a_restart_and_no_two_have_one_name() {
        let home = Home::new();
        let store = home.open().await;
        let (mut first, second) = (row("Home"), row("home"));
        store.models().save(first.clone()).await.unwrap();
        let taken = store.models().save(second.clone()).await;
        assert!(matches!(taken, Err(StoreError::ModelNameTaken { .. })));
        first.key = None;
        "HOME".clone_into(&mut first.name);
        store.models().save(first.clone()).await.unwrap();
        drop(store);
        let models = home.open().await.models();
        assert_eq!(models.all().await.unwrap(), std::slice::from_ref(&first));
        models.remove(&first.id).await.unwrap();
        models.save(second.clone()).await.unwrap();
        assert_eq!(models.all().await.unwrap(), [second]);
    }
}
