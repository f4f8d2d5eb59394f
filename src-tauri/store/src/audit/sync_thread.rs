//! The thread that follows behind those who append: it syncs, has the index brought up to date, and
//! notes the head.
//!
//! It also ends sections of the log that have gone on long enough, and has the next key made.
//!
//! Always true here: a record is on the disk 50 milliseconds after it was appended, as far as the
//! disk keeps up; one that somebody waits for, at once. All who wait are told.

use super::anchor::Anchors;
use super::append::{Log, State};
use super::chain::Chain;
use super::index;
use super::signer::{Keys, Signer};
use super::word_index;
use crate::StoreError;
use crate::db::{Database, Queue};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long records may gather before they are synced together. The sync itself takes a few
/// milliseconds more.
const GROUP: Duration = Duration::from_millis(40);
/// How often the head is noted, and the index brought up to date, while there are new records.
const BETWEEN_HEADS: Duration = Duration::from_secs(1);
/// So many records the index may be behind before that, so that who reads it need not wait for long.
const BEHIND: u64 = 512;

/// Starts the sync thread. It ends when the state says so.
pub(super) fn start(
    log: Arc<Log>,
    anchors: Arc<Anchors>,
    keys: Arc<Keys>,
    db: Database,
) -> Result<JoinHandle<()>, StoreError> {
    let thread = std::thread::Builder::new().name("store-audit".into());
    thread
        .spawn(move || {
            SyncThread {
                noted: 0,
                indexed: 0,
                rows: Arc::default(),
                words: Arc::default(),
                due: Instant::now() + BETWEEN_HEADS,
                log,
                anchors,
                keys,
                db,
            }
            .run()
        })
        .map_err(StoreError::Folder)
}

struct SyncThread {
    log: Arc<Log>,
    anchors: Arc<Anchors>,
    keys: Arc<Keys>,
    db: Database,
    /// The last record that was noted as the head by this thread.
    noted: u64,
    /// The last record that this thread had indexed.
    indexed: u64,
    /// Whether rows are about to be indexed, and whether words are.
    rows: Arc<AtomicBool>,
    words: Arc<AtomicBool>,
    /// When the next head may be noted.
    due: Instant,
}

impl SyncThread {
    fn run(mut self) {
        let mut synced = 0;
        loop {
            let Ok(state) = self.log.state() else { return };
            let state = self.wait(state, synced > self.noted);
            if state.stop {
                return;
            }
            if state
                .signer
                .as_ref()
                .and_then(Signer::due)
                .is_some_and(|due| Instant::now() >= due)
            {
                drop(state);
                if let Err(error) = self.log.seal() {
                    tracing::warn!(%error, "a section of the log could not be ended");
                }
                continue;
            }
            if let Some(chain) = sync(&self.log, state) {
                synced = chain.seq();
                self.keys.renew(&self.log);
                let is_due = Instant::now() >= self.due;
                if is_due || synced - self.indexed.min(synced) >= BEHIND {
                    self.index();
                }
                if is_due {
                    index_words(&self.db.queue(), &self.words);
                    self.note(&chain);
                }
            } else if synced > self.noted && Instant::now() >= self.due {
                self.index();
                index_words(&self.db.queue(), &self.words);
                match self.log.state().map(|state| state.chain.clone()) {
                    Ok(chain) if chain.seq() == synced => self.note(&chain),
                    // More was appended, and its sync leads here again; or its sync failed, and
                    // there is no head to note.
                    _ => self.noted = synced,
                }
            }
        }
    }

    /// Waits until there is something to do.
    fn wait<'a>(&self, state: MutexGuard<'a, State>, head_due: bool) -> MutexGuard<'a, State> {
        let idle = |state: &mut State| state.is_idle() && !state.stop;
        let bell = &self.log.bell;
        let seal_due = state.signer.as_ref().and_then(Signer::due);
        let state = if let Some(due) = head_due
            .then_some(self.due)
            .into_iter()
            .chain(seal_due)
            .min()
        {
            let left = due.saturating_duration_since(Instant::now());
            bell.wait_timeout_while(state, left, idle)
                .unwrap_or_else(PoisonError::into_inner)
                .0
        } else {
            bell.wait_while(state, idle)
                .unwrap_or_else(PoisonError::into_inner)
        };
        let gathering =
            |state: &mut State| !state.is_idle() && state.waiters.is_empty() && !state.stop;
        bell.wait_timeout_while(state, GROUP, gathering)
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }

    fn note(&mut self, chain: &Chain) {
        if self.anchors.note_later(chain) {
            self.noted = chain.seq();
        }
        self.due = Instant::now() + BETWEEN_HEADS;
    }

    /// Has the index brought up to date, unless that is about to be done.
    fn index(&mut self) {
        if let Ok(position) = self.log.position() {
            self.indexed = position.seq;
        }
        if self.rows.swap(true, Ordering::AcqRel) {
            return;
        }
        let (log, is_asked) = (Arc::clone(&self.log), Arc::clone(&self.rows));
        self.db.write_later("the index of the log", move |tx| {
            is_asked.store(false, Ordering::Release);
            index::catch_up(tx, &log.folder, log.position()?).map(|_| ())
        });
    }
}

/// Has the index of words brought up to date, unless that is about to be done: some rows at a time,
/// so that others write in between.
fn index_words(queue: &Queue, is_asked: &Arc<AtomicBool>) {
    if is_asked.swap(true, Ordering::AcqRel) {
        return;
    }
    let (again, asked) = (queue.clone(), Arc::clone(is_asked));
    queue.write_later("the index of words", move |tx| {
        asked.store(false, Ordering::Release);
        if word_index::catch_up(tx)? {
            index_words(&again, &asked);
        }
        Ok(())
    });
}

/// Syncs what was appended up to now and tells those who wait. Returns where the chain was, if
/// there was anything to sync and it is on the disk now. After a sync that failed there is no
/// other.
pub(super) fn sync(log: &Log, mut state: MutexGuard<'_, State>) -> Option<Chain> {
    if state.is_idle() {
        return None;
    }
    let chain = state.chain.clone();
    let full = std::mem::take(&mut state.full);
    let file = Arc::clone(&state.file);
    let waiters = std::mem::take(&mut state.waiters);
    let failed = state.unsynced.clone();
    drop(state);

    let sync = || -> io::Result<()> {
        for file in &full {
            file.sync()?;
        }
        file.sync()?;
        if full.is_empty() {
            Ok(())
        } else {
            log.sync_folder()
        }
    };
    let outcome = failed.map_or_else(|| sync().map_err(|error| error.to_string()), Err);
    if let Ok(mut state) = log.state() {
        match &outcome {
            Ok(()) => state.synced = chain.seq(),
            Err(reason) => state.unsynced = Some(reason.clone()),
        }
    }
    for tell in waiters {
        tell(outcome.clone().map_err(StoreError::unwritable));
    }
    outcome.is_ok().then_some(chain)
}
