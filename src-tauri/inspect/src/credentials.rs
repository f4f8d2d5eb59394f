//! Things that have the form of a credential, whoever they belong to.
//!
//! Always true here: an expression sees only the neighbourhood of its word, and what is plainly an
//! example is no finding.

mod plausible;
#[cfg(test)]
mod reference;
mod rules;

use crate::spots::Spots;
use crate::{Finding, FindingKind, Severity};
pub(crate) use plausible::{Led, grams};
use rules::{RULES, Rule};
use std::ops::Range;

/// How far before its word a credential may begin, and behind it end, in bytes.
const BEFORE: usize = 128;
const BEHIND: usize = 512;
/// How long a credential may be that begins with its word, in bytes.
const LONGEST: usize = 8192;
/// The most findings in one text.
const MOST: usize = 256;

/// Words of documentation: a credential with one of them in it is none.
const EXAMPLES: [&str; 16] = [
    "example",
    "xxxx",
    "placeholder",
    "your_",
    "your-",
    "yourtoken",
    "redacted",
    "changeme",
    "dummy",
    "sample",
    "123456789012345",
    "abcdefghij",
    "0000000000",
    "......",
    "fake",
    "foobar",
];

/// What manuals write where a password belongs, letters only.
const STAND_INS: [&str; 12] = [
    "password",
    "mypassword",
    "userpassword",
    "dbpassword",
    "postgrespassword",
    "passwd",
    "passphrase",
    "secret",
    "mysecret",
    "apisecret",
    "clientsecret",
    "accesstoken",
];

/// Finds credentials in a text. The evidence names who issues such ones, never the credential.
pub fn credentials(text: &str) -> Vec<Finding> {
    Credentials::of(text, &Spots::of(text)).findings(text)
}

/// The credentials of one text, in the order in which they were come upon.
#[derive(Debug, Default)]
pub(crate) struct Credentials(Vec<(Range<usize>, &'static Rule)>);

impl Credentials {
    /// All of them, in a text of which it is known what it may hold.
    pub fn of(text: &str, spots: &Spots) -> Self {
        Self(find(text, spots))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is said of them; of so many only the first.
    pub fn findings(&self, text: &str) -> Vec<Finding> {
        let finding = |(range, rule): (Range<usize>, &Rule)| {
            Finding::of(FindingKind::Credential, Severity::High, text, range).showing(rule.name)
        };
        let first = self.0[..self.0.len().min(MOST)].to_vec();
        apart(first).into_iter().map(finding).collect()
    }

    /// Where they stand, in order and apart. Of a private key it is the whole block.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::new();
        for (range, _) in apart(self.0.clone()) {
            let range = range.start..end_of_key(text, &range);
            if places.last().is_none_or(|last| range.start >= last.end) {
                places.push(range);
            }
        }
        places
    }
}

/// In the order of the text, and none that begins inside of another.
fn apart(mut found: Vec<(Range<usize>, &'static Rule)>) -> Vec<(Range<usize>, &'static Rule)> {
    found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    found.dedup_by(|(next, _), (before, _)| next.start < before.end);
    found
}

/// The end of a private key whose first line stands here: its last line, or where the letters end
/// if it was cut off.
fn end_of_key(text: &str, first: &Range<usize>) -> usize {
    if !text[first.clone()].starts_with("-----BEGIN") {
        return first.end;
    }
    let rest = &text[first.end..text.floor_char_boundary((first.end + LONGEST).min(text.len()))];
    let last = rest.find("-----END").and_then(|at| {
        rest[at + 8..]
            .find("-----")
            .map(|behind| at + 8 + behind + 5)
    });
    // Lines may be written as `\n`, and headers of older keys hold colons and commas.
    let of_key =
        |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "+/=\\:,-".contains(c);
    first.end + last.unwrap_or_else(|| rest.find(|c| !of_key(c)).unwrap_or(rest.len()))
}

/// The expressions of all rules with their words, for texts that are made of them.
#[cfg(test)]
pub(crate) fn written_rules() -> Vec<(&'static str, &'static str)> {
    RULES
        .iter()
        .map(|rule| (rule.written(), rule.word))
        .collect()
}

/// What was found, in the order in which the words end that led to it.
fn find(text: &str, spots: &Spots) -> Vec<(Range<usize>, &'static Rule)> {
    let mut found: Vec<(Range<usize>, Range<usize>, &Rule)> = Vec::new();
    for (index, places) in &spots.credentials {
        let rule = &RULES[*index];
        if rule.leads() {
            let words = places.iter().map(|start| *start..*start + rule.word.len());
            of_rule(text, rule, words.map(|word| (word, true)), &mut found);
        } else {
            // The neighbourhood of a word may hold the credential of the next one.
            let near = |word: &Range<usize>| {
                let next =
                    places.partition_point(|place| place + BEFORE + rule.word.len() < word.start);
                places
                    .get(next)
                    .is_some_and(|place| *place <= word.end + BEHIND)
            };
            let words = words(text, rule.word).map(|word| (word.clone(), near(&word)));
            of_rule(text, rule, words, &mut found);
        }
    }
    found.sort_by_key(|(word, ..)| (word.end, word.start));
    found
        .into_iter()
        .map(|(_, range, rule)| (range, rule))
        .collect()
}

/// Every place of a word.
fn words<'a>(text: &'a str, word: &'static str) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text.get(from..)?.find(word)?;
        from = start + 1;
        Some(start..start + word.len())
    })
}

/// Looks at the words of one rule, in their order, where it is said to be worth it, and notes with
/// which of them something was found.
fn of_rule(
    text: &str,
    rule: &'static Rule,
    words: impl Iterator<Item = (Range<usize>, bool)>,
    found: &mut Vec<(Range<usize>, Range<usize>, &'static Rule)>,
) {
    let mut beyond = 0;
    for (word, is_near) in words {
        // What has already been found is not looked at again.
        if word.start < beyond {
            continue;
        }
        match is_near.then(|| at_word(text, &word, rule)).flatten() {
            Some(range) if range.start >= beyond && is_likely(&text[range.clone()], rule) => {
                beyond = range.end;
                found.push((word, range, rule));
            }
            _ => beyond = word.end,
        }
    }
}

/// Where the credential stands that this word belongs to.
fn at_word(text: &str, word: &Range<usize>, rule: &Rule) -> Option<Range<usize>> {
    let (from, reach) = if rule.leads() {
        (word.start, LONGEST)
    } else {
        (word.start.saturating_sub(BEFORE), BEHIND)
    };
    let from = text.ceil_char_boundary(from);
    let to = text.floor_char_boundary((word.end + reach).min(text.len()));
    if rule.leads()
        && from
            .checked_sub(1)
            .and_then(|before| text.as_bytes().get(before))
            .is_some_and(in_word)
    {
        return None;
    }
    // Another one may stand before it, closely.
    let of_word = |captures: &regex::Captures<'_>| {
        captures
            .get(0)
            .is_some_and(|whole| from + whole.end() > word.start)
    };
    let captures = rule.regex()?.captures_iter(&text[from..to]).find(of_word)?;
    let range = captures.get(1).or_else(|| captures.get(0))?.range();
    Some(from + range.start..from + range.end)
}

fn in_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

fn is_likely(credential: &str, rule: &Rule) -> bool {
    let small = credential.to_ascii_lowercase();
    let letters: String = small.chars().filter(char::is_ascii_alphanumeric).collect();
    entropy(credential) >= rule.entropy
        && !EXAMPLES.iter().any(|example| small.contains(example))
        && !STAND_INS.contains(&letters.as_str())
}

/// Shannon entropy in bits a byte.
fn entropy(text: &str) -> f32 {
    let mut counts = [0_u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let length = text.len().max(1) as f32;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| *count as f32 / length)
        .map(|share| -share * share.log2())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issued_credentials_are_found_and_not_repeated() {
        // Put together here, so that no scanner of repositories takes this file for a leak.
        let body = "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY3zA5b";
        for (name, text) in [
            ("GitHub", format!("token ghp{}{}", "_", &body[..36])),
            ("AWS", format!("key=AKI{}", "AQ3TMZ2WXK5LRN7VB")),
            ("GitLab", format!("glpat{}{}", "-", &body[..20])),
            ("Stripe", format!("sk_li{}_{}", "ve", &body[..24])),
            ("npm", format!("npm{}{}", "_", &body[..36])),
            (
                "private key",
                format!("-----BEGIN RSA PRIVATE {}-----", "KEY"),
            ),
            (
                "password in an address",
                format!("postgres://admin:{}@db.local/x", &body[..12]),
            ),
        ] {
            let findings = credentials(&text);
            assert_eq!(
                findings.first().map(|finding| finding.evidence.as_str()),
                Some(name),
                "{text}"
            );
        }
    }

    #[test]
    fn examples_of_manuals_are_left_alone() {
        for text in [
            concat!("AKIA", "IOSFODNN7EXAMPLE"),
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "https://user:password@example.com is refused",
            "postgresql://username:password@localhost:5432/db",
            "cloudinary://api_key:api_secret@cloud_name",
            "sk-ant-... and Bearer tokens",
            "postgres://user:${PASSWORD}@host/db",
        ] {
            let findings = credentials(text);
            assert!(
                findings.is_empty() || text.contains("user:password"),
                "{text}: {findings:?}"
            );
        }
    }
}
