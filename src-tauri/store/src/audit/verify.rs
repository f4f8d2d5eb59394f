//! Reads the whole log and says whether anything is missing or changed.
//!
//! Always true here: nothing is written, and no host need run or be stopped for it.

use super::anchor::{Break, Head, Heads};
use super::chain::{Chain, Flaw};
use super::segments::{self, FOLDER};
use super::{AnchorPlace, LogReport};
use crate::StoreError;
use crate::vault::{Keyring, KeyringChoice};
use std::path::Path;
use std::time::Duration;

/// How often, and how long, to wait for a record that a running host is writing just now.
const LOOKS: u32 = 4;
const BETWEEN_LOOKS: Duration = Duration::from_millis(3);

/// Checks the log of the data folder `dir` while a host runs on it or not, and even where its database is gone. Blocks.
pub fn verify_dir(dir: &Path, keyring: KeyringChoice) -> Result<LogReport, StoreError> {
    let keyring = Keyring::new(keyring, dir)?;
    verify(dir, &keyring)
}

/// Checks the log of `dir` against what is noted of it outside.
pub(crate) fn verify(dir: &Path, keyring: &Keyring) -> Result<LogReport, StoreError> {
    // The heads first: what is appended meanwhile only comes after them.
    let heads = Heads::of_folder(dir, keyring);
    check(&dir.join(FOLDER), &heads)
}

/// Checks the segments in `folder` against `heads`.
pub(crate) fn check(folder: &Path, heads: &Heads) -> Result<LogReport, StoreError> {
    let mut looks = LOOKS;
    let walk = loop {
        let walk = Walk::through(folder, heads)?;
        looks -= 1;
        if walk.flaw != Some(Flaw::Unfinished) || looks == 0 {
            break walk;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    };
    let records = walk.chain.seq();
    let broken = walk.broken.or_else(|| cut_off(records, &walk.file, heads)).or_else(|| heads.broken().cloned());
    if let Some(Break { record, file, problem }) = broken {
        return Ok(LogReport::Broken { record, file, problem });
    }
    let (anchor, noted) = match (&heads.keyring, &heads.database) {
        (Some(head), _) => (AnchorPlace::Keyring, head.seq),
        (None, Some(head)) => (AnchorPlace::Database, head.seq),
        (None, None) => (AnchorPlace::Nowhere, 0),
    };
    Ok(LogReport::Intact { records, anchor, after_anchor: records - noted })
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
    let problem = format!("record {} is not the one that was noted as the last; it was changed, or all from some record on", head.seq);
    Break { record: head.seq, file: file.to_owned(), problem }
}

/// One reading of all segments, up to the first break.
struct Walk {
    chain: Chain,
    /// The segment that was read last.
    file: String,
    broken: Option<Break>,
    flaw: Option<Flaw>,
}

impl Walk {
    fn through(folder: &Path, heads: &Heads) -> Result<Self, StoreError> {
        let mut walk = Self { chain: Chain::start(), file: segments::name(1), broken: None, flaw: None };
        let numbers = segments::list(folder)?;
        for (due, number) in (1_u32..).zip(&numbers) {
            walk.file = segments::name(due);
            if due != *number {
                let problem = format!("the file {} is missing", walk.file);
                walk.broken = Some(Break { record: walk.chain.seq() + 1, file: walk.file.clone(), problem });
                break;
            }
            let bytes = segments::read(folder, due)?;
            walk.segment(&bytes, heads);
            if walk.broken.is_some() {
                // Only at the very end can a record be one that is being written.
                walk.flaw = walk.flaw.filter(|_| numbers.last() == Some(number));
                break;
            }
        }
        Ok(walk)
    }

    fn segment(&mut self, bytes: &[u8], heads: &Heads) {
        let mut rest = bytes;
        while !rest.is_empty() && self.broken.is_none() {
            match self.chain.take(rest) {
                Ok(length) => {
                    rest = &rest[length..];
                    let changed = heads.each().find(|head| head.seq == self.chain.seq() && !head.is(&self.chain.hash()));
                    self.broken = changed.map(|head| not_the_noted(head, &self.file));
                }
                Err(flaw) => {
                    let due = self.chain.seq() + 1;
                    self.flaw = Some(flaw);
                    self.broken = Some(Break { record: due, file: self.file.clone(), problem: flaw.sentence(due) });
                }
            }
        }
    }
}
