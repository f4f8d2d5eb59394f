//! The data folder and the lock that keeps a second host out of it.
//!
//! Always true here: on Unix, what the program keeps is for nobody but this user, whoever made it
//! and when. New files are opened through [`private`]; what is there from before is made tight by
//! [`tighten`] when the folder is opened.

use crate::StoreError;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::path::Path;

const LOCK: &str = "lock";
/// Files of the program at the top of a data folder: the lock, the database with what SQLite keeps
/// beside it, and how a running host is reached. Something else may lie there, and is not ours.
#[cfg(unix)]
const FILES: [&str; 7] = [
    LOCK,
    crate::db::FILE,
    "majordomo.db-wal",
    "majordomo.db-shm",
    "majordomo.db-journal",
    "host.json",
    "host.new",
];
/// Folders of the program in a data folder, which hold nothing else: the log with its archive,
/// whole answers, copies of other applications' files, and locks of accounts.
#[cfg(unix)]
const FOLDERS: [&str; 4] = [
    crate::audit::SEGMENTS,
    crate::full_results::FOLDER,
    crate::backups::FOLDER,
    "sign-in",
];

/// The folder of the homes of servers. What is in a home is its server's.
pub const HOMES: &str = "homes";

/// The folder in which it is noted what was downloaded for each server.
pub const DOWNLOADS: &str = "downloads";

/// How a file in the data folder is opened for writing: one that is made by that is for nobody but
/// this user.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a folder, and those above it, for nobody but this user. One that is there stays as it is.
pub fn make(path: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Takes from everybody else what others may do with the folder, and with what the program keeps in
/// it. Fails with the first thing that stays open to others, such as one that belongs to somebody
/// else.
#[cfg(unix)]
pub(crate) fn tighten(dir: &Path) -> Result<(), StoreError> {
    // The folder itself, also where a link leads to it.
    let dir = &dir.canonicalize().map_err(StoreError::of_folder)?;
    unix::tighten_one(dir)?;
    for file in FILES {
        unix::tighten_one(&dir.join(file))?;
    }
    for folder in FOLDERS {
        unix::tighten_all(&dir.join(folder))?;
    }
    for folder in [HOMES, DOWNLOADS] {
        unix::tighten_with_children(&dir.join(folder))?;
    }
    Ok(())
}

/// Windows keeps a person's folders from others by itself.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same door as on Unix")]
pub(crate) fn tighten(_dir: &Path) -> Result<(), StoreError> {
    Ok(())
}

/// Takes the lock of a data folder. It is given back when the file is closed, even if the process
/// is killed.
pub(crate) fn lock(dir: &Path) -> Result<File, StoreError> {
    let file = private()
        .create(true)
        .truncate(false)
        .open(dir.join(LOCK))
        .map_err(StoreError::of_folder)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::AlreadyOpen {
            dir: dir.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(StoreError::of_folder(error)),
    }
}

#[cfg(unix)]
mod unix {
    use crate::StoreError;
    use std::fs::{self, Permissions};
    use std::io;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    /// What others than the owner may do.
    const OTHERS: u32 = 0o077;

    /// A folder with all that is in it.
    pub(super) fn tighten_all(folder: &Path) -> Result<(), StoreError> {
        tighten_one(folder)?;
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(StoreError::of_folder)?,
        };
        for entry in entries {
            let entry = entry.map_err(StoreError::of_folder)?;
            // A link leads to what is not ours.
            if entry.file_type().map_err(StoreError::of_folder)?.is_dir() {
                tighten_all(&entry.path())?;
            } else {
                tighten_one(&entry.path())?;
            }
        }
        Ok(())
    }

    /// A folder, and what lies right in it. Deeper nobody else comes then.
    pub(super) fn tighten_with_children(folder: &Path) -> Result<(), StoreError> {
        tighten_one(folder)?;
        let Ok(entries) = fs::read_dir(folder) else {
            // It is not there, or nobody can look into it.
            return Ok(());
        };
        for entry in entries {
            tighten_one(&entry.map_err(StoreError::of_folder)?.path())?;
        }
        Ok(())
    }

    /// One file or folder, if it is there and others may do anything with it. The owner's own
    /// rights stay: what is read-only stays so.
    pub(super) fn tighten_one(path: &Path) -> Result<(), StoreError> {
        let open = |error: io::Error| StoreError::NotPrivate {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let about = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            about => about.map_err(open)?,
        };
        let mode = about.permissions().mode() & 0o7777;
        if about.is_symlink() || mode & OTHERS == 0 {
            return Ok(());
        }
        fs::set_permissions(path, Permissions::from_mode(mode & !OTHERS)).map_err(open)?;
        // Some file systems know no rights, and say nothing.
        let left = fs::metadata(path).map_err(open)?.permissions().mode();
        if left & OTHERS == 0 {
            Ok(())
        } else {
            Err(open(io::Error::other("the file system keeps no rights")))
        }
    }
}
