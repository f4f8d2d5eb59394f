//! The seals of what was moved out of the log: they show that the key with which the rest is signed
//! comes of the first one.
//!
//! Always true here:
//! - the seals vouch for themselves: each is signed with the key that the one before it names, the
//!   first with the first key of the row;
//! - a file of them lies beside the log before a record says that the log begins behind them, and
//!   is never changed.

use super::chain::{Hash, Link, json_of};
use super::compact::Checkpoint;
use super::record::{Entry, Event};
use super::seals::{Keyed, Seals, is_marked};
use super::segments::{self, Lines};
use crate::StoreError;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// The name of the file with the seals before segment `number`.
pub(super) fn name(number: u32) -> String {
    format!("{number:06}.seals")
}

/// The seals before segment `number`, as lines of the log. No file is no seals.
pub(super) fn read(folder: &Path, number: u32) -> Result<Vec<u8>, StoreError> {
    match fs::read(folder.join(name(number))) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(StoreError::unreadable(format!("{}: {error}", name(number)))),
    }
}

/// Adds the seals of a segment to `row`. A new first key begins a new row.
pub(super) fn add(row: &mut Vec<u8>, segment: &[u8]) {
    for (_, line) in Lines::of(segment).filter(|(_, line)| is_marked(json_of(line))) {
        match Entry::read(json_of(line)).map(|entry| entry.event) {
            Ok(Event::LogKeyed { .. }) => row.clear(),
            Ok(Event::LogSealed { .. }) => row.extend_from_slice(line),
            _ => {}
        }
    }
}

/// Brings the seals before segment `number` to the disk.
pub(super) fn write(folder: &Path, number: u32, row: &[u8]) -> io::Result<()> {
    let (new, path) = (
        folder.join(format!("{}.new", name(number))),
        folder.join(name(number)),
    );
    let mut file = crate::folder::private()
        .create(true)
        .truncate(true)
        .open(&new)?;
    file.write_all(row)?;
    file.sync_all()?;
    fs::rename(new, path)?;
    segments::sync_folder(folder)
}

/// Removes the seals of earlier beginnings than segment `number`: those before it hold them, too.
pub(super) fn remove_before(folder: &Path, number: u32) -> io::Result<()> {
    for file in fs::read_dir(folder)? {
        let file = file?;
        let found = file
            .file_name()
            .to_str()
            .and_then(|name| name.strip_suffix(".seals")?.parse::<u32>().ok());
        if found.is_some_and(|found| found < number) {
            fs::remove_file(file.path())?;
        }
    }
    Ok(())
}

/// Whether `row` shows that the checkpoint names the key that signs there. Where it names none
/// there is nothing to show: what follows is not called signed before a first key is introduced.
pub(super) fn proves(row: &[u8], checkpoint: &Checkpoint) -> bool {
    let Some(keyed) = checkpoint.keyed else {
        return row.is_empty();
    };
    let mut seals = Seals {
        keyed: Some(Keyed {
            key: keyed.root,
            sealed: 0,
            ..keyed
        }),
        roots: Vec::new(),
    };
    let (mut last, mut length) = (keyed.from, 0);
    for (_, line) in Lines::of(row) {
        let json = json_of(line);
        let Some(Link { seq, .. }) = Link::of(json) else {
            return false;
        };
        let is_next = last < seq && seq < checkpoint.first && seals.take(seq, json);
        // Only a seal, and none of another row, leads on.
        if !is_next
            || !seals
                .keyed
                .is_some_and(|found| found.root == keyed.root && found.sealed == seq)
        {
            return false;
        }
        // The log goes on right behind this seal, or the next one is over all that lies between.
        if seq + 1 == checkpoint.first && Hash::of(line) != checkpoint.hash {
            return false;
        }
        (last, length) = (seq, length + line.len());
    }
    length == row.len() && seals.keyed == Some(keyed)
}
