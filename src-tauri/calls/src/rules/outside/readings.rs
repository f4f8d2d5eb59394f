//! The absolute paths for which programs may take a text.

use super::gap::has_gap;
use crate::rules::context::path_in;
use crate::rules::named::absolute;
use policy::{only_path, paths_in};
use std::path::{Path, PathBuf};
use url::Url;

/// The longest path that any system takes, in bytes.
const LONGEST: usize = 4096;

/// A path for which programs may take a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) path: PathBuf,
    /// Where it begins, if it does not begin at a disk.
    pub(super) base: Option<PathBuf>,
    /// Whether that is a folder that the server was given.
    pub(super) is_in_root: bool,
    pub(super) counts: Counts,
}

/// When a reading counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    /// If its first step is there.
    AtDisk,
    /// If it is there.
    IfThere,
    /// If it is there or could be made.
    IfPossible,
}

/// The folders at which a path may begin that does not begin at a disk.
pub(super) struct Beginnings<'a> {
    pub(super) roots: &'a [String],
    pub(super) working_folder: Option<&'a str>,
}

impl Beginnings<'_> {
    /// What a path means in each of the folders that the server was given.
    pub(super) fn in_roots(&self, path: &str) -> impl Iterator<Item = PathBuf> {
        self.roots
            .iter()
            .map(move |root| Path::new(root).join(path))
    }

    fn of(&self, path: &str) -> impl Iterator<Item = Reading> {
        let counts = match goes_up(path) {
            true => Counts::IfPossible,
            false => Counts::IfThere,
        };
        let roots = self.roots.iter().map(|root| (root.as_str(), true));
        let working = self.working_folder.map(|folder| (folder, false));
        roots.chain(working).map(move |(base, is_in_root)| Reading {
            path: Path::new(base).join(path),
            base: Some(base.into()),
            is_in_root,
            counts,
        })
    }
}

/// Whether a text may be a path or an address of a file as a whole.
pub(super) fn may_be_path(text: &str) -> bool {
    let begins = text.starts_with(['/', '\\', '~', '$', '%']) || is_of_file(text);
    let has_steps = || text.contains(['/', '\\']) || text.contains("..") || text.contains("%2");
    // A longer one is short once its ways back are taken.
    begins || text.len() <= LONGEST && has_steps() || text.len() > LONGEST && goes_up(text)
}

/// Whether a text is an address of a file.
fn is_of_file(text: &str) -> bool {
    text.get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("file:"))
}

/// All of them, without those that no system takes.
pub(super) fn readings(text: &str, begins: &Beginnings<'_>) -> Vec<Reading> {
    let mut readings = if is_of_file(text) {
        of_file(text, begins)
    } else if text.contains("://") {
        of_address(text, begins)
    } else {
        of_path(text, begins)
    };
    readings.retain(|one| {
        let is_short = |path: &Path| path.as_os_str().len() <= LONGEST;
        is_short(&one.path) || is_short(&crate::places::straight(&one.path))
    });
    readings
}

fn goes_up(text: &str) -> bool {
    text.split(['/', '\\']).any(|step| step == "..")
}

fn at_disk(path: PathBuf, counts: Counts) -> Reading {
    Reading {
        path,
        base: None,
        is_in_root: false,
        counts,
    }
}

fn of_file(text: &str, begins: &Beginnings<'_>) -> Vec<Reading> {
    let rest = text.get(5..).unwrap_or_default();
    let bare = rest.trim_start_matches(['/', '\\']);
    let decoded = path_in(text).map(PathBuf::from);
    // Some cut the scheme off, and leave the rest as it stands.
    let cut = (bare.len() < rest.len()).then(|| PathBuf::from(format!("/{bare}")));
    let paths = decoded.into_iter().chain(cut);
    let mut readings: Vec<Reading> = paths.map(|path| at_disk(path, Counts::AtDisk)).collect();
    if goes_up(rest) {
        readings.extend(begins.of(text).chain(begins.of(rest)));
    }
    readings
}

fn of_address(text: &str, begins: &Beginnings<'_>) -> Vec<Reading> {
    let mut readings = Vec::new();
    let is_web = Url::parse(text)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https" | "ws" | "wss" | "ftp"));
    if !is_web {
        // Servers take the path in it for one of a file.
        let path = path_in(text).map(PathBuf::from);
        let path = path.filter(|path| path.file_name().is_some());
        readings.extend(path.map(|path| at_disk(path, Counts::IfThere)));
    }
    if goes_up(text) {
        readings.extend(begins.of(text));
    }
    readings
}

fn of_path(text: &str, begins: &Beginnings<'_>) -> Vec<Reading> {
    let whole = match Path::new(text).is_absolute() {
        true => vec![PathBuf::from(text)],
        false if is_of_nobody(text) => Vec::new(),
        false => absolute(text),
    };
    let whole = whole.into_iter().map(|path| at_disk(path, Counts::AtDisk));
    let mut readings: Vec<Reading> = whole.collect();
    if readings.is_empty() {
        readings.extend(begins.of(text));
    }
    // Behind a sign that stands for many a path goes on.
    let is_word = text.len() <= LONGEST && !text.contains(char::is_whitespace) && !has_gap(text);
    if is_word && only_path(text).is_none() && !is_of_nobody(text) {
        let parts = paths_in(text).unwrap_or_default();
        let somewhere = parts.absolute.iter().flat_map(|path| absolute(path));
        // A sign for the disk as a whole means that only by itself.
        let somewhere = somewhere.filter(|path| path.file_name().is_some());
        readings.extend(somewhere.map(|path| at_disk(path, Counts::IfPossible)));
        let has_steps = |path: &&String| path.contains(['/', '\\']) || *path == "..";
        let here = parts.relative.iter().filter(has_steps);
        readings.extend(here.flat_map(|path| begins.of(path)));
    }
    readings
}

/// Whether a text begins like the home of somebody whom this computer does not know, as `~1.2` does.
fn is_of_nobody(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('~') else {
        return false;
    };
    let user = rest.split(['/', '\\']).next().unwrap_or_default();
    !user.is_empty()
        && !absolute(&format!("~{user}"))
            .iter()
            .any(|home| home.is_dir())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(String, Counts)> {
        let roots = ["/srv/given".to_owned()];
        let begins = Beginnings {
            roots: &roots,
            working_folder: Some("/srv/home"),
        };
        let readings = readings(text, &begins).into_iter();
        readings
            .map(|one| (one.path.to_string_lossy().into_owned(), one.counts))
            .collect()
    }

    fn is_read_as(text: &str, path: &str, counts: Counts) -> bool {
        of(text).contains(&(path.to_owned(), counts))
    }

    #[test]
    fn a_text_that_is_no_path_however_long_is_not_read() {
        for text in ["fast", "a.txt", "", "some words of a text"] {
            assert!(!may_be_path(text), "{text}");
        }
        assert!(!may_be_path(&"a/".repeat(LONGEST)));
        assert!(may_be_path(&format!("{}../x", "a/../".repeat(LONGEST))));
    }

    #[test]
    fn a_text_is_read_as_a_whole() {
        for (text, path) in [
            ("/srv/a b/../c", "/srv/a b/../c"),
            ("/x\n/../etc", "/x\n/../etc"),
            ("file:///etc/a%20b", "/etc/a b"),
            ("file:///etc/passwd# x", "/etc/passwd"),
            ("FILE:/etc/My Documents", "/etc/My Documents"),
            ("file://host/etc/x", "/etc/x"),
            ("file:///etc/100%", "/etc/100%"),
        ] {
            assert!(
                is_read_as(text, path, Counts::AtDisk),
                "{text}: {:?}",
                of(text)
            );
        }
        let long = format!("/{}etc/passwd", "./".repeat(8000));
        assert_eq!(of(&long).len(), 1);
        assert_eq!(of(&format!("/{}", "a".repeat(8000))), []);
    }

    #[test]
    fn a_text_is_read_in_the_ways_of_common_programs() {
        for (text, path) in [
            ("-C/etc", "/etc"),
            ("--git-dir=..", "/srv/given/.."),
            ("/srv/a:/etc/x", "/etc/x"),
            ("../x", "/srv/given/../x"),
            ("../x", "/srv/home/../x"),
            ("a%2f..%2f..%2fx", "/srv/given/a/../../x"),
            ("http://a/../../../x", "/srv/given/http://a/../../../x"),
            ("file:../x", "/srv/given/../x"),
        ] {
            assert!(
                is_read_as(text, path, Counts::IfPossible),
                "{text}: {:?}",
                of(text)
            );
        }
        for (text, path) in [
            ("sqlite:///etc/x.db", "/etc/x.db"),
            ("notes:///%65tc/x", "/etc/x"),
            ("way-out/a letter", "/srv/given/way-out/a letter"),
        ] {
            assert!(
                is_read_as(text, path, Counts::IfThere),
                "{text}: {:?}",
                of(text)
            );
        }
        assert_eq!(of("https://a.example/etc/x"), []);
        assert_eq!(of("notes://a"), []);
        for text in ["~1.2.3", "~=2.0", "~~done~~"] {
            let is_outside = |(path, _): &(String, Counts)| !path.starts_with("/srv/");
            assert!(!of(text).iter().any(is_outside), "{text}");
        }
    }
}
