//! `host.json` in the data directory: how to reach the host that has it open. Readable by its owner
//! only.

use serde::{Deserialize, Serialize};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What another program of the same user needs to reach a running host.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Note {
    pub port: u16,
    /// Needed for every request.
    pub token: String,
    /// Needed, besides, to answer questions from a terminal; absent while a window runs.
    pub terminal_token: Option<String>,
}

pub(crate) fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("host.json")
}

pub(crate) fn read(data_dir: &Path) -> Option<Note> {
    serde_json::from_slice(&std::fs::read(path(data_dir)).ok()?).ok()
}

/// Takes the note away. Gone already is as good as removed.
pub(crate) fn remove(data_dir: &Path) {
    let _ = std::fs::remove_file(path(data_dir));
}

pub(crate) fn write(data_dir: &Path, note: &Note) -> io::Result<()> {
    let text = serde_json::to_string(note).map_err(io::Error::other)?;
    write_private(&path(data_dir), &text)
}

/// Writes a file that nobody but its owner can read, whole or not at all.
pub(crate) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension("new");
    // A left-over may have other permissions; a fresh file has ours from its first byte.
    if let Err(error) = std::fs::remove_file(&beside)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&beside)?.write_all(text.as_bytes())?;
    std::fs::rename(&beside, path)
}
