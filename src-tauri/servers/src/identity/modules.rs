//! The code that a script can load: files in the folders where its interpreter looks, and the lists
//! of what is installed there.
//!
//! Always true here:
//! - what is code is told by where a file lies and what it is called, so that what a server writes
//!   beside it (data, logs, compiled copies) is no change;
//! - a folder counts with all of its code or not at all; one that does not count is named;
//! - every walk is bounded, and a link is followed once.

use super::digest;
use protocol::{IdentityPiece, ModulesIdentity, Unread, UnreadReason, canonical_json};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The most files of code of one server.
const FILES: usize = 4096;
/// The most entries of folders that are looked at for one server.
const ENTRIES: usize = 16_384;
/// The most code of one server, in bytes.
const BYTES: u64 = 64 << 20;
/// The deepest folder below the one where a walk begins.
const DEEPEST: usize = 16;
/// The most places that are named as not known.
pub(super) const NAMED: usize = 16;
/// The longest name of such a place, in letters.
pub(super) const LONGEST: usize = 200;

/// What is code in a folder.
pub(super) struct Kind {
    /// The endings of its files, without the point before them, or their whole names.
    pub endings: &'static [&'static str],
    /// Whether code can lie in a folder of this name.
    pub enters: fn(&str) -> bool,
}

/// Gathers the code of one server.
#[derive(Default)]
pub(super) struct Modules {
    script: Option<PathBuf>,
    digests: Map<String, Value>,
    files: usize,
    entries: usize,
    bytes: u64,
    unread: Vec<Unread>,
}

impl Modules {
    /// Leaves out the script itself, which counts by itself; links are followed.
    pub fn leave_out(&mut self, script: &Path) {
        self.script = Some(script.to_owned());
    }

    /// All code of a kind below a folder. Whether it could be read.
    pub fn folder(&mut self, root: &Path, kind: &Kind) -> bool {
        let mut walk = Walk {
            kind,
            script: self.script.as_deref(),
            seen: HashSet::new(),
            found: Vec::new(),
            left: (
                FILES.saturating_sub(self.files),
                ENTRIES - self.entries,
                BYTES - self.bytes,
            ),
        };
        let digests = walk.below(root, 0).and_then(|()| walk.digests());
        self.entries = ENTRIES - walk.left.1;
        match digests {
            Ok(digests) => {
                self.bytes = BYTES - walk.left.2;
                self.files += digests.len();
                self.digests.extend(digests);
                // One without any code counts, too: what comes into it is new.
                self.digests.insert(name(root), Value::Null);
                true
            }
            Err(reason) => {
                self.unknown(&name(root), reason);
                false
            }
        }
    }

    /// The files of code that were found below a folder, and the script if it lies there.
    pub fn files_below(&self, root: &Path) -> Vec<PathBuf> {
        let counted = self.digests.iter().filter(|(_, digest)| digest.is_string());
        let found = counted.map(|(name, _)| PathBuf::from(name));
        let files = found.chain(self.script.clone());
        files.filter(|file| file.starts_with(root)).collect()
    }

    /// One file.
    pub fn file(&mut self, file: &Path) {
        match digest::of_file(file) {
            Ok(digest) => {
                self.files += 1;
                self.digests.insert(name(file), digest.into());
            }
            Err(reason) => self.unknown(&name(file), reason),
        }
    }

    /// A list of what is installed, by its digest.
    pub fn list(&mut self, place: &Path, digest: Result<String, UnreadReason>) {
        match digest {
            Ok(digest) => {
                self.digests
                    .insert(format!("{} *", name(place)), digest.into());
            }
            Err(reason) => self.unknown(&name(place), reason),
        }
    }

    /// Names code that is loaded and not known.
    pub fn unknown(&mut self, at: &str, reason: UnreadReason) {
        let unread = Unread {
            piece: IdentityPiece::Modules,
            at: at.chars().take(LONGEST).collect(),
            reason,
        };
        if !self.unread.contains(&unread) && self.unread.len() < NAMED {
            self.unread.push(unread);
        }
    }

    /// What was found, and what of it is not known.
    pub fn done(self) -> (Option<ModulesIdentity>, Vec<Unread>) {
        let found = (!self.digests.is_empty()).then(|| ModulesIdentity {
            sha256: digest::of_text(&canonical_json(&Value::Object(self.digests))),
            files: u32::try_from(self.files).unwrap_or(u32::MAX),
        });
        (found, self.unread)
    }
}

/// One walk through a folder.
struct Walk<'a> {
    kind: &'a Kind,
    script: Option<&'a Path>,
    /// Folders that were walked through, links followed.
    seen: HashSet<PathBuf>,
    found: Vec<PathBuf>,
    /// How many files, entries and bytes may still come.
    left: (usize, usize, u64),
}

impl Walk<'_> {
    fn below(&mut self, folder: &Path, depth: usize) -> Result<(), UnreadReason> {
        if depth > DEEPEST {
            return Err(UnreadReason::TooMany);
        }
        let unreadable = |_| UnreadReason::Unreadable;
        if !self.seen.insert(folder.canonicalize().map_err(unreadable)?) {
            return Ok(());
        }
        let mut entries = Vec::new();
        for entry in folder.read_dir().map_err(unreadable)? {
            self.left.1 = self.left.1.checked_sub(1).ok_or(UnreadReason::TooMany)?;
            entries.push(entry.map_err(unreadable)?.path());
        }
        // A folder to which two paths lead is found by the same one each time.
        entries.sort();
        for path in entries {
            // No interpreter is told to load what has no name in letters.
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let counts = self.kind.is_code(name) && !self.is_script(&path);
            // A link that leads nowhere is nothing yet.
            let Ok(what) = path.metadata() else { continue };
            if what.is_dir() && (self.kind.enters)(name) {
                self.below(&path, depth + 1)?;
            } else if what.is_file() && counts {
                self.left.0 = self.left.0.checked_sub(1).ok_or(UnreadReason::TooMany)?;
                let left = self.left.2.checked_sub(what.len());
                self.left.2 = left.ok_or(UnreadReason::TooMany)?;
                self.found.push(path);
            }
        }
        Ok(())
    }

    fn is_script(&self, file: &Path) -> bool {
        self.script.is_some_and(|script| {
            script.file_name() == file.file_name()
                && file.canonicalize().is_ok_and(|file| file == script)
        })
    }

    fn digests(&mut self) -> Result<Map<String, Value>, UnreadReason> {
        let digest = |file: PathBuf| Ok((name(&file), digest::of_file(&file)?.into()));
        self.found.drain(..).map(digest).collect()
    }
}

impl Kind {
    fn is_code(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let mut before = self
            .endings
            .iter()
            .filter_map(|ending| name.strip_suffix(ending));
        before.any(|before| before.is_empty() || before.ends_with('.'))
    }
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};
    use tempfile::TempDir;

    const KIND: Kind = Kind {
        endings: &["py", "list"],
        enters: |name| !name.starts_with('.'),
    };

    fn place(files: &[&str]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let file = folder.path().join(file);
            create_dir_all(file.parent().unwrap()).unwrap();
            write(file, "one").unwrap();
        }
        folder
    }

    fn found(folder: &TempDir) -> (Option<ModulesIdentity>, Vec<UnreadReason>) {
        let mut modules = Modules::default();
        modules.folder(folder.path(), &KIND);
        let (found, unread) = modules.done();
        (found, unread.into_iter().map(|one| one.reason).collect())
    }

    #[test]
    fn code_counts_and_nothing_else() {
        let folder = place(&["a.py", "b/c.py", "b/list"]);
        let before = found(&folder);
        assert_eq!(before.0.as_ref().unwrap().files, 3);
        for other in ["a.json", "log", ".b/c.py"] {
            let file = folder.path().join(other);
            create_dir_all(file.parent().unwrap()).unwrap();
            write(file, "more").unwrap();
            assert_eq!(found(&folder), before, "{other}");
        }
        for code in ["a.py", "b/list", "b/d.PY", "new/e.py"] {
            let before = found(&folder);
            let file = folder.path().join(code);
            create_dir_all(file.parent().unwrap()).unwrap();
            write(file, "more").unwrap();
            assert_ne!(found(&folder), before, "{code}");
        }
    }

    #[test]
    fn a_folder_without_code_is_known_to_be_so() {
        let folder = place(&["a.txt"]);
        let before = found(&folder);
        assert_eq!(before.0.as_ref().unwrap().files, 0);
        write(folder.path().join("a.py"), "").unwrap();
        assert_ne!(found(&folder), before);
    }

    #[test]
    fn what_is_more_than_is_read_is_named_and_counts_for_nothing() {
        let folder = place(&["a.py"]);
        let large = std::fs::File::create(folder.path().join("large.py")).unwrap();
        large.set_len(BYTES).unwrap();
        assert_eq!(found(&folder), (None, vec![UnreadReason::TooMany]));
        large.set_len(0).unwrap();
        assert!(found(&folder).1.is_empty());
        let deep = ["d"; DEEPEST + 1].join("/");
        create_dir_all(folder.path().join(deep)).unwrap();
        assert_eq!(found(&folder), (None, vec![UnreadReason::TooMany]));
        let gone = folder.path().join("gone");
        let mut modules = Modules::default();
        modules.folder(&gone, &KIND);
        modules.file(&gone);
        assert_eq!(modules.done().1.len(), 1, "said once");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_and_one_in_a_circle_once() {
        use std::os::unix::fs::symlink;
        let (folder, other) = (place(&["a.py"]), place(&["b.py"]));
        symlink(folder.path(), folder.path().join("circle")).unwrap();
        symlink(other.path(), folder.path().join("other")).unwrap();
        symlink(other.path().join("b.py"), folder.path().join("link.py")).unwrap();
        symlink("nowhere", folder.path().join("broken.py")).unwrap();
        let before = found(&folder);
        assert_eq!((before.0.as_ref().unwrap().files, &before.1), (3, &vec![]));
        write(other.path().join("b.py"), "two").unwrap();
        assert_ne!(found(&folder).0, before.0);
    }
}
