//! Files outside of its package that a script of JavaScript loads.
//!
//! Always true here:
//! - what is named in one text is found, by its ending or by the endings that are tried for it; a
//!   path that is put together while the script runs is not;
//! - each file is read once, and only so many are followed.

use super::digest;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::path::{Component, Path, PathBuf};

/// The most files that are followed.
const MOST: usize = 256;
/// The longest file that is read for what it loads, in bytes.
const LARGEST: u64 = 16 << 20;
/// The longest path in a file, in bytes.
const LONGEST: usize = 1024;
/// The largest description of a package, in bytes.
const LARGEST_MANIFEST: u64 = 1 << 20;
/// The endings of code: a server may write other files outside of its package, and that is no
/// change of what it is. They are tried behind a name without one, too.
const ENDINGS: [&str; 7] = ["js", "mjs", "cjs", "node", "ts", "mts", "cts"];
/// What is loaded of a folder that does not say so.
const INDEX: [&str; 2] = ["index.js", "index.ts"];

/// What the files of a package load from outside of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outside {
    /// The files, links not followed.
    pub files: BTreeSet<PathBuf>,
    /// Whether there are more, or one could not be read for what it loads itself.
    pub incomplete: bool,
}

/// What is loaded from outside of `package` by these files of it, and by what they load there.
pub(super) fn outside(package: &Path, files: Vec<PathBuf>) -> Outside {
    let mut outside = Outside {
        files: BTreeSet::new(),
        incomplete: false,
    };
    let mut seen: HashSet<PathBuf> = HashSet::new();
    let mut to_read = files;
    while let Some(file) = to_read.pop() {
        let Ok(text) = digest::text(&file, LARGEST) else {
            // One of the package counts by its digest all the same, and so does one outside.
            outside.incomplete |= outside.files.contains(&file);
            continue;
        };
        let folder = file.parent().unwrap_or(package);
        for path in paths(&text) {
            let at = plain(&folder.join(path));
            if at.starts_with(package) || !seen.insert(at.clone()) {
                continue;
            }
            for found in loaded(&at) {
                if outside.files.len() == MOST {
                    outside.incomplete = true;
                    return outside;
                }
                if outside.files.insert(found.clone()) {
                    to_read.push(found);
                }
            }
        }
    }
    outside
}

/// The texts of a script that begin as a path to a file does.
fn paths(script: &str) -> impl Iterator<Item = &str> {
    script
        .match_indices(['"', '\'', '`'])
        .filter_map(|(at, _)| {
            let quote = script[at..].chars().next()?;
            let rest = script.get(at + 1..)?;
            let rest = rest.strip_prefix("file://").unwrap_or(rest);
            if !["../", "./", "/"]
                .iter()
                .any(|start| rest.starts_with(start))
            {
                return None;
            }
            let bounded = rest.as_bytes().iter().take(LONGEST);
            let end = bounded
                .take_while(|byte| ![b'\n', quote as u8].contains(byte))
                .count();
            let path = rest.get(..end)?;
            // An address of a module may have more behind its path.
            path.split(['?', '#']).next()
        })
}

/// The files that a path stands for.
fn loaded(at: &Path) -> Vec<PathBuf> {
    let mut files = module(at);
    let manifest = at.join("package.json");
    if let Ok(text) = digest::text(&manifest, LARGEST_MANIFEST) {
        let manifest_says: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(main) = manifest_says["main"].as_str() {
            files.extend(module(&plain(&at.join(main))));
        }
        files.push(manifest);
    }
    files
}

/// The files of code that a path names, with its ending or without.
fn module(at: &Path) -> Vec<PathBuf> {
    let behind = |ending: &&str| {
        let mut name = at.as_os_str().to_owned();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    };
    let is_code = at
        .extension()
        .is_some_and(|ending| ENDINGS.iter().any(|one| ending == *one));
    let mut candidates: Vec<PathBuf> = ENDINGS.iter().map(behind).collect();
    candidates.extend(INDEX.iter().map(|index| at.join(index)));
    if is_code {
        candidates.push(at.to_owned());
        // Compilers read the one where the other is written.
        candidates.push(at.with_extension("ts"));
    }
    candidates.retain(|file| file.is_file());
    candidates
}

/// A path without steps up and down.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};
    use tempfile::TempDir;

    fn place(files: &[(&str, &str)]) -> TempDir {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let file = place.path().join(name);
            create_dir_all(file.parent().unwrap()).unwrap();
            write(file, text).unwrap();
        }
        place
    }

    fn found(place: &TempDir) -> Vec<String> {
        let package = place.path().join("app");
        let outside = outside(&package, vec![package.join("server.js")]);
        assert!(!outside.incomplete);
        let below = |file: &PathBuf| {
            file.strip_prefix(place.path())
                .unwrap()
                .display()
                .to_string()
        };
        outside.files.iter().map(below).collect()
    }

    #[test]
    fn what_is_loaded_from_outside_is_found_whichever_way_it_is_written() {
        for line in [
            "require('../common/x.js')",
            "import x from \"../common/x.js\"",
            "import(`./../common/x.js?fresh`)",
            "require('../common/x')",
            "import '../common/sub/../x.js'",
        ] {
            let place = place(&[("app/server.js", line), ("common/x.js", "")]);
            assert_eq!(found(&place), ["common/x.js"], "{line}");
        }
        let place = place(&[("app/server.js", ""), ("common/index.js", "")]);
        for line in [
            "require('../common')".to_owned(),
            format!("import 'file://{}/common/index.js'", place.path().display()),
        ] {
            write(place.path().join("app/server.js"), &line).unwrap();
            assert_eq!(found(&place), ["common/index.js"], "{line}");
        }
        let place = self::place(&[
            ("app/server.js", "require('../common')"),
            ("common/package.json", r#"{"main": "./lib/main"}"#),
            ("common/lib/main.js", ""),
        ]);
        assert_eq!(found(&place), ["common/lib/main.js", "common/package.json"]);
    }

    #[test]
    fn what_it_loads_itself_is_found_too_and_a_circle_ends() {
        let place = place(&[
            ("app/server.js", "require('../a')"),
            ("a.js", "require('./b'); require('./app/server.js')"),
            ("b.mjs", "import '../b.mjs'; import './a.js'"),
        ]);
        assert_eq!(found(&place), ["a.js", "b.mjs"]);
    }

    #[test]
    fn what_is_no_code_of_another_folder_is_left_out() {
        let place = place(&[
            (
                "app/server.js",
                "'/etc/hosts'; '../state.json'; '../gone.js'; './own.js'; '/'; '../'; '..",
            ),
            ("app/own.js", ""),
            ("state.json", ""),
        ]);
        assert!(found(&place).is_empty());
    }

    #[test]
    fn more_than_are_followed_are_said_to_be_more() {
        let lines: Vec<String> = (0..=MOST).map(|one| format!("'../{one}.js'")).collect();
        let place = place(&[("app/server.js", &lines.concat())]);
        for one in 0..=MOST {
            write(place.path().join(format!("{one}.js")), "").unwrap();
        }
        let package = place.path().join("app");
        let outside = outside(&package, vec![package.join("server.js")]);
        assert_eq!((outside.files.len(), outside.incomplete), (MOST, true));
    }
}
