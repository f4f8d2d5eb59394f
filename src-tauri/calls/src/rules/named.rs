//! What the arguments of a call name: hosts, files and folders.
//!
//! Always true here:
//! - what any program may read as a host, file or folder is among them, or there are said to be too
//!   many;
//! - a path that is not sure to lie where it says is never counted among those of which it is sure;
//! - the disk is looked at a bounded number of times.

use crate::places;
use policy::{bare_host, hosts_named};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use url::Url;

/// So many hosts, and so many files and folders, of one call are looked at.
const MOST: (usize, usize) = (256, 1024);
/// The longest path that any system takes, in bytes.
const LONGEST: usize = 4096;

/// Files and folders that arguments name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Paths {
    /// Where they really lie.
    pub real: Vec<String>,
    /// The same as the arguments name them, links not followed.
    pub named: Vec<String>,
    /// Whether something may name others.
    pub others: bool,
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
pub(super) fn hosts(texts: &BTreeSet<String>) -> Option<Vec<String>> {
    let mut hosts = BTreeSet::new();
    for text in texts {
        hosts.extend(hosts_named(text)?);
        hosts.extend(bare_host(text));
        if hosts.len() > MOST.0 {
            return None;
        }
    }
    Some(hosts.into_iter().collect())
}

/// The files and folders that texts name, for a server that was given these folders. None if there
/// are too many.
pub(super) fn paths(texts: &BTreeSet<String>, roots: &[String]) -> Option<Paths> {
    let (mut sure, mut unsure, mut others) = (BTreeSet::new(), BTreeSet::new(), false);
    for text in texts {
        others |= sort(text, roots, &mut sure, &mut unsure);
        if sure.len() + unsure.len() > MOST.1 {
            return None;
        }
    }
    let mut paths = Paths {
        others: others || !unsure.is_empty(),
        ..Paths::default()
    };
    for path in sure.union(&unsure) {
        match (
            places::straight(path).to_str(),
            places::real(path).as_deref().and_then(Path::to_str),
        ) {
            (Some(named), Some(real)) => {
                paths.named.push(named.to_owned());
                paths.real.push(real.to_owned());
            }
            _ => paths.others = true,
        }
    }
    Some(paths)
}

/// Notes what a text may name, and says whether it may name something else, too.
fn sort(
    text: &str,
    roots: &[String],
    sure: &mut BTreeSet<PathBuf>,
    unsure: &mut BTreeSet<PathBuf>,
) -> bool {
    let by_address = Url::parse(text)
        .ok()
        .filter(|url| url.scheme() == "file")
        .and_then(|url| url.to_file_path().ok());
    if let Some(path) = by_address {
        sure.insert(path);
        return false;
    }
    // What stands in a text beside other words, as in a command.
    let words = text.split(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '`' | '=' | ';' | ',' | '|' | '&' | '<' | '>' | '(' | ')'
            )
    });
    let more: Vec<PathBuf> = words
        .filter(|word| word.len() < text.len())
        .filter_map(absolute)
        .collect();
    let is_one = more
        .iter()
        .all(|path| text.starts_with(path.as_os_str().to_string_lossy().as_ref()));
    if text.len() <= LONGEST && Path::new(text).is_absolute() && is_one {
        sure.insert(PathBuf::from(text));
        return false;
    }
    let like_a_path = text.contains(['/', '\\']) || text.starts_with(['.', '~']);
    unsure.extend(more);
    unsure.extend(absolute(text));
    // Where a server begins to count is its own business; most begin at a folder that they were
    // given.
    if like_a_path && text.len() <= LONGEST && !text.contains("://") {
        unsure.extend(roots.iter().map(|root| Path::new(root).join(text)));
    }
    like_a_path
}

/// An absolute path, or one in the home of whoever runs this.
fn absolute(word: &str) -> Option<PathBuf> {
    if word.len() > LONGEST {
        return None;
    }
    let in_home = word
        .strip_prefix("~/")
        .and_then(|rest| Some(std::env::home_dir()?.join(rest)));
    in_home.or_else(|| Some(PathBuf::from(word)).filter(|path| path.is_absolute()))
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
        let hosts = |arguments| hosts(&all_texts(arguments)).unwrap();
        assert_eq!(
            hosts(json!({"url": "https://good.example/", "host": "evil.example"})),
            ["evil.example", "good.example"]
        );
        assert!(hosts(json!({"text": "one two"})).is_empty());
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;

        fn check(arguments: Value, roots: &[&str]) -> Paths {
            let roots: Vec<String> = roots.iter().map(|root| (*root).to_owned()).collect();
            paths(&all_texts(arguments), &roots).unwrap()
        }

        #[test]
        fn a_path_lies_where_its_links_lead() {
            let dir = tempfile::tempdir().unwrap();
            let dir = std::fs::canonicalize(dir.path()).unwrap();
            std::fs::create_dir(dir.join("data")).unwrap();
            std::os::unix::fs::symlink(dir.join("data"), dir.join("link")).unwrap();
            let text = |path: &str| dir.join(path).to_str().unwrap().to_owned();
            let found = check(json!({"path": text("link/new/../file")}), &[]);
            assert_eq!(
                found,
                Paths {
                    real: vec![text("data/file")],
                    named: vec![text("link/file")],
                    others: false
                }
            );

            let found = check(json!({"path": "../elsewhere"}), &[&text("data")]);
            assert_eq!((found.real, found.others), (vec![text("elsewhere")], true));
        }

        #[test]
        fn a_path_in_a_command_is_found_and_never_sure() {
            for command in [
                "cat /opt/x",
                "cat </opt/x",
                "cat '/opt/x' 2>&1",
                "tar --file=/opt/x",
                "/opt/run /opt/x",
            ] {
                let found = check(json!({"cwd": "/srv", "command": command}), &[]);
                assert!(
                    found.others && found.real.contains(&"/opt/x".to_owned()),
                    "{command}: {found:?}"
                );
            }
            let with_spaces = check(json!({"path": "/srv/My Documents/a b"}), &[]);
            assert_eq!(
                (with_spaces.real, with_spaces.others),
                (vec!["/srv/My Documents/a b".to_owned()], false)
            );
            assert!(check(json!({"path": "../My Documents/x"}), &[]).others);
            assert!(
                check(json!({"files": {"/opt/x": "text"}}), &[])
                    .real
                    .contains(&"/opt/x".to_owned())
            );
            assert!(!check(json!({"mode": "fast", "path": "/srv/x"}), &[]).others);
        }

        #[test]
        fn more_than_anybody_needs_is_said_to_be_too_much() {
            let many: Vec<String> = (0..2000).map(|n| format!("/opt/{n}")).collect();
            assert_eq!(paths(&all_texts(json!({"paths": many})), &[]), None);
        }
    }
}
