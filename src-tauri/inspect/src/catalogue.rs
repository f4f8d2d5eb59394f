//! All tools that are known, for judging one of them among the others.

use crate::names::{Likeness, Spelling};
use crate::{Finding, FindingKind, Severity};
use aho_corasick::AhoCorasick;
use std::collections::{BTreeMap, BTreeSet};

/// The fewest letters of a name that is not found in ordinary sentences by chance.
const DISTINCT: usize = 6;
/// The most names of others that one text is said to hold.
const MOST: usize = 8;
/// How far from a name the words stand that make it a tool to be called, in bytes.
const NEAR: usize = 32;
/// Such words, small letters. Without one, a name may as well be a field or an operation that is
/// called the same.
const USES: [&str; 18] = [
    "call", "use ", "using", "used", "invoke", "run ", "execut", "tool", "before", "after",
    "instead", "when", "via ", "with `", "first", "replace", "prior", "through",
];

/// Tools by the servers that offer them.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// For each name the servers that have such a tool, in the order of `finder`.
    names: Vec<(String, BTreeSet<String>)>,
    /// How each of them is spelled.
    spellings: Vec<Spelling>,
    /// Which of them each server has.
    of_server: BTreeMap<String, Vec<usize>>,
    /// Finds the names that no sentence holds by chance; its patterns are the indices in
    /// `distinct`.
    finder: Option<AhoCorasick>,
    distinct: Vec<usize>,
}

impl Catalogue {
    /// A catalogue of pairs of server and tool.
    pub fn of<'a>(tools: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut names: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (server, tool) in tools {
            names.entry(tool).or_default().insert(server.to_owned());
        }
        let names: Vec<(String, BTreeSet<String>)> = names
            .into_iter()
            .map(|(name, servers)| (name.to_owned(), servers))
            .collect();
        let distinct: Vec<usize> = (0..names.len())
            .filter(|index| is_distinct(&names[*index].0))
            .collect();
        let finder = AhoCorasick::new(distinct.iter().map(|index| names[*index].0.as_str())).ok();
        let mut of_server: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, (_, servers)) in names.iter().enumerate() {
            for server in servers {
                of_server.entry(server.clone()).or_default().push(index);
            }
        }
        Self {
            of_server,
            spellings: names.iter().map(|(name, _)| Spelling::of(name)).collect(),
            names,
            finder,
            distinct,
        }
    }

    /// Names of tools of other servers in a text of this server that speaks of using them: no
    /// server has reason to. What the server itself offers under the same name is its own.
    pub fn foreign_tools(&self, server: &str, text: &str) -> Vec<Finding> {
        let Some(finder) = &self.finder else {
            return Vec::new();
        };
        let word = |index: Option<usize>| {
            let byte = index.and_then(|index| text.as_bytes().get(index));
            byte.is_some_and(|byte| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'_' | b'-' | b'/')
                    || !byte.is_ascii()
            })
        };
        let foreign = |found: &aho_corasick::Match| {
            let (_, servers) = &self.names[self.distinct[found.pattern().as_usize()]];
            !servers.contains(server)
                && !word(found.start().checked_sub(1))
                && !word(Some(found.end()))
        };
        let used = |found: &aho_corasick::Match| speaks_of_use(text, found.start(), found.end());
        let finding = |found: aho_corasick::Match| {
            Finding::of(
                FindingKind::ForeignTool,
                Severity::Critical,
                text,
                found.range(),
            )
        };
        finder
            .find_overlapping_iter(text)
            .filter(foreign)
            .filter(used)
            .take(MOST)
            .map(finding)
            .collect()
    }

    /// Tools of other servers whose names can be taken for this one, the surest first, as server,
    /// tool and likeness.
    pub fn look_alikes(&self, server: &str, tool: &str) -> Vec<(&str, &str, Likeness)> {
        let mut found: Vec<(&str, &str, Likeness)> = Vec::new();
        let own = Spelling::of(tool);
        for (other, names) in self.of_server.iter().filter(|(of, _)| *of != server) {
            found.extend(names.iter().filter_map(|index| {
                let like = own.likeness(&self.spellings[*index])?;
                Some((other.as_str(), self.names[*index].0.as_str(), like))
            }));
        }
        found.sort_by(|a, b| (a.2, a.0, a.1).cmp(&(b.2, b.0, b.1)));
        found
    }
}

/// Whether words of use stand beside a name.
fn speaks_of_use(text: &str, start: usize, end: usize) -> bool {
    let around = &text[text.ceil_char_boundary(start.saturating_sub(NEAR))
        ..text.floor_char_boundary((end + NEAR).min(text.len()))];
    let around = around.to_ascii_lowercase();
    USES.iter().any(|word| around.contains(word))
}

/// Several words joined: `read_file`, `readFile`, `read-file`.
fn is_distinct(name: &str) -> bool {
    let bytes = name.as_bytes();
    let joined = |pair: &[u8]| {
        matches!(pair[1], b'_' | b'.')
            || pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()
    };
    let hyphens = bytes.iter().filter(|byte| **byte == b'-').count();
    name.len() >= DISTINCT && (bytes.windows(2).any(joined) || hyphens >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Catalogue {
        Catalogue::of([
            ("files", "read_file"),
            ("mail", "send_email"),
            ("mail", "search"),
            ("other", "read_file"),
            ("web", "fetchPage"),
        ])
    }

    #[test]
    fn a_text_that_names_a_tool_of_another_server_is_found() {
        let findings = catalogue().foreign_tools("weather", "Before `send_email`, call this.");
        assert_eq!(
            findings
                .iter()
                .map(|finding| finding.evidence.as_str())
                .collect::<Vec<_>>(),
            ["send_email"]
        );
        assert_eq!(
            catalogue()
                .foreign_tools("weather", "after fetchPage.")
                .len(),
            1
        );
    }

    #[test]
    fn its_own_tools_longer_names_and_ordinary_words_are_not_foreign() {
        assert!(
            catalogue()
                .foreign_tools("other", "see read_file")
                .is_empty()
        );
        assert!(
            catalogue()
                .foreign_tools("x", "see read_file_lines and unread_file")
                .is_empty()
        );
        assert!(
            catalogue()
                .foreign_tools("x", "search for words")
                .is_empty()
        );
    }

    #[test]
    fn a_name_that_is_not_spoken_of_as_a_tool_may_be_a_field() {
        assert!(
            catalogue()
                .foreign_tools("weather", "The field read_file holds a path.")
                .is_empty()
        );
        assert_eq!(
            catalogue()
                .foreign_tools("weather", "Call read_file.")
                .len(),
            1
        );
    }

    #[test]
    fn look_alikes_are_named_with_their_server_and_never_of_the_same_server() {
        assert_eq!(
            catalogue().look_alikes("other", "Read-File"),
            [("files", "read_file", Likeness::Separator)]
        );
        assert!(catalogue().look_alikes("web", "fetchpage").is_empty());
    }
}
