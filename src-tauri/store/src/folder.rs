//! The data folder and the lock that keeps a second host out of it.

use crate::StoreError;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::path::Path;

/// Makes a folder, and those above it, for nobody but this user. One that is there stays as it is.
pub(crate) fn make(path: &Path) -> Result<(), StoreError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(StoreError::of_folder)
}

/// Takes the lock of a data folder. It is given back when the file is closed, even if the process
/// is killed.
pub(crate) fn lock(dir: &Path) -> Result<File, StoreError> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(dir.join("lock"))
        .map_err(StoreError::of_folder)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::AlreadyOpen {
            dir: dir.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(StoreError::of_folder(error)),
    }
}
