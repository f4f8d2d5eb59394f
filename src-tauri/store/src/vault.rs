//! Where secrets lie: in the system's keyring; sealed with a key from there if they are long; or in
//! memory for this run.
//!
//! Always true here: a value is never written anywhere in the clear, and a value that is kept for
//! the session is never written at all.

mod keyring;
mod sealed;
#[cfg(test)]
mod vault_test;

pub use keyring::KeyringChoice;
#[cfg(test)]
pub(crate) use keyring::Ring;
pub(crate) use keyring::{Keyring, RingError};
pub(crate) use sealed::LockedUp;

use crate::StoreError;
use crate::db::{Commit, Database};
use protocol::{Secret, SecretId};
use rusqlite::OptionalExtension;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OnceCell;

/// Longest value, in bytes, that is put into the keyring as it is. Windows allows 2,560 bytes of
/// UTF-16.
pub(crate) const LONGEST_ENTRY: usize = 1_024;
/// How long an operation may take, a person's unlocking of the keyring included.
const KEYRING_TIMEOUT: Duration = Duration::from_secs(60);
/// How long the question whether there is a keyring may take.
pub(crate) const KEYRING_PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// Whether secrets can be kept beyond the end of the application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VaultStatus {
    /// The system's keyring answers.
    Ready,
    /// It does not.
    Missing {
        /// Why, in the system's words.
        reason: String,
    },
}

/// How long a secret is to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// In the keyring, until it is removed.
    Keyring,
    /// In memory, until the application ends.
    Session,
}

/// Where a secret was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Keyring,
    Sealed,
    Session,
}

/// The keeper of secrets; cheap to clone.
#[derive(Clone)]
pub struct Vault {
    inner: Arc<Inner>,
}

struct Inner {
    db: Database,
    keyring: Keyring,
    status: OnceCell<VaultStatus>,
    session: Mutex<HashMap<SecretId, Secret>>,
    /// Held while the sealing key is looked for and, the first time, made: two keys would lose
    /// secrets.
    making_key: tokio::sync::Mutex<()>,
}

impl Vault {
    pub(crate) fn new(db: Database, keyring: Keyring) -> Self {
        Self {
            inner: Arc::new(Inner {
                db,
                keyring,
                status: OnceCell::new(),
                session: Mutex::default(),
                making_key: tokio::sync::Mutex::default(),
            }),
        }
    }

    /// Whether there is a keyring. It is asked once; the answer is remembered.
    pub async fn status(&self) -> VaultStatus {
        let probe = || async {
            match self
                .inner
                .keyring
                .get_async("probe", KEYRING_PROBE_TIMEOUT)
                .await
            {
                Ok(_) => VaultStatus::Ready,
                Err(RingError::Missing(reason) | RingError::Failed(reason)) => {
                    VaultStatus::Missing { reason }
                }
            }
        };
        self.inner.status.get_or_init(probe).await.clone()
    }

    /// Keeps a value and returns where it lies. Fails with [`StoreError::KeyringMissing`] rather
    /// than keep it elsewhere than asked.
    pub async fn put(&self, value: &Secret, keep: Keep) -> Result<SecretId, StoreError> {
        let id = SecretId::random();
        let place = match keep {
            Keep::Session => Place::Session,
            Keep::Keyring if value.expose().len() > LONGEST_ENTRY => Place::Sealed,
            Keep::Keyring => Place::Keyring,
        };
        if keep == Keep::Keyring
            && let VaultStatus::Missing { reason } = self.status().await
        {
            return Err(StoreError::KeyringMissing { reason });
        }
        // The place is noted before the value is put there, so that nothing lies in the keyring
        // that nobody knows of.
        self.note(&id, place).await?;
        let put = match place {
            Place::Session => {
                self.session().insert(id.clone(), value.clone());
                Ok(())
            }
            Place::Keyring => self
                .inner
                .keyring
                .set_async(id.as_str(), value.clone(), KEYRING_TIMEOUT)
                .await
                .map_err(StoreError::from),
            Place::Sealed => self.seal(&id, value).await,
        };
        match put {
            Ok(()) => Ok(id),
            Err(error) => {
                // The keyring may still do later what it did not do in time.
                if place == Place::Keyring {
                    self.inner.keyring.remove_later(id.as_str());
                }
                self.forget(&id).await?;
                Err(error)
            }
        }
    }

    /// A value that was kept. Fails with [`StoreError::SecretLost`] if it is not there any more.
    pub async fn get(&self, id: &SecretId) -> Result<Secret, StoreError> {
        let lost = || StoreError::SecretLost { id: id.clone() };
        match self.place(id).await?.ok_or_else(lost)? {
            Place::Session => self.session().get(id).cloned().ok_or_else(lost),
            Place::Keyring => self
                .inner
                .keyring
                .get_async(id.as_str(), KEYRING_TIMEOUT)
                .await?
                .ok_or_else(lost),
            Place::Sealed => self.unseal(id).await,
        }
    }

    /// Removes a value for good. Removing what is not there is done already.
    pub async fn remove(&self, id: &SecretId) -> Result<(), StoreError> {
        match self.place(id).await? {
            Some(Place::Keyring) => {
                self.inner
                    .keyring
                    .remove_async(id.as_str(), KEYRING_TIMEOUT)
                    .await?
            }
            Some(Place::Session) => {
                self.session().remove(id);
            }
            Some(Place::Sealed) | None => {}
        }
        self.forget(id).await
    }

    fn session(&self) -> std::sync::MutexGuard<'_, HashMap<SecretId, Secret>> {
        // Nothing that can panic runs under this lock.
        self.inner
            .session
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    async fn note(&self, id: &SecretId, place: Place) -> Result<(), StoreError> {
        let id = id.clone();
        let work = move |tx: &rusqlite::Transaction<'_>| {
            tx.execute(
                "INSERT INTO secrets (id, place) VALUES (?1, ?2)",
                [id.as_str(), place.key()],
            )?;
            Ok(())
        };
        self.inner.db.write(Commit::Durable, work).await
    }

    async fn place(&self, id: &SecretId) -> Result<Option<Place>, StoreError> {
        let id = id.clone();
        let key: Option<String> = self
            .inner
            .db
            .read(move |db| {
                Ok(db
                    .query_row(
                        "SELECT place FROM secrets WHERE id = ?1",
                        [id.as_str()],
                        |row| row.get(0),
                    )
                    .optional()?)
            })
            .await?;
        key.map(|key| Place::parse(&key)).transpose()
    }

    async fn forget(&self, id: &SecretId) -> Result<(), StoreError> {
        let id = id.clone();
        let work = move |tx: &rusqlite::Transaction<'_>| {
            tx.execute("DELETE FROM sealed_secrets WHERE id = ?1", [id.as_str()])?;
            tx.execute("DELETE FROM secrets WHERE id = ?1", [id.as_str()])?;
            Ok(())
        };
        self.inner.db.write(Commit::Durable, work).await
    }
}

impl Place {
    fn key(self) -> &'static str {
        match self {
            Self::Keyring => "keyring",
            Self::Sealed => "sealed",
            Self::Session => "session",
        }
    }

    fn parse(key: &str) -> Result<Self, StoreError> {
        [Self::Keyring, Self::Sealed, Self::Session]
            .into_iter()
            .find(|place| place.key() == key)
            .ok_or_else(|| StoreError::Damaged {
                reason: format!("{key:?} is no place for a secret"),
            })
    }
}
