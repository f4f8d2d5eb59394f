//! Which file a command is. What is shown before a first run and what is run come from here.

use std::env::current_dir;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Why a command is no file that can be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// There is no such file, or none of this name in PATH.
    #[error("not found")]
    NotFound,
    /// It is there, and may not be executed.
    #[error("{} cannot be executed", .0.display())]
    NotExecutable(PathBuf),
}

/// Finds the file of a command: a path, or a name that is looked up in `path` (on Windows with the
/// endings of programs, such as `.cmd`). The answer is absolute; links are not followed, so that a
/// program sees the name it was called by.
pub fn resolve(command: &str, path: Option<&OsStr>) -> Result<PathBuf, ResolveError> {
    if command.is_empty() {
        return Err(ResolveError::NotFound);
    }
    let here = current_dir().unwrap_or_default();
    match which::which_in(command, path, &here) {
        Ok(found) => std::path::absolute(found).map_err(|_| ResolveError::NotFound),
        Err(_) => Err(candidates(command, path)
            .into_iter()
            .find(|file| file.is_file())
            .map_or(ResolveError::NotFound, ResolveError::NotExecutable)),
    }
}

fn candidates(command: &str, path: Option<&OsStr>) -> Vec<PathBuf> {
    if Path::new(command).components().count() > 1 {
        return vec![PathBuf::from(command)];
    }
    path.map(|path| {
        std::env::split_paths(path)
            .map(|folder| folder.join(command))
            .collect()
    })
    .unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_command_is_found_by_path_and_by_name_and_a_plain_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = Some(folder.path().as_os_str());
        let tool = folder.path().join("tool");
        write(&tool, "#!/bin/sh\n").unwrap();
        assert_eq!(
            resolve("tool", path),
            Err(ResolveError::NotExecutable(tool.clone()))
        );
        assert_eq!(
            resolve(tool.to_str().unwrap(), None),
            Err(ResolveError::NotExecutable(tool.clone()))
        );
        set_permissions(&tool, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(resolve("tool", path), Ok(tool.clone()));
        assert_eq!(resolve(tool.to_str().unwrap(), None), Ok(tool));
        assert_eq!(resolve("no-such-tool", path), Err(ResolveError::NotFound));
        assert_eq!(resolve("", path), Err(ResolveError::NotFound));
    }
}
