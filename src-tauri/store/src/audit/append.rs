//! Appends records to the log.
//!
//! Always true here:
//! - one record is one `write`; it is in the log as a whole, or not at all and the caller is told;
//! - records have the order of their numbers, in whatever threads they are made;
//! - nothing is appended to a file that is not as we left it, after a failed sync, or after the log
//!   was closed.

use super::call_numbers::CallNumbers;
use super::chain::Chain;
use super::disk::{Disk, Segment, System};
use super::recent_calls::RecentCalls;
use super::record::{Entry, Event};
use super::recover::Tail;
use super::seals::{self, Keyed, UNSIGNED};
use super::segments;
use super::signer::Signer;
use crate::StoreError;
use protocol::Timestamp;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// A segment that began so long ago is not appended to any more.
pub(super) const OLD: Duration = Duration::from_secs(24 * 60 * 60);
/// Room for the record that seals a full segment, in bytes.
const SEAL: u64 = 512;

/// The end of the log, shared by all who append and by the thread that syncs.
pub(crate) struct Log {
    pub(super) folder: PathBuf,
    disk: Arc<dyn Disk>,
    state: Mutex<State>,
    /// Rung when the sync thread should look at the state.
    pub(super) bell: Condvar,
}

/// Told when all records up to now are on the disk, or why not.
pub(super) type Waiter = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

pub(super) struct State {
    pub(super) file: Arc<dyn Segment>,
    pub(super) segment: u32,
    length: u64,
    /// A segment of this length, in bytes, is full.
    full_at: u64,
    /// When the segment's first record was made.
    began_at: Option<Timestamp>,
    /// When the last record was made.
    last_at: Option<Timestamp>,
    pub(super) chain: Chain,
    pub(super) recent_calls: RecentCalls,
    pub(super) call_numbers: CallNumbers,
    line: Vec<u8>,
    /// Who signs; none if this run cannot.
    pub(super) signer: Option<Signer>,
    /// Full segments that are not yet on the disk.
    pub(super) full: Vec<Arc<dyn Segment>>,
    /// The last record that is on the disk.
    pub(super) synced: u64,
    pub(super) waiters: Vec<Waiter>,
    pub(super) refusing: Option<Refusing>,
    /// Why a sync failed. From then on nobody knows what is on the disk: a system reports such an
    /// error once, and says of the next sync that it went well.
    pub(super) unsynced: Option<String>,
    /// The sync thread is to end.
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
        Self::open_on(Arc::new(System), segments::FULL, folder, tail)
    }

    /// As [`Log::open`], on another disk and with segments of another length.
    pub(crate) fn open_on(
        disk: Arc<dyn Disk>,
        full_at: u64,
        folder: &Path,
        tail: &Tail,
    ) -> Result<Self, StoreError> {
        let file = disk
            .open(&segments::path(folder, tail.segment), false, tail.length)
            .map_err(StoreError::of_log)?;
        disk.sync_folder(folder).map_err(StoreError::of_log)?;
        let state = State {
            file,
            segment: tail.segment,
            length: tail.length,
            full_at,
            began_at: tail.began_at,
            last_at: tail.last_at,
            chain: tail.chain.clone(),
            recent_calls: RecentCalls::after(tail.chain.seq()),
            call_numbers: CallNumbers::default(),
            line: Vec::new(),
            signer: None,
            full: Vec::new(),
            synced: tail.chain.seq(),
            waiters: Vec::new(),
            refusing: None,
            unsynced: None,
            stop: false,
        };
        Ok(Self {
            folder: folder.to_owned(),
            disk,
            state: Mutex::new(state),
            bell: Condvar::new(),
        })
    }

    /// Makes the names of segments outlast a loss of power.
    pub(super) fn sync_folder(&self) -> io::Result<()> {
        self.disk.sync_folder(&self.folder)
    }

    /// Appends one record and returns its number. It is with the system, not yet on the disk.
    pub(crate) fn append(&self, entry: &Entry) -> Result<u64, StoreError> {
        self.append_and(entry, None)
    }

    /// Appends one record; `waiter` is told when it is on the disk.
    pub(super) fn append_and(
        &self,
        entry: &Entry,
        waiter: Option<Waiter>,
    ) -> Result<u64, StoreError> {
        let mut state = self.state()?;
        let idle = state.is_idle();
        state.append(&*self.disk, &self.folder, entry)?;
        let urgent = waiter.is_some();
        state.waiters.extend(waiter);
        let seq = state.chain.seq();
        drop(state);
        // The thread looks by itself soon after the first of a group; ringing costs more than
        // writing.
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
        Ok(Position {
            segment: state.segment,
            length: state.length,
            seq: state.chain.seq(),
        })
    }

    /// Ends the open section, if there is anything in it and the next key is ready. Returns whether
    /// it was ended.
    pub(super) fn seal(&self) -> Result<bool, StoreError> {
        let mut state = self.state()?;
        let sealed = state.check_open().and_then(|()| state.seal(&self.folder));
        if let (Err(_), Some(signer)) = (&sealed, &mut state.signer) {
            signer.postpone();
        }
        drop(state);
        self.bell.notify_one();
        sealed
    }

    /// Appends a record that is signed with the key of the open section, and returns its number.
    pub(super) fn append_signed(
        &self,
        make: impl FnOnce(Timestamp) -> Event,
    ) -> Result<u64, StoreError> {
        let mut state = self.state()?;
        state.check_open()?;
        let event = make(state.last_at.unwrap_or(Timestamp(0)));
        state.put_signed(&self.folder, event)?;
        let seq = state.chain.seq();
        drop(state);
        self.bell.notify_one();
        Ok(seq)
    }

    /// Appends a record of the time of the one before.
    pub(super) fn append_as_last(&self, event: Event) -> Result<u64, StoreError> {
        let at = self.state()?.last_at.unwrap_or(Timestamp(0));
        self.append(&Entry::of_host(at, event))
    }

    /// Ends the open section and refuses all further records.
    pub(super) fn refuse(&self) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if state.refusing.is_none() {
            if let Err(error) = state.seal(&self.folder) {
                tracing::warn!(%error, "the last section of the log could not be sealed; the next run seals it");
            }
            state.refusing = Some(Refusing::Closed);
        }
        Ok(())
    }

    pub(super) fn state(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        // Someone panicked in the middle of writing. Doubt is a no.
        self.state
            .lock()
            .map_err(|_| StoreError::unwritable("an earlier record failed half way"))
    }
}

impl State {
    /// Whether there is nothing to sync.
    pub(super) fn is_idle(&self) -> bool {
        self.waiters.is_empty() && (self.synced == self.chain.seq() || self.unsynced.is_some())
    }

    fn check_open(&self) -> Result<(), StoreError> {
        if let Some(reason) = &self.unsynced {
            return Err(StoreError::unwritable(reason));
        }
        match &self.refusing {
            None => Ok(()),
            Some(Refusing::Closed) => Err(StoreError::Closed),
            Some(Refusing::Failed(reason)) => Err(StoreError::unwritable(reason)),
        }
    }

    fn append(&mut self, disk: &dyn Disk, folder: &Path, entry: &Entry) -> Result<(), StoreError> {
        self.check_open()?;
        let mut next = self.chain.write(entry, &mut self.line)?;
        let is_full = self.length + self.line.len() as u64 + SEAL > self.full_at;
        let is_old = self
            .began_at
            .is_some_and(|began| entry.at.since(began) >= OLD);
        if self.length > 0 && (is_full || is_old) {
            // Without the next key at hand the section goes on in the next segment, and is ended
            // soon.
            self.seal(folder)?;
            self.begin_segment(disk, folder)
                .map_err(StoreError::of_log)?;
            next = self.chain.write(entry, &mut self.line)?;
        }
        self.put(folder, next)?;
        self.recent_calls.note(self.chain.seq(), entry);
        if let Some(call) = &entry.call {
            self.call_numbers.note(call);
        }
        self.began_at.get_or_insert(entry.at);
        self.last_at = Some(entry.at);
        if let Some(signer) = &mut self.signer {
            signer.has_more();
        }
        Ok(())
    }

    /// Ends the open section. `false` if nothing is in it, or the next key is not ready.
    fn seal(&mut self, folder: &Path) -> Result<bool, StoreError> {
        let Some((signer, next)) = self
            .signer
            .as_ref()
            .and_then(|signer| Some((signer, signer.ready()?)))
        else {
            return Ok(false);
        };
        let Keyed {
            root, from, kept, ..
        } = signer.keyed();
        self.put_signed(
            folder,
            Event::LogSealed {
                root,
                from,
                kept,
                next,
                signature: UNSIGNED.to_owned(),
            },
        )?;
        if let Some(signer) = &mut self.signer {
            signer.sealed(self.chain.seq());
        }
        Ok(true)
    }

    fn put_signed(&mut self, folder: &Path, event: Event) -> Result<(), StoreError> {
        let Some(signer) = &self.signer else {
            return Err(StoreError::unwritable("it cannot be signed in this run"));
        };
        let entry = Entry::of_host(self.last_at.unwrap_or(Timestamp(0)), event);
        let next = self.chain.write_and(&entry, &mut self.line, |json| {
            seals::sign(json, signer.open())
        })?;
        self.put(folder, next)
    }

    /// Writes the line, and goes on behind it.
    fn put(&mut self, folder: &Path, next: Chain) -> Result<(), StoreError> {
        self.check_untouched(folder)?;
        self.write_line()?;
        self.length += self.line.len() as u64;
        self.chain = next;
        Ok(())
    }

    fn write_line(&mut self) -> Result<(), StoreError> {
        let written = loop {
            match self.file.write(&self.line) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                written => break written,
            }
        };
        let failed = match written {
            Ok(written) if written == self.line.len() => return Ok(()),
            // A file takes a part where there is no room for the rest.
            Ok(_) => StoreError::full("the disk took only a part of the record"),
            Err(error) => StoreError::of_log(error),
        };
        // Nothing of the record stays. If even that fails, the log stays closed until the next
        // start repairs its end.
        let undone = self.file.cut(self.length);
        if undone.is_err() {
            self.refusing = Some(Refusing::Failed(failed.to_string()));
        }
        Err(failed)
    }

    /// A file that was deleted, cut or written to by someone else would take records that nobody
    /// can find or verify.
    fn check_untouched(&self, folder: &Path) -> Result<(), StoreError> {
        let (length, deleted) = self
            .file
            .found(&|| segments::path(folder, self.segment))
            .map_err(StoreError::unwritable)?;
        if length != self.length {
            return Err(StoreError::unwritable(
                "its last file was changed by another program",
            ));
        }
        if deleted {
            return Err(StoreError::unwritable("its last file was deleted"));
        }
        Ok(())
    }

    fn begin_segment(&mut self, disk: &dyn Disk, folder: &Path) -> io::Result<()> {
        let number = self.segment + 1;
        let file = disk.open(&segments::path(folder, number), true, 0)?;
        let full = std::mem::replace(&mut self.file, file);
        self.full.push(full);
        self.segment = number;
        self.length = 0;
        self.began_at = None;
        Ok(())
    }
}
