//! What files of other applications held before they were written: copies in the data folder, for
//! the person.
//!
//! Always true here:
//! - a copy is for nobody but this user: such files hold secrets of others;
//! - it is there whole or not at all, and is never written over;
//! - all of them together stay below a number and a size. The oldest go first, and those that are
//!   still needed not at all.

use crate::{StoreError, folder};
use protocol::{CallerId, Timestamp};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The folder of all copies, in the data folder.
pub(crate) const FOLDER: &str = "backups";
/// Those of other applications in it.
const CLIENTS: &str = "clients";
/// How many there are at most, those that are needed left out.
const COUNT: usize = 100;
/// How much of the disk they take, those that are needed left out, in bytes.
const BYTES: u64 = 64 * 1024 * 1024;

/// The folder of copies.
#[derive(Debug, Clone)]
pub struct Backups {
    dir: PathBuf,
}

impl Backups {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            dir: data_dir.join(FOLDER).join(CLIENTS),
        }
    }

    /// Keeps what a file of an application held, and returns where. Those that are too many or too
    /// large go, but none of `needed`.
    pub async fn keep(
        &self,
        client: &CallerId,
        text: String,
        now: Timestamp,
        needed: Vec<PathBuf>,
    ) -> Result<PathBuf, StoreError> {
        let (here, folder) = (self.clone(), self.dir.join(client.as_str()));
        blocking(move || {
            folder::make(&folder)?;
            let path = write(&folder, &text, now)?;
            here.tidy(&needed, &path)?;
            Ok(path)
        })
        .await
    }

    /// What a copy holds. No file but a copy is read.
    pub async fn read(&self, path: PathBuf) -> Result<String, StoreError> {
        if !self.is_one(&path) {
            return Err(StoreError::of_folder(io::ErrorKind::NotFound.into()));
        }
        blocking(move || fs::read_to_string(path)).await
    }

    /// Lets a copy go that is not needed any more.
    pub async fn forget(&self, path: PathBuf) -> Result<(), StoreError> {
        if !self.is_one(&path) {
            return Ok(());
        }
        blocking(move || {
            fs::remove_file(&path)?;
            // Only one that is empty goes.
            let _ = path.parent().map(fs::remove_dir);
            Ok(())
        })
        .await
    }

    /// Whether a path is that of a copy: a file in a folder of a client.
    fn is_one(&self, path: &Path) -> bool {
        let of_client = path.parent().and_then(Path::parent) == Some(&self.dir);
        of_client && path.components().all(|part| part.as_os_str() != "..")
    }

    fn tidy(&self, needed: &[PathBuf], newest: &Path) -> io::Result<()> {
        let mut copies = Vec::new();
        for client in fs::read_dir(&self.dir)? {
            let client = client?;
            if !client.file_type()?.is_dir() {
                continue;
            }
            for copy in fs::read_dir(client.path())? {
                let path = copy?.path();
                if path != newest && !needed.contains(&path) {
                    copies.push((number(&path), fs::metadata(&path)?.len(), path));
                }
            }
        }
        copies.sort_by(|one, other| other.cmp(one));
        let mut bytes = 0;
        for (place, (_, size, path)) in copies.into_iter().enumerate() {
            bytes += size;
            // The newest is beside these.
            if place + 1 >= COUNT || bytes > BYTES {
                fs::remove_file(&path)?;
                let _ = path.parent().map(fs::remove_dir);
            }
        }
        Ok(())
    }
}

/// When a copy was made, by its name; what is not named so is the oldest.
fn number(path: &Path) -> i64 {
    let name = path.file_name().and_then(|name| name.to_str());
    name.and_then(|name| name.parse().ok()).unwrap_or_default()
}

/// Writes a copy under the time, or the first after it that is free.
fn write(folder: &Path, text: &str, now: Timestamp) -> io::Result<PathBuf> {
    let unfinished = folder.join("new");
    let mut file = folder::private()
        .create(true)
        .truncate(true)
        .open(&unfinished)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    let mut at = now.0;
    let path = loop {
        let path = folder.join(at.to_string());
        if !path.exists() {
            break path;
        }
        at += 1;
    };
    fs::rename(&unfinished, &path)?;
    Ok(path)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| StoreError::Closed)?
        .map_err(StoreError::of_folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::NOW;

    fn backups() -> (tempfile::TempDir, Backups, CallerId) {
        let folder = tempfile::tempdir().unwrap();
        let backups = Backups::new(folder.path());
        (folder, backups, "editor".parse().unwrap())
    }

    #[tokio::test]
    async fn a_copy_reads_back_for_nobody_else_and_none_is_written_over() {
        let (_folder, backups, client) = backups();
        let mut paths = Vec::new();
        for text in ["one\r\n", "two"] {
            let path = backups
                .keep(&client, text.into(), NOW, Vec::new())
                .await
                .unwrap();
            assert_eq!(backups.read(path.clone()).await.unwrap(), text);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let mode = fs::metadata(&path).unwrap().permissions().mode();
                assert_eq!(mode & 0o777, 0o600);
            }
            paths.push(path);
        }
        assert_ne!(paths[0], paths[1]);
        for path in paths {
            backups.forget(path).await.unwrap();
        }
        assert_eq!(fs::read_dir(&backups.dir).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn the_oldest_go_and_what_is_needed_stays() {
        let (_folder, backups, client) = backups();
        let mut kept = Vec::new();
        for at in 0..COUNT as i64 + 20 {
            let needed: Vec<_> = kept.iter().take(1).cloned().collect();
            let copy = backups.keep(&client, "x".into(), Timestamp(at), needed);
            kept.push(copy.await.unwrap());
        }
        let there: Vec<bool> = kept.iter().map(|path| path.exists()).collect();
        assert_eq!(there.iter().filter(|there| **there).count(), COUNT + 1);
        assert!(there[0] && !there[1] && there[kept.len() - 1]);
    }

    #[tokio::test]
    async fn no_other_file_is_read_or_taken_away() {
        let (folder, backups, client) = backups();
        let secret = folder.path().join("secret");
        fs::write(&secret, "x").unwrap();
        backups
            .keep(&client, "x".into(), NOW, Vec::new())
            .await
            .unwrap();
        for path in [
            secret.clone(),
            backups.dir.join("editor/../../../secret"),
            backups.dir.join("../../secret"),
        ] {
            assert!(backups.read(path.clone()).await.is_err());
            backups.forget(path).await.unwrap();
        }
        assert!(secret.exists());
    }
}
