//! Where the paths in a call really lead.
//!
//! Always true here:
//! - links are followed as far as they exist; a place that cannot be found out is not known, and
//!   nothing that depends on it holds;
//! - a path that programs may read in two ways leads nowhere;
//! - only disks of this computer are looked at.

use policy::{Places, only_path, paths_in};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf, Prefix};

/// So many paths of one call are looked at.
const MOST: usize = 64;

/// Where the absolute paths among the texts of some arguments lead.
pub async fn of(arguments: &Map<String, Value>) -> Places {
    let mut texts = BTreeSet::new();
    arguments
        .values()
        .for_each(|value| gather(value, &mut texts));
    of_texts(texts).await
}

/// Where those of many calls lead.
pub async fn of_all<'a>(calls: impl IntoIterator<Item = &'a Map<String, Value>>) -> Places {
    let mut texts = BTreeSet::new();
    for arguments in calls {
        let mut of_this = BTreeSet::new();
        arguments
            .values()
            .for_each(|value| gather(value, &mut of_this));
        texts.extend(of_this);
    }
    of_texts(texts).await
}

async fn of_texts(texts: BTreeSet<String>) -> Places {
    if texts.is_empty() {
        return Places::default();
    }
    // A disk that is slow holds up nobody else.
    let look = || {
        texts
            .into_iter()
            .filter_map(|text| Some((text.clone(), lead(&text)?)))
            .collect()
    };
    Places(tokio::task::spawn_blocking(look).await.unwrap_or_default())
}

/// Files and folders that programs may read in texts that are not one path, each as it is written
/// there, with where it leads. Only for people: what is not there is left out.
pub async fn beside(arguments: &Map<String, Value>) -> Vec<(String, String)> {
    let mut words = BTreeSet::new();
    arguments
        .values()
        .for_each(|value| gather_words(value, &mut words));
    if words.is_empty() {
        return Vec::new();
    }
    let look = || {
        let is_there = |path: &Path| {
            let folder = path.parent().filter(|folder| folder.parent().is_some());
            is_on_a_disk(path)
                && (path.symlink_metadata().is_ok() || folder.is_some_and(Path::is_dir))
        };
        words
            .into_iter()
            .filter(|word| is_there(Path::new(word)))
            .filter_map(|word| Some((lead(&word)?, word)))
            .map(|(place, word)| (word, place))
            .collect()
    };
    tokio::task::spawn_blocking(look).await.unwrap_or_default()
}

fn gather_words(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if only_path(text).is_none() => {
            let read = paths_in(text).unwrap_or_default().absolute;
            let absolute = read
                .into_iter()
                .filter(|word| Path::new(word).is_absolute());
            words.extend(absolute.take(MOST.saturating_sub(words.len())));
        }
        Value::Array(items) => items.iter().for_each(|item| gather_words(item, words)),
        Value::Object(fields) => fields.values().for_each(|field| gather_words(field, words)),
        _ => {}
    }
}

fn gather(value: &Value, texts: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if texts.len() < MOST && only_path(text).is_some() => {
            texts.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| gather(field, texts)),
        _ => {}
    }
}

/// Where an absolute path leads, links followed as far as they exist.
pub fn lead(text: &str) -> Option<String> {
    let path = Path::new(text);
    if text.contains('\0') || !path.is_absolute() {
        return None;
    }
    let place = follow(path)?;
    // Some programs take `..` away before they follow links, others after.
    let back = path.components().any(|part| part == Component::ParentDir);
    if back && follow(&straight(path))? != place {
        return None;
    }
    plain(place.to_str()?)
}

/// The path without detours, as its text says.
pub(crate) fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = straight.pop(),
            Component::CurDir => {}
            part => straight.push(part),
        }
    }
    straight
}

/// Where a path leads for programs that follow links before they take `..` away, whether what lies
/// there exists or not. None where the system does not say.
pub fn real(path: &Path) -> Option<PathBuf> {
    let mut real = PathBuf::new();
    // So many of the last steps are not there, and lead nowhere else.
    let mut missing = 0_usize;
    for part in path.components() {
        match part {
            Component::ParentDir if missing > 0 => {
                missing -= 1;
                real.pop();
            }
            Component::ParentDir => {
                real = follow(&real)?;
                real.pop();
            }
            Component::CurDir => {}
            part => {
                real.push(part);
                let is_missing = missing > 0
                    || is_on_a_disk(&real) && real.symlink_metadata().is_err_and(is_not_found);
                missing += usize::from(is_missing);
            }
        }
    }
    plain(follow(&real)?.to_str()?).map(PathBuf::from)
}

fn is_not_found(error: std::io::Error) -> bool {
    error.kind() == ErrorKind::NotFound
}

fn follow(path: &Path) -> Option<PathBuf> {
    if !is_on_a_disk(path) {
        return None;
    }
    let mut missing: Vec<&OsStr> = Vec::new();
    let mut there = path;
    loop {
        match std::fs::canonicalize(there) {
            Ok(mut real) => {
                real.extend(missing.iter().rev());
                return Some(real);
            }
            // A link that leads to nothing yet would lead out of the folder once something is made
            // through it.
            Err(error)
                if error.kind() == ErrorKind::NotFound
                    && std::fs::symlink_metadata(there).is_err() =>
            {
                let name = there.file_name().filter(|name| is_plain(name))?;
                missing.push(name);
                there = there.parent()?;
            }
            Err(_) => return None,
        }
    }
}

/// Whether a path begins at a disk of this computer. On Windows a look at another computer's share
/// would tell that computer who looks.
pub(crate) fn is_on_a_disk(path: &Path) -> bool {
    match path.components().next() {
        Some(Component::Prefix(prefix)) => {
            matches!(prefix.kind(), Prefix::Disk(_) | Prefix::VerbatimDisk(_))
        }
        _ => !cfg!(windows),
    }
}

/// Windows takes dots and spaces off the end of a name, and reads what follows a colon as a part of
/// a file.
fn is_plain(name: &OsStr) -> bool {
    !cfg!(windows)
        || name
            .to_str()
            .is_some_and(|name| !name.contains(':') && !name.ends_with(['.', ' ']))
}

/// Windows writes real paths with a prefix that few programs understand. A device is no place.
fn plain(real: &str) -> Option<String> {
    match real.strip_prefix(r"\\?\") {
        Some(rest) if rest.as_bytes().get(1) == Some(&b':') => Some(rest.to_owned()),
        Some(_) => None,
        None => Some(real.to_owned()),
    }
}

#[cfg(all(test, unix))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A folder with `root/in`, `root_evil`, and links of `root`: `out` to `root_evil`, `gone` to
    /// what is not there.
    fn scene() -> (tempfile::TempDir, String) {
        let dir = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(dir.path()).unwrap();
        for folder in ["root/in", "root_evil"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
        }
        symlink(base.join("root_evil"), base.join("root/out")).unwrap();
        symlink(base.join("root_evil/new"), base.join("root/gone")).unwrap();
        let base = base.to_str().unwrap().to_owned();
        (dir, base)
    }

    #[test]
    fn links_are_followed_as_far_as_they_exist() {
        let (_dir, base) = scene();
        let lead = |path: &str| {
            lead(&format!("{base}/{path}"))
                .map(|place| place.strip_prefix(&base).unwrap().to_owned())
        };
        assert_eq!(lead("root/in"), Some("/root/in".into()));
        assert_eq!(lead("root/in/"), Some("/root/in".into()));
        assert_eq!(
            lead("root//in/./new/file"),
            Some("/root/in/new/file".into())
        );
        assert_eq!(lead("root/out/file"), Some("/root_evil/file".into()));
        assert_eq!(lead("root/in/../../root_evil"), Some("/root_evil".into()));
    }

    #[test]
    fn what_can_be_read_in_two_ways_or_leads_to_nothing_yet_is_not_known() {
        let (_dir, base) = scene();
        // After the link this is beside `root_evil`, before it beside `out`.
        assert_eq!(lead(&format!("{base}/root/out/../in")), None);
        assert_eq!(lead(&format!("{base}/root/missing/../../root_evil")), None);
        assert_eq!(lead(&format!("{base}/root/gone")), None);
        assert_eq!(lead(&format!("{base}/root/gone/file")), None);
        assert_eq!(lead("root/in"), None);
        assert_eq!(lead(&format!("{base}/root/in\0")), None);
    }
}
