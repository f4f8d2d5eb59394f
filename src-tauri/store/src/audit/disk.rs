//! The files that the log is written to, as far as writing goes. Tests put a disk in its place that
//! loses its power.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where segments lie.
pub(crate) trait Disk: Send + Sync {
    /// Opens a segment for writing behind its first `length` bytes; `new` if it must not be there
    /// yet.
    fn open(&self, path: &Path, new: bool, length: u64) -> io::Result<Arc<dyn Segment>>;
    /// Makes the names in a folder outlast a loss of power.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// One segment, open for writing at its end.
pub(crate) trait Segment: Send + Sync {
    /// Writes at the end; returns how much of it.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Forgets all behind the first `length` bytes.
    fn cut(&self, length: u64) -> io::Result<()>;
    /// Its length in bytes, and whether it was deleted from its folder, where it has this path.
    fn found(&self, path: &dyn Fn() -> PathBuf) -> io::Result<(u64, bool)>;
    /// Brings it to the disk.
    fn sync(&self) -> io::Result<()>;
}

/// The disk of the system.
pub(crate) struct System;

impl Disk for System {
    fn open(&self, path: &Path, new: bool, length: u64) -> io::Result<Arc<dyn Segment>> {
        let mut file = crate::folder::private()
            .create(true)
            .create_new(new)
            .truncate(false)
            .open(path)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(Arc::new(file))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        super::segments::sync_folder(folder)
    }
}

impl Segment for File {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = self;
        (&mut file).write(bytes)
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.set_len(length)?;
        let mut file = self;
        (&mut file).seek(SeekFrom::Start(length)).map(|_| ())
    }

    fn found(&self, path: &dyn Fn() -> PathBuf) -> io::Result<(u64, bool)> {
        #[cfg(target_os = "linux")]
        if let Some(found) = without_times(self) {
            return Ok(found);
        }
        let metadata = self.metadata()?;
        Ok((metadata.len(), is_deleted(&metadata, path)))
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Length, and whether it was deleted, where the system tells them alone. Once somebody has asked for
/// its times, too, the next `write` has to note a new one.
#[cfg(target_os = "linux")]
fn without_times(file: &File) -> Option<(u64, bool)> {
    use rustix::fs::{AtFlags, StatxFlags, statx};
    let wanted = StatxFlags::SIZE | StatxFlags::NLINK;
    let found = statx(file, c"", AtFlags::EMPTY_PATH, wanted).ok()?;
    let is_told = found.stx_mask & wanted.bits() == wanted.bits();
    is_told.then_some((found.stx_size, found.stx_nlink == 0))
}

#[cfg(unix)]
fn is_deleted(found: &std::fs::Metadata, _: &dyn Fn() -> PathBuf) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) == 0
}

#[cfg(not(unix))]
fn is_deleted(_: &std::fs::Metadata, path: &dyn Fn() -> PathBuf) -> bool {
    !path().exists()
}
