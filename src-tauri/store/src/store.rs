//! Opens everything that is remembered in one data folder, and closes it.

use crate::db::Database;
use crate::note::{self, Note, OwnNote};
use crate::vault::Keyring;
use crate::{
    Accounts, Assistants, Audit, Backups, Catalogues, Conversations, Eras, FlaggedTools,
    FullResults, GatewayClients, Grants, KeyringChoice, Models, Pins, Rules, Sampling, Servers,
    Settings, StoreError, Tasks, Tools, Vault, Waiting, Workspaces, folder,
};
use protocol::{RunId, Timestamp};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is remembered in one data folder; cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    dir: PathBuf,
    run: RunId,
    // The log before the database, and both before the lock: so they are let go of.
    audit: Audit,
    vault: Vault,
    db: Database,
    note: OwnNote,
    lock: Arc<File>,
}

/// What is needed to open a store.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The data folder; made if it is not there.
    pub dir: PathBuf,
    /// Where secrets are kept.
    pub keyring: KeyringChoice,
    /// This run of the application.
    pub run: RunId,
    /// The version of the application.
    pub version: String,
    /// Now.
    pub now: Timestamp,
}

impl Store {
    /// Opens the store of a data folder, alone. What an earlier run left half done in the log is
    /// ended.
    pub async fn open(options: OpenOptions) -> Result<Self, StoreError> {
        let opening =
            tokio::task::spawn_blocking(move || Self::open_blocking(options, Keyring::new));
        opening.await.unwrap_or(Err(StoreError::Closed))
    }

    /// As [`Store::open`], with a keyring made by `ring`. Blocks.
    pub(crate) fn open_blocking(
        options: OpenOptions,
        ring: impl FnOnce(KeyringChoice, &Path) -> Result<Keyring, StoreError>,
    ) -> Result<Self, StoreError> {
        let OpenOptions {
            dir,
            keyring,
            run,
            version,
            now,
        } = options;
        let dir = std::path::absolute(dir).map_err(StoreError::of_folder)?;
        folder::make(&dir).map_err(StoreError::of_folder)?;
        let lock = Arc::new(folder::lock(&dir)?);
        note::clear(&dir).map_err(StoreError::of_folder)?;
        folder::tighten(&dir)?;
        let db = Database::open(&dir, Arc::clone(&lock))?;
        let keyring = ring(keyring, &dir)?;
        let audit = Audit::open(&dir, db.clone(), keyring.clone(), Arc::clone(&lock), now)?;
        tracing::debug!(dir = %dir.display(), version, "the store is open");
        let vault = Vault::new(db.clone(), keyring);
        Ok(Self {
            inner: Arc::new(Inner {
                note: OwnNote::new(dir.clone()),
                dir,
                run,
                audit,
                vault,
                db,
                lock,
            }),
        })
    }

    /// The data folder, absolute.
    pub fn dir(&self) -> &Path {
        &self.inner.dir
    }

    /// Tells other programs of this user how to reach whoever holds this store. Fails if the note
    /// cannot be written, and once the store is closed.
    pub fn leave_note(&self, note: &Note) -> io::Result<()> {
        self.inner.note.leave(note)
    }

    /// Takes that note away, with the socket that it names.
    pub fn take_note_away(&self) {
        self.inner.note.take_away();
    }

    /// The servers a person has added.
    pub fn servers(&self) -> Servers {
        Servers {
            db: self.inner.db.clone(),
        }
    }

    /// What a person has allowed for more than once.
    pub fn grants(&self) -> Grants {
        Grants {
            db: self.inner.db.clone(),
            run: self.inner.run.clone(),
        }
    }

    /// Other applications that may come in by the gateway.
    pub fn gateway_clients(&self) -> GatewayClients {
        GatewayClients {
            db: self.inner.db.clone(),
        }
    }

    /// Rules that the person made.
    pub fn rules(&self) -> Rules {
        Rules {
            db: self.inner.db.clone(),
        }
    }

    /// Assistants that the person has made.
    pub fn assistants(&self) -> Assistants {
        Assistants {
            db: self.inner.db.clone(),
        }
    }

    /// Models that the person has set up.
    pub fn models(&self) -> Models {
        Models {
            db: self.inner.db.clone(),
        }
    }

    /// The tools that servers have shown.
    pub fn tools(&self) -> Tools {
        Tools {
            db: self.inner.db.clone(),
        }
    }

    /// What servers offer beside tools, for who asks while they do not run.
    pub fn catalogues(&self) -> Catalogues {
        Catalogues {
            db: self.inner.db.clone(),
        }
    }

    /// The person's conversations with models.
    pub fn conversations(&self) -> Conversations {
        Conversations {
            db: self.inner.db.clone(),
        }
    }

    /// In which era servers are spoken to.
    pub fn eras(&self) -> Eras {
        Eras {
            db: self.inner.db.clone(),
        }
    }

    /// What a person says about tools.
    pub fn flagged_tools(&self) -> FlaggedTools {
        FlaggedTools {
            db: self.inner.db.clone(),
        }
    }

    /// What a person decided about what servers offer.
    pub fn pins(&self) -> Pins {
        Pins {
            db: self.inner.db.clone(),
        }
    }

    /// Calls that their servers go on with as tasks.
    pub fn tasks(&self) -> Tasks {
        Tasks {
            db: self.inner.db.clone(),
        }
    }

    /// What waits for a person: questions, and the calls they are about.
    pub fn waiting(&self) -> Waiting {
        Waiting {
            db: self.inner.db.clone(),
            vault: self.vault(),
            run: self.inner.run.clone(),
            audit: self.audit(),
        }
    }

    /// What servers may use and have used of a model.
    pub fn sampling(&self) -> Sampling {
        Sampling {
            db: self.inner.db.clone(),
        }
    }

    /// What a person chose about the application as a whole.
    pub fn settings(&self) -> Settings {
        Settings {
            db: self.inner.db.clone(),
        }
    }

    /// Accounts at servers, and how the program is known there.
    pub fn accounts(&self) -> Accounts {
        Accounts {
            db: self.inner.db.clone(),
        }
    }

    /// Whole texts of answers of which only a part was passed on.
    pub fn full_results(&self) -> FullResults {
        FullResults::new(&self.inner.dir)
    }

    /// What files of other applications held before they were written.
    pub fn backups(&self) -> Backups {
        Backups::new(&self.inner.dir)
    }

    /// Workspaces, with what is kept of each server there.
    pub fn workspaces(&self) -> Workspaces {
        Workspaces {
            db: self.inner.db.clone(),
        }
    }

    /// Secrets.
    pub fn vault(&self) -> Vault {
        self.inner.vault.clone()
    }

    /// The audit log.
    pub fn audit(&self) -> Audit {
        self.inner.audit.clone()
    }

    /// Brings everything to the disk, notes the head of the log and lets another host in. Whatever
    /// is written later fails.
    pub async fn close(&self) {
        self.inner.note.close();
        if let Err(error) = self.inner.audit.close().await {
            tracing::error!(%error, "the log could not be closed in order; the next start ends it");
        }
        self.inner.db.close().await;
        if let Err(error) = self.inner.lock.unlock() {
            tracing::warn!(%error, "the data folder could not be unlocked; it is when the process ends");
        }
    }
}
