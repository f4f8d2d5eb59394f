//! Moves old segments out of the log, into an archive beside it.
//!
//! Always true here:
//! - only whole segments are moved, and only out of a log that is intact;
//! - a record that is signed says where the log begins from now on, before anything is removed;
//!   what is removed lies in the archive, on the disk, byte for byte, and its seals lie beside the
//!   log;
//! - no call is moved out that still runs, or of which nobody knows the end and no person has noted
//!   it.

use super::append::Waiter;
use super::chain::{HEAD, HIGHEST, Hash, Link, json_of};
use super::record::{Entry, Event};
use super::seals::{Keyed, UNSIGNED, is_marked};
use super::segments::{self, Lines};
use super::verify::{self, Walk};
use super::{Audit, index, off_the_runtime, row, unknown_outcomes, vouched};
use crate::db::Commit;
use crate::{StoreError, folder};
use api::Compacted;
use protocol::Timestamp;
use serde::Deserialize;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use tokio::sync::oneshot;

/// Where the log begins since older records were moved out of it.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    /// The first record.
    pub(super) first: u64,
    /// The SHA-256 of the line before it.
    pub(super) hash: Hash,
    /// The segment that begins with it.
    pub(super) segment: u32,
    /// The key that signs there.
    pub(super) keyed: Option<Keyed>,
}

impl Checkpoint {
    /// The last one in these segments, whoever may have written it.
    pub(super) fn last(folder: &Path, numbers: &[u32]) -> Result<Option<Self>, StoreError> {
        for number in numbers.iter().rev() {
            let bytes = segments::read(folder, *number)?;
            let last = Lines::of(&bytes)
                .filter_map(|(_, line)| Self::of(json_of(line)))
                .last();
            if last.is_some() {
                return Ok(last);
            }
        }
        Ok(None)
    }

    pub(super) fn of(json: &[u8]) -> Option<Self> {
        if !is_marked(json) {
            return None;
        }
        match Entry::read(json).ok()?.event {
            Event::LogCompacted {
                first,
                hash,
                segment,
                keyed,
                ..
            } => (1..=HIGHEST).contains(&first).then_some(Self {
                first,
                hash: Hash::parse(&hash)?,
                segment,
                keyed,
            }),
            _ => None,
        }
    }
}

impl Audit {
    /// Moves whole segments of which every record is older than `before` into the archive. Fails if
    /// the log is not intact, or if it cannot be signed in this run. What is behind a call that
    /// still runs, or of whose end nobody knows, stays.
    pub async fn compact(&self, before: Timestamp) -> Result<Compacted, StoreError> {
        self.bring_index_up_to_date().await?;
        let unresolved = self
            .inner
            .db
            .read(unknown_outcomes::first_unresolved)
            .await?;
        let this = self.clone();
        let (first, compacted) =
            off_the_runtime(move || this.archive(before, unresolved.unwrap_or(u64::MAX))).await?;
        let Some(checkpoint) = first else {
            return Ok(compacted);
        };
        let (tell, told) = oneshot::channel();
        let waiter: Waiter = Box::new(move |outcome| {
            let _ = tell.send(outcome);
        });
        // Before the log begins anew: whoever reads only the rest still finds it.
        let first = checkpoint.first;
        let standing = self
            .inner
            .db
            .read(move |db| vouched::to_say_once_more(db, first))
            .await?;
        for event in standing {
            self.inner.log.append_as_last(event)?;
        }
        self.inner.log.append_signed(|_| Event::LogCompacted {
            first: checkpoint.first,
            hash: checkpoint.hash.as_str().to_owned(),
            segment: checkpoint.segment,
            keyed: checkpoint.keyed,
            signature: UNSIGNED.to_owned(),
        })?;
        self.inner.log.wait_for_sync(waiter)?;
        told.await.map_err(|_| StoreError::Closed)??;
        self.bring_index_up_to_date().await?;
        let (this, first) = (self.clone(), checkpoint.first);
        off_the_runtime(move || this.remove(checkpoint.segment)).await?;
        self.inner
            .db
            .write(Commit::Lazy, move |tx| index::forget(tx, first))
            .await?;
        Ok(compacted)
    }

    /// Copies what is old enough, and before the record `unresolved`, into the archive, and says
    /// where the log is to begin.
    fn archive(
        &self,
        before: Timestamp,
        unresolved: u64,
    ) -> Result<(Option<Checkpoint>, Compacted), StoreError> {
        let log = self.dir();
        let open = self.inner.log.position()?.segment;
        let (walk, heads, held) = verify::look(&self.inner.dir, &self.inner.keyring)?;
        if let Some(broken) = walk.problem(&heads, held.as_deref()) {
            return Err(StoreError::LogNotIntact {
                record: broken.record,
            });
        }
        let (begins, segment) = (walk.begins, walk.segment);
        let mut row = if walk.first == 1 {
            Vec::new()
        } else {
            row::read(&log, segment)?
        };
        let mut cut = None;
        let mut is_old = true;
        Walk::through(&log, &heads, None, &mut |walk, number, bytes| {
            let is_before = number < segment || (number < open && walk.chain.seq() < unresolved);
            is_old &= is_before
                && Lines::of(bytes).all(|(_, line)| at(line).is_some_and(|at| at < before));
            if is_old {
                row::add(&mut row, bytes);
                let (first, hash) = (walk.chain.seq() + 1, walk.chain.hash());
                cut = Some(Checkpoint {
                    first,
                    hash,
                    segment: number + 1,
                    keyed: walk.seals.keyed,
                });
            }
        })?;
        let Some(cut) = cut.filter(|cut| cut.segment > segment) else {
            return Ok((
                None,
                Compacted {
                    records: 0,
                    file: None,
                    first: begins,
                },
            ));
        };
        let archive = segments::archive(&log);
        folder::make(&archive).map_err(StoreError::of_folder)?;
        for number in segments::list(&log)?
            .into_iter()
            .filter(|number| *number < cut.segment)
        {
            copy(
                &segments::path(&log, number),
                &segments::path(&archive, number),
            )
            .map_err(StoreError::unwritable)?;
        }
        segments::sync_folder(&archive).map_err(StoreError::unwritable)?;
        row::write(&log, cut.segment, &row).map_err(StoreError::unwritable)?;
        let file = Some(archive.display().to_string());
        Ok((
            Some(cut.clone()),
            Compacted {
                records: cut.first - begins,
                file,
                first: cut.first,
            },
        ))
    }

    fn remove(&self, until: u32) -> Result<(), StoreError> {
        let log = self.dir();
        for number in segments::list(&log)?
            .into_iter()
            .filter(|number| *number < until)
        {
            fs::remove_file(segments::path(&log, number)).map_err(StoreError::unwritable)?;
        }
        row::remove_before(&log, until).map_err(StoreError::unwritable)?;
        segments::sync_folder(&log).map_err(StoreError::unwritable)
    }
}

/// Copies a file, to the disk. One that is there from an earlier attempt must be the same.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let bytes = fs::read(from)?;
    match fs::read(to) {
        Ok(there) if there == bytes => return Ok(()),
        // A copy that was not finished. Anything else is not ours to overwrite.
        Ok(there) if !bytes.starts_with(&there) => {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "another file is in the archive",
            ));
        }
        _ => {}
    }
    let mut file = folder::private().create(true).truncate(true).open(to)?;
    file.write_all(&bytes)?;
    file.sync_all()
}

#[derive(Deserialize)]
struct At {
    at: Timestamp,
}

fn at(line: &[u8]) -> Option<Timestamp> {
    Link::of(&line[HEAD..])?;
    serde_json::from_slice::<At>(json_of(line))
        .ok()
        .map(|record| record.at)
}
