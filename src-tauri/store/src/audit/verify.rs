//! Reads the whole log and says whether anything is missing or changed.
//!
//! Always true here: nothing is written, and no host need run or be stopped for it.

use super::anchor::{Break, Head, Heads};
use super::chain::{Chain, Flaw, Hash, json_of};
use super::compact::Checkpoint;
use super::key::PublicKey;
use super::row;
use super::seals::{Keyed, Seals};
use super::segments::{self, FOLDER};
use super::signer;
use crate::StoreError;
use crate::vault::{Keyring, KeyringChoice};
use api::{AnchorPlace, KeyPlace, LogReport, Signed};
use std::path::Path;
use std::time::Duration;

/// How often, and how long, to wait for a record that a running host is writing just now.
const LOOKS: u32 = 4;
const BETWEEN_LOOKS: Duration = Duration::from_millis(3);

/// Checks the log of the data folder `dir` while a host runs on it or not, and even where its
/// database is gone. Blocks.
pub fn verify_dir(dir: &Path, keyring: KeyringChoice) -> Result<LogReport, StoreError> {
    let keyring = Keyring::new(keyring, dir)?;
    verify(dir, &keyring)
}

/// Checks the log of `dir` against what is noted of it outside.
pub(crate) fn verify(dir: &Path, keyring: &Keyring) -> Result<LogReport, StoreError> {
    let (walk, heads, held) = look(dir, keyring)?;
    Ok(walk.report(&heads, held.as_deref()))
}

/// Reads the log of `dir`, and what is noted of it outside. The third value is the keys of which
/// the keyring holds the private halves.
pub(super) fn look(
    dir: &Path,
    keyring: &Keyring,
) -> Result<(Walk, Heads, Option<Vec<PublicKey>>), StoreError> {
    let mut looks = LOOKS;
    loop {
        // The heads first: what is appended meanwhile only comes after them.
        let heads = Heads::of_folder(dir, keyring);
        let before = signer::held(keyring);
        let walk = Walk::patiently(&dir.join(FOLDER), &heads, None)?;
        looks -= 1;
        // A running host ends sections while the log is read, and lets go of their keys.
        let held = if walk.is_held(before.as_deref()) {
            before
        } else {
            signer::held(keyring)
        };
        if looks == 0 || !walk.is_kept_there() || walk.is_held(held.as_deref()) {
            return Ok((walk, heads, held));
        }
    }
}

/// Checks the segments in `folder` against `heads` and the keys that are `held` in the keyring;
/// none if it cannot be read.
#[cfg(test)]
pub(crate) fn check(
    folder: &Path,
    heads: &Heads,
    held: Option<&[PublicKey]>,
) -> Result<LogReport, StoreError> {
    Ok(Walk::patiently(folder, heads, None)?.report(heads, held))
}

/// The break that it is when the keyring knows a head of the log, and does not hold the key of its
/// open section. A keyring that knows nothing of the log at all was lost, or is another.
pub(crate) fn key_missing(keyed: Option<&Keyed>, file: &str, heads: &Heads) -> Option<Break> {
    let keyed = keyed.filter(|_| heads.keyring.is_some())?;
    let last = keyed.sealed.max(keyed.from);
    let problem = format!(
        "the keyring does not hold the key that is to sign what follows record {last}: seals behind it were left out, or the keys were exchanged"
    );
    Some(Break {
        record: last + 1,
        file: file.to_owned(),
        problem,
    })
}

/// The break that it is when a noted head is newer than the last record.
pub(crate) fn cut_off(records: u64, file: &str, heads: &Heads) -> Option<Break> {
    let noted = heads.each().map(|head| head.seq).max()?;
    let first = records + 1;
    (noted > records).then(|| Break {
        record: first,
        file: file.to_owned(),
        problem: if first == noted {
            format!("record {first} is missing at the end")
        } else {
            format!("records {first} to {noted} are missing at the end")
        },
    })
}

/// The break that it is when record `head.seq` is not the one that was noted.
pub(crate) fn not_the_noted(head: &Head, file: &str) -> Break {
    let problem = format!(
        "record {} is not the one that was noted as the last; it was changed, or all from some record on",
        head.seq
    );
    Break {
        record: head.seq,
        file: file.to_owned(),
        problem,
    }
}

/// Told of each segment when it was read and is as it should be: its number and its bytes.
type Behind<'a> = &'a mut dyn FnMut(&Walk, u32, &[u8]);

/// One reading of all segments, up to the first break.
pub(super) struct Walk {
    pub(super) chain: Chain,
    /// The first record that was read: in the archive, if that is there as a whole.
    pub(super) first: u64,
    /// The first record that is in the log.
    pub(super) begins: u64,
    /// The segment that begins with it.
    pub(super) segment: u32,
    pub(super) seals: Seals,
    /// The segment that was read last.
    file: String,
    pub(super) broken: Option<Break>,
    pub(super) flaw: Option<Flaw>,
    /// The record to look out for.
    watch: Option<u64>,
    /// Its hash, and the key that signs behind it.
    pub(super) watched: Option<(Hash, Option<PublicKey>)>,
}

impl Walk {
    /// Reads the log in `folder`, and looks again if a host is just writing its last record.
    /// `watch` is a record to look out for.
    pub(super) fn patiently(
        folder: &Path,
        heads: &Heads,
        watch: Option<u64>,
    ) -> Result<Self, StoreError> {
        let mut looks = LOOKS;
        loop {
            let walk = Self::through(folder, heads, watch, &mut |_, _, _| {})?;
            looks -= 1;
            if walk.flaw != Some(Flaw::Unfinished) || looks == 0 {
                return Ok(walk);
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }

    /// Reads the log in `folder` once, telling of each segment.
    pub(super) fn through(
        folder: &Path,
        heads: &Heads,
        watch: Option<u64>,
        behind: Behind<'_>,
    ) -> Result<Self, StoreError> {
        let (chain, file) = (Chain::start(), segments::name(1));
        let (seals, watched) = (Seals::default(), None);
        let mut walk = Self {
            chain,
            first: 1,
            begins: 1,
            segment: 1,
            seals,
            file,
            broken: None,
            flaw: None,
            watch,
            watched,
        };
        let mut numbers = segments::list(folder)?;
        let mut archived = Vec::new();
        let mut due = 1;
        // Only where the beginning is missing can there be a record that says why.
        let checkpoint = if numbers.first().is_none_or(|first| *first == 1) {
            None
        } else {
            Checkpoint::last(folder, &numbers)?
        };
        if let Some(checkpoint) = checkpoint {
            (walk.begins, walk.segment) = (checkpoint.first, checkpoint.segment);
            numbers.retain(|number| *number >= checkpoint.segment);
            archived = segments::archived(folder, checkpoint.segment)?;
            if !archived.iter().copied().eq(1..checkpoint.segment) {
                archived.clear();
                due = checkpoint.segment;
                walk.begin(&checkpoint, &row::read(folder, checkpoint.segment)?);
            }
        }
        let archive = segments::archive(folder);
        let files = archived
            .iter()
            .map(|number| (archive.as_path(), *number))
            .chain(numbers.iter().map(|number| (folder, *number)));
        for (due, (place, number)) in (due..).zip(files) {
            if walk.broken.is_some() {
                break;
            }
            walk.file = if place == folder {
                segments::name(due)
            } else {
                format!("archive/{}", segments::name(due))
            };
            if due != number {
                let problem = format!("the file {} is missing", walk.file);
                walk.broken = Some(Break {
                    record: walk.chain.seq() + 1,
                    file: walk.file.clone(),
                    problem,
                });
                break;
            }
            let bytes = segments::read(place, due)?;
            walk.take(&bytes, heads);
            if walk.broken.is_some() {
                // Only at the very end can a record be one that is being written.
                walk.flaw = walk
                    .flaw
                    .filter(|flaw| *flaw != Flaw::Unfinished || numbers.last() == Some(&number));
                break;
            }
            behind(&walk, number, &bytes);
        }
        Ok(walk)
    }

    /// Begins where the older records were cut off, with the key that `row` shows to come of the
    /// first one. That the record about it is signed is found when it is come to.
    fn begin(&mut self, checkpoint: &Checkpoint, row: &[u8]) {
        self.first = checkpoint.first;
        self.chain = Chain::after(checkpoint.first - 1, checkpoint.hash);
        self.seals = Seals {
            keyed: checkpoint.keyed,
            roots: checkpoint.keyed.iter().map(|keyed| keyed.root).collect(),
        };
        if !row::proves(row, checkpoint) {
            self.file = row::name(checkpoint.segment);
            let problem = format!(
                "the seals before record {} do not show who signs it, and the records themselves are not there",
                self.first
            );
            self.flaw = Some(Flaw::Signature);
            self.broken = Some(Break {
                record: self.first,
                file: self.file.clone(),
                problem,
            });
        }
        self.look_out();
    }

    fn look_out(&mut self) {
        if self.watch == Some(self.chain.seq()) {
            self.watched = Some((self.chain.hash(), self.seals.keyed.map(|keyed| keyed.key)));
        }
    }

    /// The break that it is when the log is not signed by the row of keys that was noted.
    fn exchanged(&self, heads: &Heads) -> Option<Break> {
        let noted = heads
            .each()
            .find_map(|head| head.root.filter(|root| !self.seals.roots.contains(root)))?;
        let record = self.seals.keyed.map_or(1, |keyed| keyed.from);
        let problem = format!(
            "the log is not signed by the row of keys that was noted, which begins with {noted}: the keys were exchanged"
        );
        Some(Break {
            record,
            file: self.file.clone(),
            problem,
        })
    }

    /// The first thing that is not as it should be.
    pub(super) fn problem(&self, heads: &Heads, held: Option<&[PublicKey]>) -> Option<Break> {
        let is_missing = self.is_kept_there() && !self.is_held(held);
        let missing = || {
            if is_missing {
                key_missing(self.seals.keyed.as_ref(), &self.file, heads)
            } else {
                None
            }
        };
        let outside = || {
            cut_off(self.chain.seq(), &self.file, heads)
                .or_else(|| self.exchanged(heads))
                .or_else(missing)
        };
        self.broken
            .clone()
            .or_else(outside)
            .or_else(|| heads.broken().cloned())
    }

    /// Whether the keyring holds the key of the open section; also if it cannot be asked. Who
    /// leaves out seals leaves the log open with a key that was erased long ago, and cannot be put
    /// there again.
    fn is_held(&self, held: Option<&[PublicKey]>) -> bool {
        let (Some(keyed), Some(held)) = (self.seals.keyed, held) else {
            return true;
        };
        held.contains(&keyed.key)
    }

    /// Whether the key of the open section should be in the keyring.
    fn is_kept_there(&self) -> bool {
        self.seals
            .keyed
            .is_some_and(|keyed| keyed.kept == KeyPlace::Keyring)
    }

    /// What is said of the log.
    fn report(&self, heads: &Heads, held: Option<&[PublicKey]>) -> LogReport {
        if let Some(Break {
            record,
            file,
            problem,
        }) = self.problem(heads, held)
        {
            return LogReport::Broken {
                record,
                file,
                problem,
            };
        }
        let records = self.chain.seq();
        let (anchor, noted) = match (&heads.keyring, &heads.database) {
            (Some(head), _) => (AnchorPlace::Keyring, head.seq),
            (None, Some(head)) => (AnchorPlace::Database, head.seq),
            (None, None) => (AnchorPlace::Nowhere, 0),
        };
        // Where the keyring was lost, or is said never to have been there and is, nobody can tell
        // whether there were more seals.
        let keyed = self.seals.keyed.filter(|_| self.is_held(held));
        let signed = keyed.map(
            |Keyed {
                 root,
                 from,
                 kept,
                 sealed,
                 ..
             }| Signed {
                from,
                sealed,
                kept,
                root: root.to_string(),
            },
        );
        LogReport::Intact {
            records,
            first: self.begins,
            read_from: self.first,
            anchor,
            after_anchor: records - noted,
            signed,
        }
    }

    fn take(&mut self, bytes: &[u8], heads: &Heads) {
        let mut rest = bytes;
        while !rest.is_empty() && self.broken.is_none() {
            match self.chain.take(rest) {
                Ok(length) if !self.seals.take(self.chain.seq(), json_of(&rest[..length])) => {
                    let (record, file) = (self.chain.seq(), self.file.clone());
                    self.flaw = Some(Flaw::Signature);
                    self.broken = Some(Break {
                        record,
                        file,
                        problem: Flaw::Signature.sentence(record),
                    });
                }
                Ok(length) => {
                    rest = &rest[length..];
                    self.look_out();
                    let changed = heads
                        .each()
                        .find(|head| head.seq == self.chain.seq() && !head.is(&self.chain.hash()));
                    self.broken = changed.map(|head| not_the_noted(head, &self.file));
                    if self.broken.is_some() {
                        self.flaw = Some(Flaw::Link);
                    }
                }
                Err(flaw) => {
                    let due = self.chain.seq() + 1;
                    self.flaw = Some(flaw);
                    self.broken = Some(Break {
                        record: due,
                        file: self.file.clone(),
                        problem: flaw.sentence(due),
                    });
                }
            }
        }
    }
}
