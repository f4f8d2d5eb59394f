//! A file of another application: read whole, and written so that nobody ever sees half of it and
//! nothing is lost that somebody else writes at the same time.

use crate::import::text::MAX_BYTES;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileText {
    /// Where it really lies, links followed.
    pub real: PathBuf,
    /// What it holds; none if there is no file yet.
    pub text: Option<String>,
}

/// Why a file was not written.
#[derive(Debug)]
pub(super) enum WriteError {
    /// It does not hold what it held when it was read.
    Changed,
    /// The sentence says why.
    Failed(String),
    /// It was changed at the very moment of writing, and what was written to it lies in another
    /// file now.
    #[cfg_attr(
        not(any(target_os = "linux", target_os = "macos")),
        expect(dead_code, reason = "elsewhere two files do not change places at once")
    )]
    Beside(PathBuf),
}

impl From<io::Error> for WriteError {
    fn from(problem: io::Error) -> Self {
        Self::Failed(problem.to_string())
    }
}

/// Where a path really leads. Fails for a link that leads nowhere.
pub(super) fn real(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(_) => path.canonicalize(),
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => {
            // What is made lies where its folder really is, as far as that is there.
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
                return Err(problem);
            };
            Ok(real(folder)?.join(name))
        }
        Err(problem) => Err(problem),
    }
}

/// Reads a file whole.
///
/// # Errors
/// A sentence, for what is no file, not text, too long, or may not be read.
pub(super) fn read(path: &Path) -> Result<FileText, String> {
    let real = real(path).map_err(|problem| format!("it cannot be read: {problem}"))?;
    let text = match fs::metadata(&real) {
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => None,
        Err(problem) => return Err(format!("it cannot be read: {problem}")),
        Ok(_) => Some(crate::import::file::read(&real)?),
    };
    Ok(FileText { real, text })
}

/// Whether a file can be written at all, before anybody is asked.
///
/// # Errors
/// A sentence.
pub(super) fn writable(file: &FileText) -> Result<(), String> {
    match fs::metadata(&file.real) {
        Ok(about) => kept(&about),
        Err(_) => Ok(()),
    }
}

/// What is not taken from a file by writing it anew.
fn kept(about: &Metadata) -> Result<(), String> {
    if !about.is_file() {
        return Err("it is not a file".into());
    }
    if about.permissions().readonly() {
        return Err("it is read-only".into());
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(about) > 1 {
        return Err("it has a second name, which would not follow".into());
    }
    Ok(())
}

/// Writes a file, if it still holds what it held when it was read.
pub(super) fn write(file: &FileText, after: &str) -> Result<(), WriteError> {
    let folder = file.real.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    let beside = beside(&file.real);
    let written =
        write_beside(&beside, &file.real, after.as_bytes()).and_then(|()| exchange(&beside, file));
    if !matches!(written, Err(WriteError::Beside(_))) {
        // What is left there is what the file held before, or never came to be it.
        let _ = fs::remove_file(&beside);
    }
    written?;
    sync(folder);
    Ok(())
}

/// Takes a file away, if it still holds what it held when it was read.
pub(super) fn remove(file: &FileText) -> Result<(), WriteError> {
    holds(&file.real, file.text.as_deref())?;
    fs::remove_file(&file.real)?;
    if let Some(folder) = file.real.parent() {
        sync(folder);
    }
    Ok(())
}

/// Where a file is written before it takes its place.
fn beside(real: &Path) -> PathBuf {
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    real.with_file_name(format!(".{name}.majordomo"))
}

fn write_beside(beside: &Path, real: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    // One that a crash has left may be somebody else's by now; a fresh file is ours.
    match fs::remove_file(beside) {
        Err(problem) if problem.kind() != io::ErrorKind::NotFound => return Err(problem.into()),
        _ => {}
    }
    let mut file = store::folder::private().create_new(true).open(beside)?;
    file.write_all(bytes)?;
    if let Ok(about) = fs::metadata(real) {
        kept(&about).map_err(WriteError::Failed)?;
        take_over(&file, &about)?;
    }
    file.sync_all()?;
    Ok(())
}

/// Gives a new file the owner and the rights of the one whose place it takes.
fn take_over(file: &File, about: &Metadata) -> Result<(), WriteError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (about.uid(), about.gid()) {
            fchown(file, Some(about.uid()), Some(about.gid()))
                .map_err(|_| WriteError::Failed("it belongs to somebody else".into()))?;
        }
    }
    file.set_permissions(about.permissions())?;
    Ok(())
}

/// Puts the new file in its place. Where the system can, the two change places at once, so that
/// what was there can still be looked at, and come back if it was something else.
fn exchange(beside: &Path, file: &FileText) -> Result<(), WriteError> {
    let before = file.text.as_deref();
    holds(&file.real, before)?;
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        let flags = if before.is_some() {
            RenameFlags::EXCHANGE
        } else {
            RenameFlags::NOREPLACE
        };
        match renameat_with(CWD, beside, CWD, &file.real, flags) {
            Ok(()) if before.is_none() => return Ok(()),
            Ok(()) => {
                let Err(changed) = holds(beside, before) else {
                    return Ok(());
                };
                return match renameat_with(CWD, beside, CWD, &file.real, flags) {
                    Ok(()) => Err(changed),
                    Err(_) => Err(WriteError::Beside(beside.to_owned())),
                };
            }
            Err(rustix::io::Errno::EXIST | rustix::io::Errno::NOENT) => {
                return Err(WriteError::Changed);
            }
            // This file system cannot.
            Err(
                rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP,
            ) => {}
            Err(problem) => return Err(io::Error::from(problem).into()),
        }
    }
    fs::rename(beside, &file.real)?;
    Ok(())
}

/// Fails with [`WriteError::Changed`] where a file does not hold this.
fn holds(path: &Path, text: Option<&str>) -> Result<(), WriteError> {
    let there = match File::open(path) {
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => None,
        Err(problem) => return Err(problem.into()),
        Ok(file) => {
            let mut bytes = Vec::new();
            file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
            Some(bytes)
        }
    };
    if there.as_deref() == text.map(str::as_bytes) {
        Ok(())
    } else {
        Err(WriteError::Changed)
    }
}

/// Has a folder keep what happened in it. Where that cannot be, the file is whole all the same.
fn sync(folder: &Path) {
    #[cfg(unix)]
    if let Err(problem) = File::open(folder).and_then(|folder| folder.sync_all()) {
        tracing::debug!(%problem, "a folder could not be synced");
    }
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_file_keeps_its_rights_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mcp.json");
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&read(&path).unwrap(), "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o640);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_somebody_else_wrote_meanwhile_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mcp.json");
        let before = read(&path).unwrap();
        fs::write(&path, "theirs").unwrap();
        for file in [
            before,
            FileText {
                text: Some("one".into()),
                ..read(&path).unwrap()
            },
        ] {
            assert!(matches!(write(&file, "ours"), Err(WriteError::Changed)));
            assert!(matches!(remove(&file), Err(WriteError::Changed)));
            assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_must_not_be_replaced_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mcp.json");
        fs::write(&path, "one").unwrap();
        fs::hard_link(&path, dir.path().join("second")).unwrap();
        assert!(
            writable(&read(&path).unwrap())
                .unwrap_err()
                .contains("second name")
        );
        fs::remove_file(dir.path().join("second")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let file = read(&path).unwrap();
        assert!(writable(&file).unwrap_err().contains("read-only"));
        assert!(matches!(write(&file, "ours"), Err(WriteError::Failed(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    }
}
