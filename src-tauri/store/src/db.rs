//! The database: one writer, readers beside it.
//!
//! Always true here:
//! - all writing goes through one thread, each piece of work in a transaction of its own, in the
//!   order it was asked for;
//! - a write that was answered survives a power cut, unless it was asked for with [`Commit::Lazy`];
//! - reading never waits for writing.

mod fold;
mod json;
mod migrate;

pub(crate) use json::{from_json, to_json};
#[cfg(test)]
pub(crate) use migrate::take_steps;

use crate::StoreError;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// The database's file in the data folder.
pub(crate) const FILE: &str = "majordomo.db";
/// How many statements a connection keeps as they were read: more than are used in turns.
const STATEMENTS: usize = 64;
/// How long to wait for another program that holds the database.
const LOCK_TIMEOUT: Duration = Duration::from_secs(3);
/// Readers that are kept open for the next reading.
const KEPT_READERS: usize = 4;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// How safe a write is when it is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commit {
    /// On the disk.
    Durable,
    /// With the system: a crash of the host loses nothing, a power cut may. For what can be derived
    /// again.
    Lazy,
}

/// A handle on the database; cheap to clone.
#[derive(Clone)]
pub(crate) struct Database(Arc<Inner>);

struct Inner {
    path: PathBuf,
    queue: Queue,
    /// The writer, and who folds in behind it.
    threads: Mutex<Vec<JoinHandle<()>>>,
    readers: Mutex<Vec<Connection>>,
    /// Held as long as anything of the database is.
    _lock: Arc<File>,
}

/// What the writer is to do, in its turn. It does not keep the database open; cheap to clone.
#[derive(Clone)]
pub(crate) struct Queue(Arc<Mutex<Option<Sender<Job>>>>);

impl Database {
    /// Opens the database in `dir`, makes it if there is none, and brings it to the newest format.
    pub(crate) fn open(dir: &Path, lock: Arc<File>) -> Result<Self, StoreError> {
        let path = dir.join(FILE);
        // What SQLite keeps beside it gets the rights of the file itself.
        match crate::folder::private().create_new(true).open(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(StoreError::of_folder(error));
            }
            _ => {}
        }
        let mut connection = Connection::open(&path)?;
        connection.busy_timeout(LOCK_TIMEOUT)?;
        // SQLite opens a file that it may not write for reading, without a word. Reading from it
        // would already leave files beside it that stay read-only when it is not any more.
        if connection.is_readonly(rusqlite::MAIN_DB)? {
            return Err(StoreError::ReadOnly {
                reason: format!("{FILE} is read-only"),
            });
        }
        // Nothing is written before this has said that the file is one of ours and not from a newer
        // version.
        migrate::check(&connection)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        migrate::migrate(&mut connection)?;

        let folds = fold::beside(&mut connection, &path)?;

        let (jobs, work) = mpsc::channel::<Job>();
        let writer = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || {
                for job in work {
                    job(&mut connection);
                }
            });
        let writer = writer.map_err(StoreError::Folder)?;
        Ok(Self(Arc::new(Inner {
            path,
            queue: Queue(Arc::new(Mutex::new(Some(jobs)))),
            threads: Mutex::new(vec![writer, folds]),
            readers: Mutex::new(Vec::new()),
            _lock: lock,
        })))
    }

    /// Writes in one transaction and waits for it.
    pub(crate) async fn write<T, F>(&self, commit: Commit, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        self.0.queue.post(move |connection| {
            // Whoever asked may have gone; the work is done all the same.
            let _ = answer.send(transact(connection, commit, work));
        })?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    /// Writes in one transaction and blocks until it is done. Not for async code.
    pub(crate) fn write_blocking<T, F>(&self, commit: Commit, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let (answer, answered) = mpsc::sync_channel(1);
        self.0.queue.post(move |connection| {
            let _ = answer.send(transact(connection, commit, work));
        })?;
        answered.recv().map_err(|_| StoreError::Closed)?
    }

    /// Writes in one transaction some time soon; a failure is only logged.
    pub(crate) fn write_later<F>(&self, what: &'static str, work: F)
    where
        F: FnOnce(&Transaction<'_>) -> Result<(), StoreError> + Send + 'static,
    {
        self.0.queue.write_later(what, work);
    }

    /// Reads on a connection of its own.
    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let inner = Arc::clone(&self.0);
        let reading = tokio::task::spawn_blocking(move || inner.read(LOCK_TIMEOUT, work));
        reading.await.map_err(|_| StoreError::Closed)?
    }

    /// Reads a row or two by their keys, on this thread: it takes less than a change of threads. Where
    /// another program holds the database it is waited for on another one.
    pub(crate) async fn look_up<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        match self.0.read(Duration::ZERO, &work) {
            Err(StoreError::Locked) => self.read(work).await,
            read => read,
        }
    }

    /// Reads on a connection of its own, and blocks meanwhile. Not for async code.
    pub(crate) fn read_blocking<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.0.read(LOCK_TIMEOUT, work)
    }

    /// What it does in its turn, for who must not keep it open.
    pub(crate) fn queue(&self) -> Queue {
        self.0.queue.clone()
    }

    /// Ends writing: what was asked for before is done, what is asked for later fails. The
    /// write-ahead log is folded in.
    pub(crate) async fn close(&self) {
        let (answer, answered) = oneshot::channel();
        let posted = self.0.queue.post(move |connection| {
            if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())) {
                tracing::warn!(%error, "the write-ahead log could not be folded in; it is read at the next start");
            }
            let _ = answer.send(());
        });
        self.0.queue.jobs().take();
        if posted.is_ok() {
            let _ = answered.await;
        }
    }
}

impl Queue {
    /// Writes in one transaction some time soon; a failure is only logged.
    pub(crate) fn write_later<F>(&self, what: &'static str, work: F)
    where
        F: FnOnce(&Transaction<'_>) -> Result<(), StoreError> + Send + 'static,
    {
        let posted = self.post(move |connection| {
            if let Err(error) = transact(connection, Commit::Lazy, work) {
                tracing::warn!(%error, what, "the database could not be written");
            }
        });
        if posted.is_err() {
            tracing::debug!(what, "the database was closed before it was written");
        }
    }

    fn post(&self, job: impl FnOnce(&mut Connection) + Send + 'static) -> Result<(), StoreError> {
        let jobs = self.jobs();
        let sender = jobs.as_ref().ok_or(StoreError::Closed)?;
        sender.send(Box::new(job)).map_err(|_| StoreError::Closed)
    }

    fn jobs(&self) -> std::sync::MutexGuard<'_, Option<Sender<Job>>> {
        // Nothing that can panic runs under this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// `patience`: how long another program that holds the database is waited for.
    fn read<T>(
        &self,
        patience: Duration,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let kept = self
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let reader = match kept {
            Some(reader) => reader,
            None => {
                let reader = Connection::open_with_flags(
                    &self.path,
                    OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
                )?;
                reader.set_prepared_statement_cache_capacity(STATEMENTS);
                reader
            }
        };
        reader.busy_timeout(patience)?;
        let answer = work(&reader);
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < KEPT_READERS {
            readers.push(reader);
        }
        answer
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.queue.jobs().take();
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        for thread in threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a thread of the database had panicked");
            }
        }
    }
}

fn transact<T>(
    connection: &mut Connection,
    commit: Commit,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if commit == Commit::Lazy {
        connection.pragma_update(None, "synchronous", "NORMAL")?;
    }
    let outcome = attempt(connection, work);
    if commit == Commit::Lazy {
        connection.pragma_update(None, "synchronous", "FULL")?;
    }
    outcome
}

fn attempt<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let answer = work(&transaction)?;
    transaction.commit()?;
    Ok(answer)
}
