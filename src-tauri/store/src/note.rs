//! `host.json` in the data folder: how another program of this user reaches the host that has the
//! folder open.
//!
//! Always true here:
//! - only the host that holds the folder's lock writes it, and it goes before the lock is let go of;
//! - what a dead host left goes, with its socket, before the next one does anything else: whoever
//!   followed it could meet a stranger;
//! - nobody but its owner can read it.

use serde::{Deserialize, Serialize};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The name of the note in the data folder.
const FILE: &str = "host.json";

/// The name of the socket in the data folder, where its path is short enough for one.
const SOCKET: &str = "host.socket";

/// What another program of the same user needs to reach a running host.
#[derive(Clone, Serialize, Deserialize)]
pub struct Note {
    /// Where it listens.
    pub door: Door,
    /// Needed for every request. The host proves with it, too, that it wrote this note.
    pub token: String,
    /// Needed, besides, by a command that says yes by itself; it answers no question. Absent while
    /// a window runs.
    pub unattended_token: Option<String>,
    /// Needed, besides, to answer questions from a terminal. Absent while a window runs, and where
    /// the token for answers lies in a file that the person named.
    pub terminal_token: Option<String>,
}

/// Where a host listens for programs of its user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Door {
    /// A Unix socket, seen from the data folder.
    Socket(PathBuf),
    /// A named pipe of Windows, by its whole name.
    Pipe(String),
}

impl Note {
    /// The note in a data folder; `None` if there is none, or none that is understood.
    pub fn read(data_dir: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(data_dir.join(FILE)).ok()?).ok()
    }
}

impl Door {
    /// The socket in the data folder.
    pub fn in_data_folder() -> Self {
        Self::Socket(SOCKET.into())
    }
}

/// Takes away what the last holder of a folder's lock left for others to find it by.
pub(crate) fn clear(data_dir: &Path) -> io::Result<()> {
    let door = Note::read(data_dir).map(|note| note.door);
    gone(std::fs::remove_file(data_dir.join(FILE)))?;
    // One that died before it wrote its note left this.
    remove_socket(&data_dir.join(SOCKET))?;
    if let Some(Door::Socket(path)) = door
        && is_of_a_host(&path)
    {
        remove_socket(&path)?;
        if let Some(folder) = path.parent() {
            // It was made for this socket. If it holds something else by now, it stays.
            let _ = std::fs::remove_dir(folder);
        }
    }
    Ok(())
}

/// Whether a socket lies where a host makes one whose data folder has too long a path. A note that
/// somebody else has written may name any other.
fn is_of_a_host(path: &Path) -> bool {
    let name = |path: &Path| path.file_name()?.to_str().map(str::to_owned);
    let folder = path.parent().and_then(name);
    path.is_absolute()
        && name(path).as_deref() == Some("socket")
        && folder.is_some_and(|folder| folder.starts_with("majordomo-"))
}

/// Removes a socket; whatever else has its name stays.
fn remove_socket(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if std::fs::symlink_metadata(path)
        .is_ok_and(|found| std::os::unix::fs::FileTypeExt::is_socket(&found.file_type()))
    {
        return gone(std::fs::remove_file(path));
    }
    let _ = path;
    Ok(())
}

/// Gone already is as good as removed.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// The note of a host that holds its folder's lock.
pub(crate) struct OwnNote {
    data_dir: PathBuf,
    /// Whether the lock is held. Kept while the file is written or removed, so that no other
    /// host's note is.
    holds: Mutex<bool>,
}

impl OwnNote {
    /// For a folder whose lock is held.
    pub(crate) fn new(data_dir: PathBuf) -> Self {
        Self {
            data_dir,
            holds: Mutex::new(true),
        }
    }

    /// Writes it. Fails if it cannot be written, and once the folder is let go of.
    pub(crate) fn leave(&self, note: &Note) -> io::Result<()> {
        let holds = self.holds.lock().unwrap_or_else(PoisonError::into_inner);
        if !*holds {
            return Err(io::Error::other("the host has closed its data folder"));
        }
        let text = serde_json::to_string(note).map_err(io::Error::other)?;
        write_private(&self.data_dir.join(FILE), &text)
    }

    /// Takes it away, with the socket that it names.
    pub(crate) fn take_away(&self) {
        let holds = self.holds.lock().unwrap_or_else(PoisonError::into_inner);
        if *holds {
            self.clear();
        }
    }

    /// Takes it away for good: the lock is about to be let go of.
    pub(crate) fn close(&self) {
        let mut holds = self.holds.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut holds, false) {
            self.clear();
        }
    }

    fn clear(&self) {
        if let Err(error) = clear(&self.data_dir) {
            tracing::warn!(%error, "the note of how to reach this host could not be taken away");
        }
    }
}

/// Writes a file that nobody but its owner can read, whole or not at all.
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension("new");
    // A left-over may have other permissions; a fresh file has ours from its first byte.
    gone(std::fs::remove_file(&beside))?;
    let mut file = crate::folder::private().create_new(true).open(&beside)?;
    file.write_all(text.as_bytes())?;
    std::fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(door: Door) -> Note {
        Note {
            door,
            token: "t".into(),
            unattended_token: None,
            terminal_token: None,
        }
    }

    #[test]
    fn a_host_that_has_let_go_of_its_folder_touches_no_note() {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (
            OwnNote::new(dir.path().into()),
            OwnNote::new(dir.path().into()),
        );
        first.leave(&note(Door::in_data_folder())).unwrap();
        first.close();
        assert!(Note::read(dir.path()).is_none());
        second.leave(&note(Door::in_data_folder())).unwrap();
        first.take_away();
        first.close();
        assert!(Note::read(dir.path()).is_some());
        assert!(first.leave(&note(Door::in_data_folder())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn with_a_note_its_socket_goes_and_nothing_else() {
        use std::os::unix::net::UnixListener;
        let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = elsewhere.path().join("majordomo-1");
        std::fs::create_dir(&folder).unwrap();
        let (near, far) = (dir.path().join(SOCKET), folder.join("socket"));
        for path in [&near, &far] {
            UnixListener::bind(path).unwrap();
        }
        let own = OwnNote::new(dir.path().into());
        own.leave(&note(Door::Socket(far.clone()))).unwrap();
        own.take_away();
        assert!(!near.exists() && !folder.exists());

        let file = elsewhere.path().join("file");
        std::fs::write(&file, "somebody's").unwrap();
        own.leave(&note(Door::Socket(file.clone()))).unwrap();
        own.take_away();
        assert!(file.exists());
    }
}
