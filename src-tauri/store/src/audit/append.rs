//! Appends records to the log.
//!
//! Always true here:
//! - one record is one `write`; it is in the log as a whole, or not at all and the caller is told;
//! - records have the order of their numbers, in whatever threads they are made;
//! - nothing is appended to a file that is not as we left it, after a failed sync, or after the log was closed.

use super::chain::Chain;
use super::record::Entry;
use super::recover::Tail;
use super::segments;
use crate::StoreError;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// The end of the log, shared by all who append and by the keeper that syncs.
pub(crate) struct Log {
    pub(super) folder: PathBuf,
    state: Mutex<State>,
    /// Rung when the keeper should look at the state.
    pub(super) bell: Condvar,
}

/// Told when all records up to now are on the disk, or why not.
pub(super) type Waiter = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

pub(super) struct State {
    pub(super) file: Arc<File>,
    segment: u32,
    length: u64,
    pub(super) chain: Chain,
    line: Vec<u8>,
    /// Full segments that are not yet on the disk.
    pub(super) full: Vec<Arc<File>>,
    /// The last record that is on the disk.
    pub(super) synced: u64,
    pub(super) waiters: Vec<Waiter>,
    pub(super) refusing: Option<Refusing>,
    /// The keeper is to end.
    pub(super) stop: bool,
}

/// Why nothing is appended any more.
#[derive(Debug, Clone)]
pub(super) enum Refusing {
    Closed,
    Failed(String),
}

/// How far the log has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) segment: u32,
    pub(crate) length: u64,
    pub(crate) seq: u64,
}

impl Log {
    /// Goes on at `tail`; makes the first segment if there is none.
    pub(crate) fn open(folder: &Path, tail: &Tail) -> Result<Self, StoreError> {
        let path = segments::path(folder, tail.segment);
        let open = || -> io::Result<File> {
            let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
            file.seek(SeekFrom::Start(tail.length))?;
            segments::sync_folder(folder)?;
            Ok(file)
        };
        let state = State {
            file: Arc::new(open().map_err(StoreError::unwritable)?),
            segment: tail.segment,
            length: tail.length,
            chain: tail.chain.clone(),
            line: Vec::new(),
            full: Vec::new(),
            synced: tail.chain.seq(),
            waiters: Vec::new(),
            refusing: None,
            stop: false,
        };
        Ok(Self { folder: folder.to_owned(), state: Mutex::new(state), bell: Condvar::new() })
    }

    /// Appends one record and returns its number. It is with the system, not yet on the disk.
    pub(crate) fn append(&self, entry: &Entry) -> Result<u64, StoreError> {
        self.append_and(entry, None)
    }

    /// Appends one record; `waiter` is told when it is on the disk.
    pub(super) fn append_and(&self, entry: &Entry, waiter: Option<Waiter>) -> Result<u64, StoreError> {
        let mut state = self.state()?;
        let idle = state.is_idle();
        state.append(&self.folder, entry)?;
        let urgent = waiter.is_some();
        state.waiters.extend(waiter);
        let seq = state.chain.seq();
        drop(state);
        // The keeper looks by itself soon after the first of a group; ringing costs more than writing.
        if idle || urgent {
            self.bell.notify_one();
        }
        Ok(seq)
    }

    /// Has `waiter` told when all records up to now are on the disk.
    pub(super) fn wait_for_sync(&self, waiter: Waiter) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if state.stop {
            return Err(StoreError::Closed);
        }
        state.waiters.push(waiter);
        drop(state);
        self.bell.notify_one();
        Ok(())
    }

    /// How far the log has got.
    pub(crate) fn position(&self) -> Result<Position, StoreError> {
        let state = self.state()?;
        Ok(Position { segment: state.segment, length: state.length, seq: state.chain.seq() })
    }

    /// Refuses all further records.
    pub(super) fn refuse(&self) -> Result<(), StoreError> {
        self.state()?.refusing.get_or_insert(Refusing::Closed);
        Ok(())
    }

    pub(super) fn state(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        // Someone panicked in the middle of writing. Doubt is a no.
        self.state.lock().map_err(|_| StoreError::unwritable("an earlier record failed half way"))
    }
}

impl State {
    /// Whether there is nothing to sync.
    pub(super) fn is_idle(&self) -> bool {
        self.synced == self.chain.seq() && self.waiters.is_empty()
    }

    fn append(&mut self, folder: &Path, entry: &Entry) -> Result<(), StoreError> {
        match &self.refusing {
            None => {}
            Some(Refusing::Closed) => return Err(StoreError::Closed),
            Some(Refusing::Failed(reason)) => return Err(StoreError::unwritable(reason)),
        }
        let next = self.chain.write(entry, &mut self.line)?;
        let length = self.line.len() as u64;
        if self.length > 0 && self.length + length > segments::FULL {
            self.begin_segment(folder).map_err(StoreError::unwritable)?;
        }
        self.check_untouched(folder)?;
        self.write_line()?;
        self.length += length;
        self.chain = next;
        Ok(())
    }

    fn write_line(&mut self) -> Result<(), StoreError> {
        let mut file = &*self.file;
        let written = loop {
            match file.write(&self.line) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                written => break written,
            }
        };
        let reason = match written {
            Ok(written) if written == self.line.len() => return Ok(()),
            Ok(_) => "the disk took only a part of the record".to_owned(),
            Err(error) => error.to_string(),
        };
        // Nothing of the record stays. If even that fails, the log stays closed until the next start repairs its end.
        let undone = file.set_len(self.length).and_then(|()| file.seek(SeekFrom::Start(self.length)));
        if undone.is_err() {
            self.refusing = Some(Refusing::Failed(reason.clone()));
        }
        Err(StoreError::unwritable(reason))
    }

    /// A file that was deleted, cut or written to by someone else would take records that nobody can find or verify.
    fn check_untouched(&self, folder: &Path) -> Result<(), StoreError> {
        let found = self.file.metadata().map_err(StoreError::unwritable)?;
        if found.len() != self.length {
            return Err(StoreError::unwritable("its last file was changed by another program"));
        }
        if is_deleted(&found, folder, self.segment) {
            return Err(StoreError::unwritable("its last file was deleted"));
        }
        Ok(())
    }

    fn begin_segment(&mut self, folder: &Path) -> io::Result<()> {
        let number = self.segment + 1;
        let file = OpenOptions::new().write(true).create_new(true).open(segments::path(folder, number))?;
        let full = std::mem::replace(&mut self.file, Arc::new(file));
        self.full.push(full);
        self.segment = number;
        self.length = 0;
        Ok(())
    }
}

#[cfg(unix)]
fn is_deleted(found: &std::fs::Metadata, _: &Path, _: u32) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) == 0
}

#[cfg(not(unix))]
fn is_deleted(_: &std::fs::Metadata, folder: &Path, segment: u32) -> bool {
    !segments::path(folder, segment).exists()
}
