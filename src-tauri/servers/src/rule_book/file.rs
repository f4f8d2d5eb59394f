//! The file in which an administrator writes rules.
//!
//! Always true here: a file that is there and cannot be relied upon is broken, never empty.

use policy::{AdministratorRules, RuleProblem};
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// Longest file, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// Where the file lies on this system. Only an administrator can write there, and nothing that a
/// person sets moves it.
pub fn system_file() -> Option<PathBuf> {
    folder().map(|folder| folder.join("policy.cedar"))
}

#[cfg(target_os = "macos")]
fn folder() -> Option<PathBuf> {
    Some(PathBuf::from("/Library/Application Support/Majordomo"))
}

#[cfg(all(unix, not(target_os = "macos")))]
fn folder() -> Option<PathBuf> {
    Some(PathBuf::from("/etc/majordomo"))
}

#[cfg(windows)]
fn folder() -> Option<PathBuf> {
    let known = known_folders::get_known_folder_path(known_folders::KnownFolder::ProgramData);
    Some(
        known
            .unwrap_or_else(|| PathBuf::from(r"C:\ProgramData"))
            .join("Majordomo"),
    )
}

/// Reads the file.
pub(super) fn read(path: &Path) -> AdministratorRules {
    let file = super::shown(path);
    match text(path) {
        Ok(text) => AdministratorRules {
            file,
            text,
            broken: None,
        },
        Err(problem) => {
            let broken = RuleProblem {
                place: file.clone(),
                line: None,
                column: None,
                problem,
            };
            AdministratorRules {
                file,
                text: None,
                broken: Some(broken),
            }
        }
    }
}

fn text(path: &Path) -> Result<Option<String>, String> {
    let file = match File::open(path) {
        Ok(file) => file,
        // A link that leads nowhere is a file that somebody has placed.
        Err(problem)
            if problem.kind() == ErrorKind::NotFound
                && std::fs::symlink_metadata(path).is_err() =>
        {
            return Ok(None);
        }
        Err(problem) => return Err(format!("it cannot be opened: {problem}")),
    };
    let about = file
        .metadata()
        .map_err(|problem| format!("it cannot be looked at: {problem}"))?;
    if !about.is_file() {
        return Err("it is not a file".to_owned());
    }
    check_owner(&about, "it")?;
    if let Some(folder) = path.parent() {
        let about = std::fs::metadata(folder)
            .map_err(|problem| format!("its folder cannot be looked at: {problem}"))?;
        check_owner(&about, "its folder")?;
    }
    let mut text = String::new();
    match file.take(LONGEST + 1).read_to_string(&mut text) {
        Ok(length) if length as u64 > LONGEST => Err(format!("it is longer than {LONGEST} bytes")),
        Ok(_) => Ok(Some(text)),
        Err(problem) => Err(format!("it cannot be read: {problem}")),
    }
}

/// Only whoever may make rules may have written it: the system's administrator, or who this program
/// runs as.
#[cfg(unix)]
fn check_owner(about: &Metadata, what: &str) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt as _;
    let own = rustix::process::geteuid().as_raw();
    if about.uid() != 0 && about.uid() != own {
        return Err(format!(
            "{what} belongs to somebody else than the administrator (user {})",
            about.uid()
        ));
    }
    if about.mode() & 0o022 != 0 {
        return Err(format!(
            "{what} can be written by others than its owner (mode {:o})",
            about.mode() & 0o7777
        ));
    }
    Ok(())
}

/// Who may write below the folder of all programs' data is the system's business.
#[cfg(not(unix))]
fn check_owner(_: &Metadata, _: &str) -> Result<(), String> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_file_that_others_can_write_is_broken_and_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("policy.cedar");
        assert_eq!(text(&path), Ok(None));
        std::fs::write(&path, "forbid(principal, action, resource);").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(text(&path).unwrap().is_some());

        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o664)).unwrap();
        assert_eq!(
            text(&path),
            Err("it can be written by others than its owner (mode 664)".to_owned())
        );
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(
            text(&path),
            Err("its folder can be written by others than its owner (mode 777)".to_owned())
        );
    }

    #[test]
    fn what_is_there_and_is_no_text_is_broken() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("policy.cedar");
        std::fs::create_dir(&path).unwrap();
        assert!(text(&path).is_err());
        std::fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink("nowhere", &path).unwrap();
        assert!(text(&path).is_err());
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(text(&path).is_err());
    }
}
