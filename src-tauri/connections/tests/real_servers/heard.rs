//! What `misbehave` was told, by process: it notes that in a file.

use connections::StdioStart;
use protocol::Secret;
use std::collections::BTreeMap;
use tempfile::NamedTempFile;

/// The file of one test.
pub struct Heard(NamedTempFile);

impl Heard {
    /// Has this server note what it is told.
    pub fn by(start: &mut StdioStart) -> Self {
        let file = NamedTempFile::new().unwrap();
        start.env.push((
            "HEARD".to_owned(),
            Secret::new(file.path().to_str().unwrap().to_owned()),
        ));
        Self(file)
    }

    /// Every process that was started, by its name, and what it was told, in order.
    pub fn processes(&self) -> BTreeMap<String, Vec<String>> {
        let mut all = BTreeMap::<String, Vec<String>>::new();
        for line in std::fs::read_to_string(self.0.path()).unwrap().lines() {
            let (process, word) = line.split_once(' ').unwrap();
            let words = all.entry(process.to_owned()).or_default();
            if word != "started" {
                words.push(word.to_owned());
            }
        }
        all
    }

    /// The first message to each process; nothing for those that read none. No process may have had
    /// both.
    pub fn openers(&self) -> Vec<String> {
        let mut openers = Vec::new();
        for (process, words) in self.processes() {
            let openers_here: Vec<_> = words
                .iter()
                .filter(|word| ["initialize", "server/discover"].contains(&word.as_str()))
                .collect();
            assert!(
                openers_here.len() <= 1,
                "process {process} was opened more than once: {words:?}"
            );
            assert_eq!(
                openers_here.first().copied(),
                words.first(),
                "process {process} was not opened first: {words:?}"
            );
            openers.extend(words.first().cloned());
        }
        openers.sort();
        openers
    }

    /// How often this was said, to all processes together.
    pub fn count(&self, method: &str) -> usize {
        self.processes()
            .values()
            .flatten()
            .filter(|word| *word == method)
            .count()
    }
}
