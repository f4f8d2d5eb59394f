//! The same finder without a scan for what is plausible: slow, and obviously right.

use super::{Credentials, RULES, at_word, is_likely};
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

static WORDS: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new(RULES.iter().map(|rule| rule.word)).unwrap());

impl Credentials {
    /// All of them, looked for at every word of every rule.
    pub(crate) fn reference(text: &str) -> Self {
        let mut found = Vec::new();
        let mut beyond = [0; RULES.len()];
        for word in WORDS.find_overlapping_iter(text) {
            let index = word.pattern().as_usize();
            let rule = &RULES[index];
            if word.start() < beyond[index] {
                continue;
            }
            match at_word(text, &word.range(), rule) {
                Some(range)
                    if range.start >= beyond[index] && is_likely(&text[range.clone()], rule) =>
                {
                    beyond[index] = range.end;
                    found.push((range, rule));
                }
                _ => beyond[index] = word.end(),
            }
        }
        Self(found)
    }
}
