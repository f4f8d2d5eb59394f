//! Folders that the arguments of a command name. A server that is given one as an argument usually
//! is meant to use it.

use crate::confiner::Protected;
use api::ArgumentFolder;
use std::path::{Path, PathBuf};

/// Those that are there and that the server was not given, each once. What is protected, or holds
/// something that is, is not proposed.
pub(super) fn of(args: &[String], roots: &[String], protected: &Protected) -> Vec<ArgumentFolder> {
    let given: Vec<PathBuf> = roots.iter().map(|root| real(Path::new(root))).collect();
    let mut named: Vec<PathBuf> = Vec::new();
    let mut folders: Vec<ArgumentFolder> = Vec::new();
    for (index, arg) in args.iter().enumerate() {
        // `--root=/home/me/notes` names one, too.
        let value = match arg.split_once('=') {
            Some((option, value)) if option.starts_with('-') => value,
            _ => arg,
        };
        let path = Path::new(value);
        if !is_proposed(path, protected) {
            continue;
        }
        let folder = real(path);
        if named.contains(&folder) || given.iter().any(|root| folder.starts_with(root)) {
            continue;
        }
        named.push(folder);
        folders.push(ArgumentFolder {
            argument: u32::try_from(index + 1).unwrap_or(u32::MAX),
            path: value.to_owned(),
        });
    }
    folders
}

/// The folder itself, whatever links lead to it.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn is_proposed(path: &Path, protected: &Protected) -> bool {
    // The whole computer is no folder to be given in passing.
    let is_root = path.parent().is_none();
    path.is_absolute()
        && !is_root
        && path.is_dir()
        && protected.at(path).is_none()
        && protected.within(path).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_that_an_argument_names_is_proposed_unless_it_was_given_or_is_protected() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path).to_string_lossy().into_owned();
        for folder in ["notes/old", "tea", "own", ".ssh"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        fs::write(at("file"), "").unwrap();
        let protected = Protected::of(home.path(), Path::new(&at("own")), None);
        let args = [
            "-y".to_owned(),
            at("notes"),
            format!("--root={}", at("tea")),
            at("tea"),
            at("file"),
            at("missing"),
            at(".ssh"),
            at("own"),
            home.path().to_string_lossy().into_owned(),
            "/".to_owned(),
            ".".to_owned(),
        ];
        let found = |roots: &[String]| {
            let found = of(&args, roots, &protected).into_iter();
            found
                .map(|folder| (folder.argument, folder.path))
                .collect::<Vec<_>>()
        };
        assert_eq!(found(&[]), [(2, at("notes")), (3, at("tea"))]);
        assert_eq!(found(&[at("notes")]), [(3, at("tea"))]);
        let inner = ["x".to_owned(), at("notes/old")];
        assert_eq!(of(&inner, &[at("notes")], &protected), []);
    }
    #[cfg(unix)]
    #[test]
    fn a_folder_is_proposed_once_whatever_links_and_spellings_lead_to_it() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path).to_string_lossy().into_owned();
        fs::create_dir_all(at("notes/old")).unwrap();
        std::os::unix::fs::symlink(at("notes"), at("link")).unwrap();
        let protected = Protected::of(home.path(), Path::new(&at("own")), None);
        let found = |args: &[String], roots: &[String]| -> Vec<String> {
            let found = of(args, roots, &protected).into_iter();
            found.map(|folder| folder.path).collect()
        };
        let twice = [at("link"), at("notes"), at("notes/"), at("notes/old/..")];
        assert_eq!(found(&twice, &[]), [at("link")]);
        let given = [at("link/old"), at("notes/old/..")];
        assert!(found(&given, &[at("notes")]).is_empty());
        assert!(found(&given, &[at("link")]).is_empty());
        // Its spelling alone begins like one that was given.
        fs::create_dir(at("tea")).unwrap();
        assert_eq!(
            found(&[at("notes/../tea")], &[at("notes")]),
            [at("notes/../tea")]
        );
    }
}
