//! Which files of this computer calls of a server may name, and which others they have named.

use api::RefusedFile;
use policy::lies_in;
use protocol::ConfinementTier;
use std::collections::BTreeMap;

/// So many different files that were refused are told apart.
const MOST_REFUSED: usize = 64;

/// The files of this computer that calls of a server may name.
#[derive(Debug)]
pub struct Granted {
    /// The start of the server for which it was found out.
    pub(crate) generation: u64,
    /// By what it was confined then.
    pub(crate) tier: Option<ConfinementTier>,
    /// The folders that it had then.
    pub(crate) roots: Vec<String>,
    /// Files and folders, each with what lies in it.
    pub(crate) places: Vec<String>,
    /// What lies in those and is withheld.
    pub(crate) withheld: Vec<String>,
    /// What is protected on this computer.
    pub(crate) protected: Vec<String>,
    /// Where the server itself begins, if that is known.
    pub(crate) working_folder: Option<String>,
}

impl Granted {
    /// Whether this absolute path without links is among them.
    pub fn covers(&self, place: &str) -> bool {
        lies_in_any(place, &self.places) && !lies_in_any(place, &self.withheld)
    }

    /// Whether this absolute path without links is protected.
    pub fn protects(&self, place: &str) -> bool {
        lies_in_any(place, &self.protected)
    }

    /// Whether a text is how the path of one of them begins.
    pub fn begins_with(&self, text: &str) -> bool {
        let mut places = self.places.iter();
        places.any(|place| place.starts_with(text))
    }

    /// The folders at which a path may begin that does not begin at a disk.
    pub fn roots(&self) -> &[String] {
        &self.roots
    }

    /// Where the server itself begins, if that is known: the other such folder.
    pub fn working_folder(&self) -> Option<&str> {
        self.working_folder.as_deref()
    }
}

fn lies_in_any(place: &str, folders: &[String]) -> bool {
    folders.iter().any(|folder| lies_in(place, folder))
}

/// Files outside that calls of a server have named, and how often. It is bounded: a caller can name
/// as many as it likes.
#[derive(Debug, Clone, Default)]
pub struct RefusedFiles(BTreeMap<String, u32>);

impl RefusedFiles {
    /// All of them, by path.
    pub fn all(&self) -> Vec<RefusedFile> {
        let files = self.0.iter();
        files
            .map(|(path, times)| RefusedFile {
                path: path.clone(),
                times: *times,
            })
            .collect()
    }

    /// Notes one, and says whether it is told apart from now on.
    pub(crate) fn note(&mut self, path: &str) -> bool {
        if let Some(times) = self.0.get_mut(path) {
            *times = times.saturating_add(1);
            return false;
        }
        let has_room = self.0.len() < MOST_REFUSED;
        if has_room {
            self.0.insert(path.to_owned(), 1);
        }
        has_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_file_is_counted_and_many_different_ones_are_bounded() {
        let mut files = RefusedFiles::default();
        files.note("/etc/passwd");
        files.note("/etc/passwd");
        for number in 0..1000 {
            files.note(&format!("/srv/{number}"));
        }
        let all = files.all();
        assert_eq!(all.len(), MOST_REFUSED);
        let counted = all.iter().find(|file| file.path == "/etc/passwd");
        assert_eq!(counted.map(|file| file.times), Some(2));
    }
}
