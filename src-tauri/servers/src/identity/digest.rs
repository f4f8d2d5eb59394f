//! The SHA-256 of files, read in pieces, and kept for as long as the file has the same stamp.

mod stamp;

use crate::clock::Clock;
use protocol::{Timestamp, UnreadReason};
use sha2::{Digest, Sha256};
use stamp::Stamp;
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Larger files are not read. The largest programs of servers are a tenth of it.
const LARGEST: u64 = 2 << 30;
/// How much of a file is in memory at a time.
const PIECE: usize = 256 << 10;
/// How many digests are kept. A person has some dozens of servers, some of hundreds of files.
const KEPT: usize = 8192;

static DIGESTS: Mutex<Option<HashMap<PathBuf, (Stamp, String)>>> = Mutex::new(None);

/// The digest of a regular file, in hexadecimal digits.
pub(super) fn of_file(path: &Path) -> Result<String, UnreadReason> {
    of_file_at(path, Clock::System.now())
}

fn of_file_at(path: &Path, now: Timestamp) -> Result<String, UnreadReason> {
    let unreadable = |_| UnreadReason::Unreadable;
    // Opening a pipe or a device could wait for ever.
    if !path.metadata().map_err(unreadable)?.is_file() {
        return Err(UnreadReason::Unreadable);
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let before = file.metadata().map_err(unreadable)?;
    if let Some(digest) = stored_digest(path, &before) {
        return Ok(digest);
    }
    if before.len() > LARGEST {
        return Err(UnreadReason::TooLarge);
    }
    let digest = read(&mut file, before.len())?;
    if Stamp::of(&file.metadata().map_err(unreadable)?) != Stamp::of(&before) {
        return Err(UnreadReason::Changing);
    }
    keep(path, Stamp::of(&before), now, &digest);
    Ok(digest)
}

/// The digest of a text, in hexadecimal digits.
pub(super) fn of_text(text: &str) -> String {
    hexadecimal(Sha256::digest(text.as_bytes()).as_slice())
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file of text that is not larger than `largest` bytes.
pub(super) fn text(path: &Path, largest: u64) -> Result<String, UnreadReason> {
    let unreadable = |_| UnreadReason::Unreadable;
    if !path.metadata().map_err(unreadable)?.is_file() {
        return Err(UnreadReason::Unreadable);
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(largest + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() as u64 > largest {
        return Err(UnreadReason::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| UnreadReason::Malformed)
}

fn read(file: &mut File, length: u64) -> Result<String, UnreadReason> {
    let mut hasher = Sha256::new();
    let mut piece = vec![0; PIECE];
    // A file that grows while it is read must not keep us for ever.
    let mut rest = file.take(length + 1);
    loop {
        match rest.read(&mut piece) {
            Ok(0) => return Ok(hexadecimal(hasher.finalize().as_slice())),
            Ok(count) => hasher.update(&piece[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return Err(UnreadReason::Unreadable),
        }
    }
}

fn stored_digest(path: &Path, metadata: &Metadata) -> Option<String> {
    let digests = DIGESTS.lock().ok()?;
    let (stamp, digest) = digests.as_ref()?.get(path)?;
    (*stamp == Stamp::of(metadata)).then(|| digest.clone())
}

fn keep(path: &Path, stamp: Stamp, now: Timestamp, digest: &str) {
    if !stamp.is_settled(now) {
        return;
    }
    // A poisoned lock only means that it is read again.
    let Ok(mut digests) = DIGESTS.lock() else {
        return;
    };
    let digests = digests.get_or_insert_default();
    if digests.len() >= KEPT {
        digests.clear();
    }
    digests.insert(path.to_owned(), (stamp, digest.to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::write;

    /// What is kept for a file now, when it was read at the time `now`.
    fn kept_at(path: &Path, now: Timestamp) -> Option<String> {
        of_file_at(path, now).unwrap();
        stored_digest(path, &path.metadata().unwrap())
    }

    #[test]
    fn a_file_that_has_not_changed_for_a_while_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write(&file, "abc").unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of_file(&file).as_deref(), Ok(abc));
        // It was only just written, and could be written again without another time.
        assert_eq!(kept_at(&file, Timestamp(0)), None);
        assert_eq!(kept_at(&file, Timestamp(i64::MAX)).as_deref(), Some(abc));
        write(&file, "other").unwrap();
        assert_eq!(stored_digest(&file, &file.metadata().unwrap()), None);
        assert_ne!(of_file(&file).as_deref(), Ok(abc));
    }
}
