//! The audit log: what happened, in an order that cannot be changed later without being found out.
//!
//! Always true here:
//! - the log is the segments; the database holds an index of it and its last head, and both can be
//!   lost;
//! - a record that was acknowledged outlives the host;
//! - a log that was tampered with goes on being written, and goes on being reported.

mod anchor;
mod anchor_text;
mod append;
mod begun_calls;
mod call_end;
mod call_events;
mod call_numbers;
mod callers;
mod chain;
mod compact;
mod decided_offer;
mod disk;
mod export;
mod external_anchor;
mod figures;
mod index;
mod indexed_text;
mod key;
mod known_calls;
mod recent_calls;
mod record;
mod recover;
mod recurring;
mod row;
mod row_batch;
mod row_facts;
mod seals;
mod search;
mod segments;
mod signer;
mod spans;
mod sync_thread;
mod unknown_outcomes;
mod verify;
mod void;
mod vouched;
mod word_index;

#[cfg(test)]
mod append_test;
#[cfg(test)]
mod compact_test;
#[cfg(test)]
mod external_anchor_test;
#[cfg(test)]
mod figures_test;
#[cfg(test)]
mod full_test;
#[cfg(test)]
mod kill_test;
#[cfg(test)]
mod known_calls_test;
#[cfg(test)]
mod record_test;
#[cfg(test)]
mod recover_test;
#[cfg(test)]
mod seals_test;
#[cfg(test)]
mod search_test;
#[cfg(test)]
mod sync_test;
#[cfg(test)]
mod tampered_test;
#[cfg(test)]
mod unknown_outcomes_test;
#[cfg(test)]
mod verify_test;
#[cfg(test)]
mod void_test;
#[cfg(test)]
mod word_index_test;

pub use call_events::{CallClosed, CallOpened};
pub use chain::{Chain, Flaw};
pub use decided_offer::DecidedOffer;
pub use export::Exported;
pub use external_anchor::{check_anchor_dir, export_anchor_dir};
pub use key::PublicKey;
pub use record::{Durability, Entry, Event, Recorded};
pub use recurring::{Recurring, Times};
pub use seals::Keyed;
#[cfg(unix)]
pub(crate) use segments::FOLDER as SEGMENTS;
pub use segments::log_dir;
pub use unknown_outcomes::UnknownOutcomes;
#[cfg(test)]
pub(crate) use verify::verify as verify_over;
pub use verify::verify_dir;
pub use void::Void;
pub use vouched::{Noun, Vouched};

use crate::StoreError;
use crate::db::{Commit, Database};
use crate::vault::Keyring;
use anchor::Anchors;
use api::{
    ActivityDetail, ActivityFigures, ActivityFilter, ActivityPage, ActivityRow, ExportFormat,
    LogReport, Outcome,
};
use append::{Log, Position, Waiter};
use jiff::tz::TimeZone;
use protocol::{Caller, QuestionId, Timestamp};
use rusqlite::Connection;
use signer::{Begun, Keys};
use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// The audit log; cheap to clone.
#[derive(Clone)]
pub struct Audit {
    inner: Arc<Inner>,
}

struct Inner {
    /// The data folder.
    dir: PathBuf,
    log: Arc<Log>,
    anchors: Arc<Anchors>,
    keys: Arc<Keys>,
    /// The first key of the row with which the log is signed.
    root: Option<PublicKey>,
    db: Database,
    keyring: Keyring,
    /// The last record that is known to be in the index.
    indexed: AtomicU64,
    sync_thread: Mutex<Option<JoinHandle<()>>>,
    /// Held as long as anything of the log is.
    _lock: Arc<File>,
}

impl Audit {
    /// Opens the log of the data folder `dir`, repairs its end, and ends calls that an earlier run
    /// left open. Blocks.
    pub(crate) fn open(
        dir: &Path,
        db: Database,
        keyring: Keyring,
        lock: Arc<File>,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let folder = dir.join(segments::FOLDER);
        crate::folder::make(&folder).map_err(StoreError::of_folder)?;
        let (heads, use_keyring) = Anchors::read(&db, &keyring)?;
        let mut tail = recover::recover(&folder, &heads)?;
        let keys = Keys::new(keyring.clone());
        let Begun {
            signer,
            introduced,
            lost,
        } = keys.signer(tail.keyed, tail.chain.seq(), use_keyring)?;
        if lost {
            let missing =
                || verify::key_missing(tail.keyed.as_ref(), &segments::name(tail.segment), &heads);
            tail.broken = tail.broken.or_else(missing);
        }
        if let Some(broken) = &tail.broken {
            tracing::error!(record = broken.record, file = %broken.file, problem = %broken.problem, "the log is not what it was");
        }
        let log = Log::open(&folder, &tail)?;
        if let Some(recover::Torn { bytes, sha256 }) = tail.torn {
            log.append(&Entry::of_host(now, Event::TailRepaired { bytes, sha256 }))?;
        }
        let introduced = introduced
            .map(|event| log.append(&Entry::of_host(now, event)))
            .transpose()?;
        let root = signer
            .as_ref()
            .map(|signer| signer.keyed().root)
            .or(tail.keyed.map(|keyed| keyed.root));
        Keys::begin(&log, signer, introduced)?;
        follow(&folder, &db, &log, tail.last_at, now)?;
        let anchors = Arc::new(Anchors::new(
            db.clone(),
            keyring.clone(),
            use_keyring,
            tail.broken,
            root,
        ));
        let (log, keys) = (Arc::new(log), Arc::new(keys));
        let sync_thread = sync_thread::start(
            Arc::clone(&log),
            Arc::clone(&anchors),
            Arc::clone(&keys),
            db.clone(),
        )?;
        let (indexed, sync_thread) = (AtomicU64::new(0), Mutex::new(Some(sync_thread)));
        Ok(Self {
            inner: Arc::new(Inner {
                dir: dir.to_owned(),
                log,
                anchors,
                keys,
                root,
                db,
                keyring,
                indexed,
                sync_thread,
                _lock: lock,
            }),
        })
    }

    /// Appends a record. With [`Durability::Synced`] this blocks until it is on the disk; async
    /// code has [`Audit::append_synced`].
    pub fn append(&self, entry: Entry, durability: Durability) -> Result<Recorded, StoreError> {
        if durability == Durability::Grouped {
            return self.inner.log.append(&entry).map(|seq| Recorded { seq });
        }
        let (tell, told) = mpsc::sync_channel(1);
        let waiter: Waiter = Box::new(move |outcome| {
            let _ = tell.send(outcome);
        });
        let seq = self.inner.log.append_and(&entry, Some(waiter))?;
        told.recv().map_err(|_| StoreError::Closed)??;
        Ok(Recorded { seq })
    }

    /// Appends a record and waits until it is on the disk.
    pub async fn append_synced(&self, entry: Entry) -> Result<Recorded, StoreError> {
        let (tell, told) = oneshot::channel();
        let waiter: Waiter = Box::new(move |outcome| {
            let _ = tell.send(outcome);
        });
        let seq = self.inner.log.append_and(&entry, Some(waiter))?;
        told.await.map_err(|_| StoreError::Closed)??;
        Ok(Recorded { seq })
    }

    /// Rows that fit, newest first, at most 500 and only those before the row `before`. All that
    /// was appended before is seen.
    pub async fn activity(
        &self,
        filter: ActivityFilter,
        before: Option<u64>,
        limit: u32,
    ) -> Result<ActivityPage, StoreError> {
        match filter.text {
            Some(_) => self.bring_words_up_to_date().await?,
            None => self.bring_index_up_to_date().await?,
        }
        self.inner
            .db
            .read(move |db| search::activity(db, &filter, before, limit))
            .await
    }

    /// The calls that fit, in figures, by the calendar of this computer. All that was appended
    /// before is seen.
    pub async fn figures(&self, filter: ActivityFilter) -> Result<ActivityFigures, StoreError> {
        match filter.text {
            Some(_) => self.bring_words_up_to_date().await?,
            None => self.bring_index_up_to_date().await?,
        }
        let read = move |db: &Connection| figures::figures(db, &filter, &TimeZone::system());
        self.inner.db.read(read).await
    }

    /// Everyone who has asked for something, the newest hundred, by the name they had last.
    pub async fn callers(&self) -> Result<Vec<Caller>, StoreError> {
        self.bring_index_up_to_date().await?;
        self.inner.db.read(callers::list).await
    }

    /// The row to which record `seq` belongs, in full. Its `records` are the JSON texts, as they
    /// stand in the log.
    pub async fn detail(&self, seq: u64) -> Result<ActivityDetail, StoreError> {
        self.bring_index_up_to_date().await?;
        let folder = self.dir();
        self.inner
            .db
            .read(move |db| search::detail(db, &folder, seq))
            .await
    }

    /// The rows to which records belong, each once, in the order of their first records. A question
    /// that was only asked has none.
    pub async fn rows_of(&self, records: Vec<u64>) -> Result<Vec<ActivityRow>, StoreError> {
        self.bring_index_up_to_date().await?;
        let read = move |db: &Connection| search::rows_of(db, &records);
        self.inner.db.read(read).await
    }

    /// Who answered a question, and where, as far as the log still knows.
    pub async fn answered_by(&self, question: &QuestionId) -> Result<Option<String>, StoreError> {
        self.bring_words_up_to_date().await?;
        let (folder, question) = (self.dir(), question.clone());
        self.inner
            .db
            .read(move |db| search::answered_by(db, &folder, &question))
            .await
    }

    /// Reads the whole log and says whether anything is missing or changed.
    pub async fn verify(&self) -> Result<LogReport, StoreError> {
        let (dir, keyring) = (self.inner.dir.clone(), self.inner.keyring.clone());
        off_the_runtime(move || verify::verify(&dir, &keyring)).await
    }

    /// All records as text, with those that were moved out, as far as they are in the archive. With
    /// a filter only those that belong to the rows that fit; of what was moved out nothing is known
    /// any more.
    pub async fn export(
        &self,
        format: ExportFormat,
        filter: Option<ActivityFilter>,
    ) -> Result<Exported, StoreError> {
        let only = match filter {
            None => None,
            Some(filter) => Some(self.records_of(filter).await?),
        };
        let folder = self.dir();
        off_the_runtime(move || export::export(&folder, format, only.as_ref())).await
    }

    /// The records that belong to the rows that fit.
    async fn records_of(&self, filter: ActivityFilter) -> Result<HashSet<u64>, StoreError> {
        match filter.text {
            Some(_) => self.bring_words_up_to_date().await?,
            None => self.bring_index_up_to_date().await?,
        }
        let read = move |db: &Connection| search::records_of_all(db, &filter);
        self.inner.db.read(read).await
    }

    /// The folder of the segments.
    pub fn dir(&self) -> PathBuf {
        self.inner.dir.join(segments::FOLDER)
    }

    /// Refuses further records, brings all to the disk, and notes the head. A log that is closed
    /// stays so.
    pub(crate) async fn close(&self) -> Result<(), StoreError> {
        let inner = Arc::clone(&self.inner);
        off_the_runtime(move || {
            // Without the next key at hand the last section could not be ended.
            inner.keys.renew_now(&inner.log);
            inner.log.refuse()
        })
        .await?;
        let (tell, told) = oneshot::channel();
        let waiter: Waiter = Box::new(move |outcome| {
            let _ = tell.send(outcome);
        });
        if let Err(StoreError::Closed) = self.inner.log.wait_for_sync(waiter) {
            return Ok(());
        }
        told.await.map_err(|_| StoreError::Closed)??;
        self.bring_index_up_to_date().await?;
        let inner = Arc::clone(&self.inner);
        off_the_runtime(move || {
            let chain = inner.log.state()?.chain.clone();
            inner.anchors.note_now(&chain)?;
            inner.keys.renew_now(&inner.log);
            inner.stop_keeper();
            Ok(())
        })
        .await
    }

    /// Indexes what is in the log by now.
    pub async fn bring_index_up_to_date(&self) -> Result<(), StoreError> {
        let end = self.inner.log.position()?;
        if self.inner.indexed.load(Ordering::Acquire) >= end.seq {
            return Ok(());
        }
        let indexed = index_up_to(&self.inner.db, &self.inner.log, end).await?;
        self.inner.indexed.fetch_max(indexed, Ordering::AcqRel);
        Ok(())
    }

    /// Indexes the words of all that is in the log by now, too.
    async fn bring_words_up_to_date(&self) -> Result<(), StoreError> {
        self.bring_index_up_to_date().await?;
        let db = &self.inner.db;
        if db.read(word_index::is_behind).await? {
            while db.write(Commit::Lazy, word_index::catch_up).await? {}
        }
        Ok(())
    }
}

impl Inner {
    fn stop_keeper(&self) {
        if let Ok(mut state) = self.log.state() {
            state.stop = true;
        }
        self.log.bell.notify_all();
        let sync_thread = self
            .sync_thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(sync_thread) = sync_thread
            && sync_thread.join().is_err()
        {
            tracing::error!("the keeper of the log had panicked");
        }
        if let Ok(mut state) = self.log.state() {
            // Nobody is left who would tell them; dropped, they learn that the log is closed.
            state.waiters.clear();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.stop_keeper();
    }
}

impl Entry {
    fn of_host(at: Timestamp, event: Event) -> Self {
        Self {
            at,
            call: None,
            caller: None,
            conversation: None,
            approver: None,
            server: None,
            tool: None,
            event,
        }
    }
}

/// Brings the index up to date. Closes the calls in it that nobody closed, as the host ended while
/// they ran, and takes back what the log does not vouch for.
fn follow(
    folder: &Path,
    db: &Database,
    log: &Log,
    last_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (folder, end) = (folder.to_owned(), log.position()?);
    let (left_open, voided) = db.write_blocking(Commit::Lazy, move |tx| {
        index::check(tx, &folder, end)?;
        index::catch_up(tx, &folder, end)?;
        index::forget_moved_out(tx, &folder)?;
        let extent = match segments::list(&folder)?.first() {
            Some(first) if *first > 1 && !vouched::speaks_for_all(tx)? => void::Extent::Later,
            _ => void::Extent::Whole,
        };
        Ok((index::running(tx)?, void::find(tx, extent)?))
    })?;
    for one in &voided {
        let entry = one.entry(now);
        tracing::warn!(event = ?entry.event, "what the database allowed does not hold: the log does not vouch for it");
        log.append(&entry)?;
    }
    if !voided.is_empty() {
        db.write_blocking(Commit::Lazy, move |tx| {
            voided.iter().try_for_each(|one| one.take_back(tx, now))
        })?;
    }
    for (call, row) in left_open {
        // Nobody knows when it ended; the last record is the last sign of life.
        let lasted = last_at.unwrap_or(row.at).since(row.at);
        let event = Event::CallClosed(CallClosed {
            outcome: Outcome::Interrupted,
            duration_ms: u64::try_from(lasted.as_millis()).unwrap_or(u64::MAX),
            waited_ms: None,
            ran_ms: None,
            error: Some("the host ended during the call".to_owned()),
        });
        log.append(&Entry {
            call: Some(call),
            caller: row.caller,
            server: row.server,
            tool: row.tool,
            ..Entry::new(now, event)
        })?;
    }
    Ok(())
}

/// Indexes what is in the log up to `end`, and returns the number of the last record.
async fn index_up_to(db: &Database, log: &Log, end: Position) -> Result<u64, StoreError> {
    let folder = log.folder.clone();
    db.write(Commit::Lazy, move |tx| index::catch_up(tx, &folder, end))
        .await
}

async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or(Err(StoreError::Closed))
}
