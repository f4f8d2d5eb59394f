//! What each server offered beside tools when it was last asked, for who asks while it does not run.
//!
//! Always true here: what is longer than [`LONGEST`] is not kept, and then nothing is known of it.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::ServerId;
use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How many bytes of JSON are kept of one part.
const LONGEST: usize = 1024 * 1024;

/// A part of what a server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CataloguePart {
    /// What it says about itself, and what it can do.
    About,
    /// Its prompts.
    Prompts,
    /// The templates of its resources.
    Templates,
    /// Its resources.
    Resources,
}

impl CataloguePart {
    fn key(self) -> &'static str {
        match self {
            Self::About => "about",
            Self::Prompts => "prompts",
            Self::Templates => "templates",
            Self::Resources => "resources",
        }
    }
}

/// The table of what servers offer.
#[derive(Clone)]
pub struct Catalogues {
    pub(crate) db: Database,
}

impl Catalogues {
    /// Keeps a part in place of what was there. Secrets in it are covered already.
    pub async fn save(
        &self,
        server: &ServerId,
        part: CataloguePart,
        content: &(impl Serialize + Sync),
    ) -> Result<(), StoreError> {
        let (key, content) = (server.key(), to_json(content)?);
        if content.len() > LONGEST {
            return self.forget(server, part).await;
        }
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "INSERT OR REPLACE INTO catalogues (server, part, content) VALUES (?1, ?2, ?3)",
                    params![key, part.key(), content],
                )?;
                Ok(())
            })
            .await
    }

    /// Keeps a part no longer: it is not so any more.
    pub async fn forget(&self, server: &ServerId, part: CataloguePart) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "DELETE FROM catalogues WHERE server = ?1 AND part = ?2",
                    params![key, part.key()],
                )?;
                Ok(())
            })
            .await
    }

    /// What is kept of a part; nothing if it is not known, or cannot be read.
    pub async fn load<T: DeserializeOwned + Send + 'static>(
        &self,
        server: &ServerId,
        part: CataloguePart,
    ) -> Result<Option<T>, StoreError> {
        let key = server.key();
        self.db
            .read(move |db| {
                let mut select = db.prepare_cached(
                    "SELECT content FROM catalogues WHERE server = ?1 AND part = ?2",
                )?;
                let found: Option<String> = select
                    .query_row(params![key, part.key()], |row| row.get(0))
                    .optional()?;
                Ok(found.and_then(|text| from_json(&text).ok()))
            })
            .await
    }
}
