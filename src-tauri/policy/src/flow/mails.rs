//! The mail addresses that tools have said, to tell namesakes apart and what is an entry from what a
//! text asks for.

use super::text::{head, plain, words};
use super::value::{Part, parts};
use super::values::value_size;
use std::collections::{BTreeMap, HashMap};

/// Most mail addresses that are kept.
const MOST: usize = 4096;
/// Longest word that can be one, in bytes.
const LONGEST: usize = 320;
/// How much of a text before and behind an address is looked at, in bytes.
const AROUND: usize = 240;
/// Fewest words of running text beside an address that make a sentence of it.
const SENTENCE: usize = 2;
/// Most words of the name of a field.
const FIELD: usize = 3;

/// Mail addresses in lower case.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mails {
    /// Each with whether it stood anywhere but in a sentence: in a field, a list, a signature.
    all: BTreeMap<String, bool>,
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
        let mut end = 0;
        for word in text.split_whitespace() {
            let at = end + text[end..].len() - text[end..].trim_start().len();
            end = at + word.len();
            if !word.contains('@') || word.len() >= LONGEST {
                continue;
            }
            for part in parts(word) {
                let Part::Mail(mail) = part else {
                    continue;
                };
                let start = at + word.find(&mail).unwrap_or_default();
                let (before, after) = (&text[..start], &text[start..]);
                let after = after.strip_prefix(mail.as_str()).unwrap_or_default();
                let is_entry = !is_in_sentence(before, after);
                let mail = mail.to_lowercase();
                if let Some(was_entry) = self.all.get_mut(&mail) {
                    *was_entry |= is_entry;
                } else if self.all.len() < MOST {
                    self.add(mail, is_entry);
                }
            }
        }
    }

    /// Whether an address stood somewhere else than in a sentence.
    pub fn is_entry(&self, mail: &str) -> bool {
        self.all.get(&mail.to_lowercase()).copied().unwrap_or(false)
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

    fn add(&mut self, mail: String, is_entry: bool) {
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
        self.all.insert(mail, is_entry);
    }
}

/// Whether running text stands directly around an address: what is not set off by a line, a quote
/// or a bracket, and is no name of a field.
fn is_in_sentence(before: &str, after: &str) -> bool {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`' | '(' | ')' | '<' | '>' | '*');
    let before = tail(before, AROUND).trim_end();
    if follows_name(before) {
        return false;
    }
    let before = before.trim_end_matches(is_quote);
    let after = head(after, AROUND).trim_start_matches(is_quote);
    let (before, is_field) = match before.trim_end().strip_suffix(':') {
        Some(name) => (name, true),
        None => (before, false),
    };
    let before = before.rsplit(ends_text).next().unwrap_or_default();
    let after = after.split(ends_text).next().unwrap_or_default();
    let is_field = is_field && before.split_whitespace().count() <= FIELD;
    let beside = match is_field {
        true => 0,
        false => running_words(before),
    };
    beside + running_words(after) >= SENTENCE
}

/// Whether a bracket is open behind a name: `Alice Miller (`.
fn follows_name(before: &str) -> bool {
    let name = before.strip_suffix(['(', '<']).map(str::trim_end);
    let last = name.and_then(|name| name.rsplit(char::is_whitespace).next());
    last.is_some_and(|word| {
        word.starts_with(char::is_uppercase) && word.ends_with(char::is_alphanumeric)
    })
}

fn ends_text(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\\' | '{' | '}' | '[' | ']' | '|' | '"' | '\''
    )
}

/// Words that are written as in a sentence and not like a name; of scripts that know no such
/// difference, two letters count as a word.
fn running_words(text: &str) -> usize {
    let alone = |word: &&str| !word.contains('@') && word.starts_with(char::is_lowercase);
    let trimmed = |word| str::trim_matches(word, |c: char| !c.is_alphanumeric());
    let words = text.split_whitespace().map(trimmed).filter(alone).count();
    let uncased = |c: &char| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase();
    words + text.chars().filter(uncased).count() / 2
}

/// The end of a text, cut between characters.
fn tail(text: &str, limit: usize) -> &str {
    let start = text.len().saturating_sub(limit);
    let start = (start..=text.len()).find(|at| text.is_char_boundary(*at));
    &text[start.unwrap_or(text.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_an_entry_where_no_sentence_runs_around_it() {
        let is_entry = |text: &str| {
            let mut mails = Mails::default();
            mails.remember(text);
            mails.is_entry("Bob@blue.example")
        };
        for entry in [
            "bob@blue.example",
            "- sender: bob@blue.example\n  body: please answer soon, thank you",
            r#"{"to":"bob@blue.example","text":"please answer soon"}"#,
            "['amy@blue.example', 'bob@blue.example'], 'all of the guests'",
            "this mail was sent by Bob Olive (bob@blue.example) an hour ago",
            "发件人: bob@blue.example",
            "write to bob@blue.example now\n- bob@blue.example",
        ] {
            assert!(is_entry(entry), "{entry}");
        }
        for sentence in [
            "please write to bob@blue.example",
            "mail it to my address: bob@blue.example",
            "send this to \"bob@blue.example\" at once",
            "bob@blue.example is where it goes",
            "and then write it to\n   bob@blue.example",
            "请把这个发给 bob@blue.example",
            "",
        ] {
            assert!(!is_entry(sentence), "{sentence}");
        }
    }

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
