//! The mail addresses that tools have said, to tell namesakes apart.

use super::text::{plain, words};
use super::value::{Part, parts};
use super::values::value_size;
use std::collections::{BTreeSet, HashMap};

/// Most mail addresses that are kept.
const MOST: usize = 4096;
/// Longest word that can be one, in bytes.
const LONGEST: usize = 320;

/// Mail addresses in lower case.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mails {
    all: BTreeSet<String>,
    /// By each word of the part before the `@`: the only address with it, nothing where there are
    /// several.
    by_word: HashMap<String, Option<String>>,
    size: usize,
}

impl Mails {
    /// Keeps those in a text, as far as there is room.
    pub fn remember(&mut self, text: &str) {
        if !text.contains('@') {
            return;
        }
        let may_be = |word: &&str| word.contains('@') && word.len() < LONGEST;
        for part in text.split_whitespace().filter(may_be).flat_map(parts) {
            if let Part::Mail(mail) = part
                && self.all.len() < MOST
            {
                self.add(mail.to_lowercase());
            }
        }
    }

    /// Whether there is another one than `mail` whose name holds `word`.
    pub fn namesakes(&self, mail: &str, word: &str) -> bool {
        match self.by_word.get(word) {
            Some(Some(only)) => *only != mail.to_lowercase(),
            Some(None) => true,
            None => false,
        }
    }

    /// About how many bytes they take.
    pub fn size(&self) -> usize {
        self.size
    }

    fn add(&mut self, mail: String) {
        if self.all.contains(&mail) {
            return;
        }
        let local = plain(mail.split('@').next().unwrap_or_default());
        for word in words(&local) {
            let only = self.by_word.entry(word.to_owned()).or_insert_with(|| {
                self.size += value_size(word) + value_size(&mail);
                Some(mail.clone())
            });
            if only.as_ref() != Some(&mail) {
                *only = None;
            }
        }
        self.size += value_size(&mail);
        self.all.insert(mail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_address_with_the_same_name_is_a_namesake() {
        let mut mails = Mails::default();
        mails.remember("Emma.Johnson@blue.example, emma.emma@red.example and bob@blue.example");
        assert!(mails.namesakes("EMMA.johnson@blue.example", "emma"));
        assert!(!mails.namesakes("emma.johnson@blue.example", "johnson"));
        assert!(mails.namesakes("johnson@red.example", "johnson"));
        assert!(!mails.namesakes("bob@blue.example", "bob"));
        assert!(!mails.namesakes("bob@blue.example", "blue"));
    }
}
