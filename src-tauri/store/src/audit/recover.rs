//! Finds the end of the log when it is opened, and moves aside what a crash left there half
//! written.
//!
//! Always true here:
//! - no whole record is ever removed or changed, and what is moved aside is kept;
//! - numbers only go up: behind lines that stand there twice or in another order, the log goes on
//!   with a number that none of them has;
//! - a log whose end is not what was noted of it is gone on with, and the break is remembered.

use super::anchor::{Break, Heads};
use super::chain::{Chain, HEAD, HIGHEST, Hash, Link, NOTHING_BEFORE, json_of};
use super::compact::Checkpoint;
use super::seals::{Keyed, Seals, is_marked};
use super::segments::{self, Lines};
use super::verify::{cut_off, not_the_noted};
use crate::StoreError;
use protocol::Timestamp;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// How much of the end of a segment is looked at for its highest number, in bytes.
const END: u64 = 256 * 1024;

/// The end of the log.
#[derive(Debug)]
pub(crate) struct Tail {
    /// After the last whole record.
    pub(crate) chain: Chain,
    /// The segment to append to.
    pub(crate) segment: u32,
    /// How much of it is whole records, in bytes, or is followed by one.
    pub(crate) length: u64,
    /// What stood behind them, and was moved aside.
    pub(crate) torn: Option<Torn>,
    /// How the log differs from what was noted of it.
    pub(crate) broken: Option<Break>,
    /// When the first record of the segment was made.
    pub(crate) began_at: Option<Timestamp>,
    /// When the last record was made.
    pub(crate) last_at: Option<Timestamp>,
    /// The key that is to sign next, as far as the log tells.
    pub(crate) keyed: Option<Keyed>,
}

/// Bytes that were moved aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Torn {
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

/// Finds the end of the log in `folder`. Of a long log only what follows the oldest noted head is
/// read.
pub(crate) fn recover(folder: &Path, heads: &Heads) -> Result<Tail, StoreError> {
    let numbers = segments::list(folder)?;
    let Some(last) = numbers.last().copied() else {
        let broken = heads
            .broken()
            .cloned()
            .or_else(|| cut_off(0, &segments::name(1), heads));
        let (chain, segment) = (Chain::start(), 1);
        return Ok(Tail {
            chain,
            segment,
            length: 0,
            torn: None,
            broken,
            began_at: None,
            last_at: None,
            keyed: None,
        });
    };
    let noted = heads.each().map(|head| head.seq).min();
    let first = first_to_read(folder, &numbers, noted)?;
    let before = numbers[..first]
        .last()
        .map(|number| highest_at_the_end(folder, *number))
        .transpose()?;
    let mut found = Found {
        seq: before.unwrap_or(0),
        keyed: last_keyed(folder, &numbers[..first])?,
        ..Found::default()
    };
    for number in &numbers[first..] {
        found.read(&segments::read(folder, *number)?, *number == last, heads);
    }
    let chain = Chain::after(found.seq, found.hash.unwrap_or(NOTHING_BEFORE));
    let torn = if found.rest.is_empty() {
        None
    } else {
        Some(move_aside(folder, last, found.length, &found.rest)?)
    };
    let file = segments::name(last);
    let broken = heads
        .broken()
        .cloned()
        .or_else(|| {
            heads
                .each()
                .find(|head| found.differs(head.seq, &head.hash))
                .map(|head| not_the_noted(head, &file))
        })
        .or_else(|| cut_off(found.seq, &file, heads));
    let Found {
        length,
        began_at,
        last_at,
        keyed,
        ..
    } = found;
    Ok(Tail {
        chain,
        segment: last,
        length,
        torn,
        broken,
        began_at,
        last_at,
        keyed,
    })
}

/// What reading the end has found.
#[derive(Default)]
struct Found {
    seq: u64,
    hash: Option<Hash>,
    last_at: Option<Timestamp>,
    keyed: Option<Keyed>,
    /// Of the last segment.
    began_at: Option<Timestamp>,
    length: u64,
    rest: Vec<u8>,
    /// The hashes of the records that are noted somewhere.
    noted: HashMap<u64, Hash>,
}

impl Found {
    fn read(&mut self, bytes: &[u8], is_last: bool, heads: &Heads) {
        let mut end = 0;
        let mut last_line = None;
        self.began_at = None;
        for (start, line) in Lines::of(bytes) {
            let Some(link) = Link::of(&line[HEAD..]) else {
                continue;
            };
            end = start + line.len();
            last_line = Some(line);
            if link.seq <= HIGHEST {
                self.seq = self.seq.max(link.seq);
            }
            self.keyed = Seals::follow(self.keyed, link.seq, json_of(line));
            self.began_at = self.began_at.or_else(|| at(line));
            if heads.each().any(|head| head.seq == link.seq) {
                self.noted.insert(link.seq, Hash::of(line));
            }
        }
        if let Some(line) = last_line {
            self.hash = Some(Hash::of(line));
            self.last_at = at(line);
        }
        if is_last {
            self.length = end as u64;
            self.rest = bytes[end..].to_vec();
        }
    }

    /// Whether record `seq` is there, or should be, and is another.
    fn differs(&self, seq: u64, hash: &str) -> bool {
        seq <= self.seq
            && self
                .noted
                .get(&seq)
                .is_none_or(|found| found.as_str() != hash)
    }
}

#[derive(Deserialize)]
struct At {
    at: Timestamp,
}

fn at(line: &[u8]) -> Option<Timestamp> {
    serde_json::from_slice::<At>(&line[HEAD..])
        .ok()
        .map(|record| record.at)
}

/// What the last record about the log's keys in these segments tells of them. It is nearly always
/// in the last of them. One about old records that were moved out tells of the key where they
/// ended, and seals may stand before it.
fn last_keyed(folder: &Path, numbers: &[u32]) -> Result<Option<Keyed>, StoreError> {
    let mut at_the_cut = None;
    for number in numbers.iter().rev() {
        let bytes = segments::read(folder, *number)?;
        let mut newest = None;
        for (_, line) in Lines::of(&bytes).filter(|(_, line)| is_marked(json_of(line))) {
            let Some(Link { seq, .. }) = Link::of(&line[HEAD..]) else {
                continue;
            };
            if Checkpoint::of(json_of(line)).is_some() {
                at_the_cut = Seals::follow(at_the_cut, seq, json_of(line));
            } else {
                newest = Seals::follow(newest, seq, json_of(line));
            }
        }
        if newest.is_some() {
            return Ok(newest);
        }
    }
    Ok(at_the_cut)
}

/// The index of the newest segment that begins at or before the record `noted`, and is not without
/// any record.
fn first_to_read(folder: &Path, numbers: &[u32], noted: Option<u64>) -> Result<usize, StoreError> {
    let noted = noted.unwrap_or(u64::MAX);
    for (index, number) in numbers.iter().enumerate().rev() {
        if first_record(folder, *number)?.is_some_and(|first| first <= noted) {
            return Ok(index);
        }
    }
    Ok(0)
}

/// The highest number of a record near the end of a segment. It is less than that of the next
/// segment's first record, unless somebody has put other lines there.
fn highest_at_the_end(folder: &Path, number: u32) -> Result<u64, StoreError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(segments::path(folder, number))?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(StoreError::unreadable)?;
    let numbers = Lines::of(&bytes)
        .filter_map(|(_, line)| Link::of(&line[HEAD..]))
        .map(|link| link.seq);
    Ok(numbers.filter(|seq| *seq <= HIGHEST).max().unwrap_or(0))
}

/// The number of a segment's first record, if it begins like one.
pub(super) fn first_record(folder: &Path, number: u32) -> Result<Option<u64>, StoreError> {
    let mut beginning = Vec::new();
    let file = File::open(segments::path(folder, number)).map_err(StoreError::unreadable)?;
    file.take(256)
        .read_to_end(&mut beginning)
        .map_err(StoreError::unreadable)?;
    Ok(beginning
        .get(HEAD..)
        .and_then(Link::of)
        .map(|link| link.seq))
}

/// Copies `rest` beside the segment, then cuts it off there.
fn move_aside(folder: &Path, number: u32, length: u64, rest: &[u8]) -> Result<Torn, StoreError> {
    let move_aside = || -> io::Result<()> {
        let mut copy = new_copy(folder, number)?;
        copy.write_all(rest)?;
        copy.sync_all()?;
        segments::sync_folder(folder)?;
        let segment = OpenOptions::new()
            .write(true)
            .open(segments::path(folder, number))?;
        segment.set_len(length)?;
        segment.sync_all()
    };
    move_aside().map_err(StoreError::unwritable)?;
    Ok(Torn {
        bytes: rest.len() as u64,
        sha256: Hash::of(rest).as_str().to_owned(),
    })
}

fn new_copy(folder: &Path, number: u32) -> io::Result<File> {
    let mut copies = 1_u32..;
    loop {
        let copy = copies.next().ok_or(io::ErrorKind::AlreadyExists)?;
        let path = folder.join(format!("{}.torn-{copy}", segments::name(number)));
        match crate::folder::private().create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => return other,
        }
    }
}
