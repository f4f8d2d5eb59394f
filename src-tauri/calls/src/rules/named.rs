//! What the arguments of a call name: hosts, files and folders.
//!
//! Always true here:
//! - what any program may read as a host, file or folder is among them, or there are said to be too
//!   many;
//! - what some program may read otherwise is never counted among what is sure;
//! - the disk is looked at a bounded number of times.

use crate::places;
use policy::{hosts_in, matches_glob, only_path, paths_in};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use url::Url;

/// So many hosts, and so many files and folders, of one call are looked at.
const MOST: (usize, usize) = (4096, 4096);
/// So many steps of paths are looked at on the disk.
const MOST_STEPS: usize = 64 * 1024;
/// So many places of a call are looked at as the one where another path of it begins.
const MOST_BASES: usize = 16;
/// The longest path that any system takes, in bytes.
const LONGEST: usize = 4096;

/// Hosts that arguments name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Hosts {
    /// Those that every program reads, and those that some program may read where an address may
    /// stand.
    pub named: Vec<String>,
    /// Others, within an address.
    pub within: Vec<String>,
}

/// Files and folders that arguments name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Paths {
    /// Where those really lie that every program reads.
    pub real: Vec<String>,
    /// The same as the arguments name them, links not followed, and all that some program may read.
    pub named: Vec<String>,
    /// Whether something may name a file or folder that is not in `real`.
    pub others: bool,
}

/// What a server works with when it reads a path.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    /// Where a path that does not begin at a disk may begin.
    pub bases: Vec<String>,
    /// The folders that rules name.
    pub folders: Vec<String>,
}

/// All texts in arguments, the names of their parts included.
pub(super) fn texts(arguments: &Map<String, Value>) -> BTreeSet<String> {
    fn gather(value: &Value, texts: &mut BTreeSet<String>) {
        match value {
            Value::String(text) => _ = texts.insert(text.clone()),
            Value::Array(items) => items.iter().for_each(|item| gather(item, texts)),
            Value::Object(fields) => fields.iter().for_each(|(name, field)| {
                texts.insert(name.clone());
                gather(field, texts);
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut texts = BTreeSet::new();
    // The names of the arguments themselves are the tool's.
    arguments
        .values()
        .for_each(|value| gather(value, &mut texts));
    texts
}

/// The hosts that texts name. None if there are too many.
pub(super) fn hosts(texts: &BTreeSet<String>) -> Option<Hosts> {
    let (mut named, mut within) = (BTreeSet::new(), BTreeSet::new());
    for text in texts {
        let read = hosts_in(text)?;
        named.extend(read.addressed);
        named.extend(read.possible);
        within.extend(read.within);
        if named.len() + within.len() > MOST.0 {
            return None;
        }
    }
    Some(Hosts {
        within: within.difference(&named).cloned().collect(),
        named: named.into_iter().collect(),
    })
}

/// The files and folders that texts name. None if there are too many.
pub(super) fn paths(texts: &BTreeSet<String>, around: &Surroundings) -> Option<Paths> {
    let (mut sure, mut unsure, mut relative) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut others = false;
    for text in texts {
        let read = paths_in(text)?;
        let address = Address::read(text);
        let whole = address.as_ref().map_or(Some(text.as_str()), |address| {
            let is_plain = address.is_plain;
            address.path.to_str().filter(|_| is_plain)
        });
        match whole.and_then(only_path) {
            Some(path) => _ = sure.insert(PathBuf::from(path)),
            None => others |= address.is_some() || read.like_a_path,
        }
        unsure.extend(address.map(|address| address.path));
        unsure.extend(read.absolute.iter().flat_map(|path| absolute(path)));
        relative.extend(read.relative);
        if sure.len() + unsure.len() + relative.len() > MOST.1 {
            return None;
        }
    }
    if !relative.is_empty() {
        // Where a server begins to count is its own business; most begin at a folder that they were
        // given, or that they are told in the same call.
        let bases = around.bases.iter().map(PathBuf::from);
        let bases: BTreeSet<PathBuf> = bases.chain(sure.iter().cloned()).collect();
        for base in bases.iter().take(MOST_BASES) {
            unsure.extend(relative.iter().map(|path| base.join(path)));
        }
    }
    let steps = |path: &PathBuf| path.components().count();
    if sure.iter().chain(&unsure).map(steps).sum::<usize>() > MOST_STEPS {
        return None;
    }
    let (mut real, mut named) = (BTreeSet::new(), BTreeSet::new());
    for path in &sure {
        match only_place(path) {
            Some(place) => _ = real.insert(place),
            None => others = true,
        }
    }
    for path in sure.union(&unsure) {
        for place in places_of(path) {
            let may_be = |folder: &&String| has_gap(&place) && matches_glob(&place, folder);
            named.extend(around.folders.iter().filter(may_be).cloned());
            named.insert(place);
        }
    }
    Some(Paths {
        named: named.difference(&real).cloned().collect(),
        real: real.into_iter().collect(),
        others,
    })
}

/// An address of a file.
struct Address {
    path: PathBuf,
    /// Whether it says nothing but the path.
    is_plain: bool,
}

impl Address {
    fn read(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok().filter(|url| url.scheme() == "file")?;
        let starts = text
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("file:"));
        Some(Self {
            path: url.to_file_path().ok()?,
            is_plain: starts
                && !text.contains(char::is_control)
                && url.query().is_none()
                && url.fragment().is_none(),
        })
    }
}

/// Where a path lies, as it is written and links followed.
fn places_of(path: &Path) -> impl Iterator<Item = String> {
    let text = |path: PathBuf| path.into_os_string().into_string().ok();
    let written = text(places::straight(path));
    written.into_iter().chain(places::real(path).and_then(text))
}

/// Where a path lies, if it is there for every program: some take `..` away before they follow
/// links, others after.
fn only_place(path: &Path) -> Option<String> {
    let place = places::real(path)?;
    let is_only = places::real(&places::straight(path))? == place;
    place
        .into_os_string()
        .into_string()
        .ok()
        .filter(|_| is_only)
}

/// Whether a path may mean any of many.
fn has_gap(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// The absolute paths that a word stands for: itself, one in somebody's home, or one that begins
/// with what a variable holds, which may be nothing.
pub(super) fn absolute(word: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Some(rest) = word.strip_prefix('~') {
        let (user, rest) = rest.split_once(['/', '\\']).unwrap_or((rest, ""));
        let home = std::env::home_dir();
        let home = if user.is_empty() {
            home
        } else {
            home.and_then(|home| Some(home.parent()?.join(user)))
        };
        found.extend(home.map(|home| home.join(rest)));
    } else if let Some((name, rest)) = variable(word) {
        let value = std::env::var(name).unwrap_or_default();
        found.extend([PathBuf::from(format!("{value}{rest}")), PathBuf::from(rest)]);
    } else {
        found.push(PathBuf::from(word));
    }
    found.retain(|path| path.is_absolute() && path.as_os_str().len() <= LONGEST);
    found
}

/// The name of the variable with which a word begins, and what follows it.
fn variable(word: &str) -> Option<(&str, &str)> {
    if let Some(rest) = word.strip_prefix("${") {
        let (inside, rest) = rest.split_once('}')?;
        let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        return Some((&inside[..end.unwrap_or(inside.len())], rest));
    }
    if let Some(rest) = word.strip_prefix('$') {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        return Some(rest.split_at(end.unwrap_or(rest.len()))).filter(|(name, _)| !name.is_empty());
    }
    let (name, rest) = word.strip_prefix('%')?.split_once('%')?;
    (!name.is_empty()).then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all_texts(arguments: Value) -> BTreeSet<String> {
        texts(arguments.as_object().unwrap())
    }

    #[test]
    fn the_names_of_parts_are_texts_and_those_of_arguments_are_not() {
        let texts = all_texts(json!({"base": "x", "files": {"/etc/cron.d/x": ["y", {"z": 1}]}}));
        assert_eq!(
            texts.into_iter().collect::<Vec<_>>(),
            ["/etc/cron.d/x", "x", "y", "z"]
        );
    }

    #[test]
    fn a_host_without_a_scheme_is_one_of_them() {
        let named = |arguments| hosts(&all_texts(arguments)).unwrap().named;
        assert_eq!(
            named(json!({"url": "https://good.example/x.html", "host": "evil.example"})),
            ["evil.example", "good.example"]
        );
        assert_eq!(
            named(json!({"url": "https://good.example/", "to": "git@evil:x"})),
            ["evil", "good.example"]
        );
        assert!(named(json!({"text": "one two", "path": "/srv/a.txt"})).is_empty());
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;

        fn check(arguments: Value, bases: &[&str]) -> Paths {
            let text = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
            let around = Surroundings {
                bases: text(bases),
                folders: text(&["/opt/kept"]),
            };
            paths(&all_texts(arguments), &around).unwrap()
        }

        fn names(arguments: Value, path: &str) -> bool {
            let found = check(arguments, &["/srv/base"]);
            let mut all = found.real.iter().chain(&found.named);
            all.any(|place| Path::new(place).starts_with(path))
        }

        #[test]
        fn a_path_lies_where_its_links_lead() {
            let dir = tempfile::tempdir().unwrap();
            let dir = std::fs::canonicalize(dir.path()).unwrap();
            std::fs::create_dir_all(dir.join("data/in")).unwrap();
            std::os::unix::fs::symlink(dir.join("data/in"), dir.join("link")).unwrap();
            let text = |path: &str| dir.join(path).to_str().unwrap().to_owned();
            let found = check(json!({"path": text("link/new/../file")}), &[]);
            assert_eq!(
                found,
                Paths {
                    real: vec![text("data/in/file")],
                    named: vec![text("link/file")],
                    others: false
                }
            );
            // Before the link is followed this is beside it, after that beside `in`.
            let found = check(json!({"path": text("link/../file")}), &[]);
            assert_eq!(
                found,
                Paths {
                    real: vec![],
                    named: vec![text("data/file"), text("file")],
                    others: true
                }
            );

            let found = check(json!({"path": "../elsewhere"}), &[&text("data")]);
            assert!(
                found.others && found.real.is_empty() && found.named.contains(&text("elsewhere"))
            );
        }

        #[test]
        fn a_path_in_a_command_or_beside_a_sign_is_found_and_never_sure() {
            for command in [
                "cat /opt/x",
                "cat </opt/x",
                "cat '/opt/x' 2>&1",
                "tar --file=/opt/x",
                "/opt/run /opt/x",
                "/opt/x:/mnt",
                "/usr:/opt/x",
                "-C/opt/x/a",
                "@/opt/x/a",
                "host:/opt/x/a",
                "[/opt/x]",
                "git@host:/opt/x",
                "file:///opt/x?mode=ro",
                "${NOT_SET_ANYWHERE}/opt/x",
                "$NOT_SET_ANYWHERE/opt/x",
                r"\/op't/x'",
                r#"{"path": "\/opt\/x"}"#,
            ] {
                let found = check(json!({"cwd": "/srv", "command": command}), &[]);
                assert!(found.others, "{command}: {found:?}");
                assert!(names(json!({"command": command}), "/opt/x"), "{command}");
            }
            let with_spaces = check(json!({"path": "/srv/My Documents/a b"}), &[]);
            assert_eq!(
                (with_spaces.real, with_spaces.others),
                (vec!["/srv/My Documents/a b".to_owned()], false)
            );
            assert!(check(json!({"path": "../My Documents/x"}), &[]).others);
            assert!(names(json!({"files": {"/opt/x": "text"}}), "/opt/x"));
            assert!(!check(json!({"mode": "fast", "path": "/srv/x"}), &["/opt"]).others);
            assert!(!names(json!({"path": "/srv/opt/x"}), "/opt/x"));
        }

        #[test]
        fn a_path_that_begins_where_the_server_is_or_is_told_is_found() {
            assert!(names(json!({"file": "secret"}), "/srv/base/secret"));
            assert!(names(json!({"file": "@secret/a"}), "/srv/base/secret"));
            assert!(names(json!({"file": "HEAD:../secret"}), "/srv/secret"));
            let told = json!({"repository": "/opt/x", "files": ["secret/a"]});
            assert!(names(told, "/opt/x/secret"));
            let home = std::env::home_dir().unwrap();
            let home = home.to_str().unwrap();
            for text in [
                "~/x",
                "-C~/x",
                "@~/x",
                "$HOME/x",
                "${HOME}/x",
                "cat ${HOME:-y}/x",
            ] {
                let found = check(json!({"path": text}), &[]);
                assert!(found.others, "{text}");
                assert!(
                    found.named.contains(&format!("{home}/x")),
                    "{text}: {found:?}"
                );
            }
        }

        #[test]
        fn what_may_mean_any_of_many_may_mean_a_folder_of_a_rule() {
            for text in [
                "/opt/k*/x",
                "/op?/kept",
                "ls /{opt,srv}/kept",
                "/**/x",
                "-I/opt/[a-z]ept/x",
            ] {
                assert!(names(json!({"path": text}), "/opt/kept"), "{text}");
            }
            for text in ["/opt/*.rs", "/srv/**/x", "/opt/kep", "/o*/other/x"] {
                assert!(!names(json!({"path": text}), "/opt/kept"), "{text}");
            }
        }

        #[test]
        fn more_than_anybody_needs_is_said_to_be_too_much() {
            let around = Surroundings::default();
            let many: Vec<String> = (0..5000).map(|n| format!("/opt/{n}")).collect();
            assert_eq!(paths(&all_texts(json!({"paths": many})), &around), None);
            let deep: Vec<String> = (0..50)
                .map(|n| format!("/{n}{}", "/a".repeat(2000)))
                .collect();
            assert_eq!(paths(&all_texts(json!({"paths": deep})), &around), None);
        }
    }
}
