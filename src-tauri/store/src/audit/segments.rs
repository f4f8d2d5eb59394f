//! The files of the log: `000001.log`, `000002.log`, … in a folder of their own. Other files in it
//! are passed over.

use super::chain;
use crate::StoreError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the log in the data folder.
pub(crate) const FOLDER: &str = "audit";

/// The folder of the segments in a data folder.
pub fn log_dir(dir: &Path) -> PathBuf {
    dir.join(FOLDER)
}

/// A segment that has reached this length, in bytes, is not appended to any more.
pub(crate) const FULL: u64 = 8 * 1024 * 1024;

/// The highest number that a segment's name has room for.
const HIGHEST: u32 = 999_999;

/// The name of a segment.
pub(crate) fn name(number: u32) -> String {
    format!("{number:06}.log")
}

/// The path of a segment.
pub(crate) fn path(folder: &Path, number: u32) -> PathBuf {
    folder.join(name(number))
}

/// The folder beside the segments of a log for those that were moved out of it.
pub(crate) fn archive(folder: &Path) -> PathBuf {
    folder.join("archive")
}

/// The numbers of the segments that are there, in order. No folder is no segments.
pub(crate) fn list(folder: &Path) -> Result<Vec<u32>, StoreError> {
    let files = match fs::read_dir(folder) {
        Ok(files) => files,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::unreadable(error)),
    };
    let mut numbers = Vec::new();
    for file in files {
        let file = file.map_err(StoreError::unreadable)?;
        numbers.extend(file.file_name().to_str().and_then(number));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// The numbers of the segments before `number` that are in the archive of a log, in order.
pub(crate) fn archived(folder: &Path, number: u32) -> Result<Vec<u32>, StoreError> {
    let mut numbers = list(&archive(folder))?;
    numbers.retain(|found| *found < number);
    Ok(numbers)
}

/// A whole segment.
pub(crate) fn read(folder: &Path, number: u32) -> Result<Vec<u8>, StoreError> {
    fs::read(path(folder, number))
        .map_err(|error| StoreError::unreadable(format!("{}: {error}", name(number))))
}

/// Makes the names in a folder outlast a loss of power. Where the system has no such thing it does
/// it by itself.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        fs::File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

fn number(file: &str) -> Option<u32> {
    let number = file.strip_suffix(".log")?.parse().ok()?;
    ((1..=HIGHEST).contains(&number) && name(number) == file).then_some(number)
}

/// The whole records in a segment's bytes, each with where it begins; what is not one is passed
/// over up to the next newline.
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(rest) = self.bytes.get(self.place..).filter(|rest| !rest.is_empty()) {
            let start = self.place;
            match chain::line(rest) {
                Ok(line) => {
                    self.place += line.len();
                    return Some((start, line));
                }
                Err(_) => {
                    self.place += rest
                        .iter()
                        .position(|byte| *byte == b'\n')
                        .map_or(rest.len(), |newline| newline + 1)
                }
            }
        }
        None
    }
}
