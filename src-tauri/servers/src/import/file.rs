//! Reads a file of another application: all of it or nothing, never more than is bearable, and
//! nothing that is no file.

use super::text::MAX_BYTES;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The text of a file, or in a sentence why there is none. Links are followed.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    // Opening a pipe would wait for somebody at its other end.
    let about =
        std::fs::metadata(path).map_err(|problem| format!("it cannot be read: {problem}"))?;
    if !about.is_file() {
        return Err("it is not a file".into());
    }
    let file = File::open(path).map_err(|problem| format!("it cannot be read: {problem}"))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|problem| format!("it cannot be read: {problem}"))?;
    if bytes.len() > MAX_BYTES {
        return Err("it is longer than 4 MiB".into());
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".into())
}
