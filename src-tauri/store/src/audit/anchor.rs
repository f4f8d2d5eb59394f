//! The head of the log, noted outside of the log: in the keyring where there is one, and always in
//! the database.
//!
//! Always true here:
//! - only a head that is on the disk is noted, so that a loss of power cannot make an intact log
//!   look cut off;
//! - a break that was found once is noted with every later head, so that going on does not heal it;
//! - what the keyring holds is not replaced by a run that could not read it first.

use super::chain::{Chain, Hash};
use super::key::PublicKey;
use crate::StoreError;
use crate::db::{Commit, Database, FILE, from_json, to_json};
use crate::vault::{KEYRING_PROBE_TIMEOUT, Keyring, RingError};
use protocol::Secret;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The keyring entry that holds the head.
const ENTRY: &str = "audit-head";

/// The last record of the log, as noted outside of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// Its number.
    pub(crate) seq: u64,
    /// The SHA-256 of its line.
    pub(crate) hash: String,
    /// The first key of the row with which the log is signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) root: Option<PublicKey>,
    /// The first break that was ever found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) broken: Option<Break>,
}

/// A place where the log is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Break {
    pub(crate) record: u64,
    pub(crate) file: String,
    pub(crate) problem: String,
}

/// What was noted outside of the log.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heads {
    pub(crate) keyring: Option<Head>,
    pub(crate) database: Option<Head>,
}

impl Head {
    pub(crate) fn is(&self, hash: &Hash) -> bool {
        Hash::parse(&self.hash).as_ref() == Some(hash)
    }
}

impl Heads {
    pub(crate) fn each(&self) -> impl Iterator<Item = &Head> {
        self.keyring.iter().chain(&self.database)
    }

    /// The first break that an earlier run has found.
    pub(crate) fn broken(&self) -> Option<&Break> {
        self.each()
            .filter_map(|head| head.broken.as_ref())
            .min_by_key(|broken| broken.record)
    }

    /// What is noted of the log in `dir`, without opening the store. What cannot be read counts as
    /// not noted.
    pub(crate) fn of_folder(dir: &Path, keyring: &Keyring) -> Self {
        Self {
            keyring: in_keyring(keyring).unwrap_or_default(),
            database: in_file(dir),
        }
    }
}

/// Notes heads.
pub(crate) struct Anchors {
    db: Database,
    keyring: Keyring,
    use_keyring: bool,
    /// The keyring is writing a head; the next one waits, so that a slow keyring is not flooded.
    busy: Arc<AtomicBool>,
    broken: Option<Break>,
    root: Option<PublicKey>,
}

impl Anchors {
    /// Reads what is noted, blocking. The second value is needed to begin noting.
    pub(crate) fn read(db: &Database, keyring: &Keyring) -> Result<(Heads, bool), StoreError> {
        let database = db.read_blocking(in_database)?;
        Ok(match in_keyring(keyring) {
            Ok(keyring) => (Heads { keyring, database }, true),
            Err(error) => {
                tracing::info!(?error, "the head of the log is noted in the database only");
                (
                    Heads {
                        keyring: None,
                        database,
                    },
                    false,
                )
            }
        })
    }

    pub(crate) fn new(
        db: Database,
        keyring: Keyring,
        use_keyring: bool,
        broken: Option<Break>,
        root: Option<PublicKey>,
    ) -> Self {
        Self {
            db,
            keyring,
            use_keyring,
            busy: Arc::default(),
            broken,
            root,
        }
    }

    /// Notes a head some time soon. `false` if the keyring is still busy with one before and the
    /// head is to be noted again.
    pub(crate) fn note_later(&self, chain: &Chain) -> bool {
        let Some(text) = self.text(chain) else {
            return true;
        };
        let is_free = !self.use_keyring || !self.busy.swap(true, Ordering::SeqCst);
        if self.use_keyring && is_free {
            let busy = Arc::clone(&self.busy);
            self.keyring
                .set_later(ENTRY, Secret::new(text.clone()), move |outcome| {
                    busy.store(false, Ordering::SeqCst);
                    if let Err(error) = outcome {
                        tracing::warn!(
                            ?error,
                            "the head of the log could not be noted in the keyring"
                        );
                    }
                });
        }
        self.db
            .write_later("the head of the log", move |tx| write(tx, &text));
        is_free
    }

    /// Notes a head and blocks until that is done.
    pub(crate) fn note_now(&self, chain: &Chain) -> Result<(), StoreError> {
        let Some(text) = self.text(chain) else {
            return Ok(());
        };
        if self.use_keyring
            && let Err(error) =
                self.keyring
                    .set(ENTRY, Secret::new(text.clone()), KEYRING_PROBE_TIMEOUT)
        {
            tracing::warn!(
                ?error,
                "the head of the log could not be noted in the keyring"
            );
        }
        self.db
            .write_blocking(Commit::Durable, move |tx| write(tx, &text))
    }

    fn text(&self, chain: &Chain) -> Option<String> {
        let hash = chain.hash().as_str().to_owned();
        let head = Head {
            seq: chain.seq(),
            hash,
            root: self.root,
            broken: self.broken.clone(),
        };
        (head.seq > 0).then(|| to_json(&head).ok()).flatten()
    }
}

fn write(tx: &Transaction<'_>, text: &str) -> Result<(), StoreError> {
    tx.execute("INSERT INTO audit_head (id, head) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET head = excluded.head", [text])?;
    Ok(())
}

fn in_keyring(keyring: &Keyring) -> Result<Option<Head>, RingError> {
    let found = keyring.get(ENTRY, KEYRING_PROBE_TIMEOUT)?;
    let parse = |text: Secret| {
        from_json(text.expose()).map_err(|error| RingError::Failed(error.to_string()))
    };
    found.map(parse).transpose()
}

fn in_database(db: &Connection) -> Result<Option<Head>, StoreError> {
    let text: Option<String> = db
        .query_row("SELECT head FROM audit_head", [], |row| row.get(0))
        .optional()?;
    text.map(|text| from_json(&text)).transpose()
}

/// The head in the database of `dir`, if there is one that can be read. Nothing is written, and no
/// lock is taken.
fn in_file(dir: &Path) -> Option<Head> {
    let path = dir.join(FILE);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = |location: &str, flags| {
        Connection::open_with_flags(location, flags)
            .map_err(StoreError::from)
            .and_then(|db| in_database(&db))
    };
    let plain = path.to_str()?;
    // A folder that cannot be written, where no host runs, can be read only as if it never changed.
    let unchanging = || {
        url_of(plain).and_then(|location| read(&location, flags | OpenFlags::SQLITE_OPEN_URI).ok())
    };
    if !path.exists() {
        return None;
    }
    match read(plain, flags) {
        Ok(head) => head,
        Err(StoreError::ReadOnly { .. }) => unchanging().flatten(),
        Err(error) => {
            tracing::warn!(%error, "the head of the log in the database cannot be read");
            None
        }
    }
}

fn url_of(path: &str) -> Option<String> {
    let mut url = String::from("file:");
    for c in path.chars() {
        match c {
            '?' | '#' | '%' => url.push_str(&format!("%{:02x}", u32::from(c))),
            '\\' => url.push('/'),
            c => url.push(c),
        }
    }
    (!path.is_empty()).then(|| url + "?immutable=1")
}
