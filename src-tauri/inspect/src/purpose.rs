//! Whether two tools say that they are for the same thing: how alike their words are.
//!
//! Words that occur in many tools count little; order counts nothing. It is a hint for people:
//! equal purposes are common.

use std::collections::{BTreeMap, BTreeSet};

/// From so much likeness on two tools are shown side by side.
pub const NEAR_DUPLICATE: f32 = 0.6;
/// The most words of one tool that are compared.
const MOST: usize = 256;
/// The fewest different words that say what a tool is for.
const FEWEST: usize = 3;

/// Words that every description has, in the form that [`stem`] gives them.
const COMMON: [&str; 40] = [
    "the",
    "and",
    "for",
    "with",
    "from",
    "this",
    "that",
    "tool",
    "use",
    "which",
    "are",
    "can",
    "will",
    "its",
    "you",
    "your",
    "into",
    "all",
    "any",
    "not",
    "has",
    "have",
    "was",
    "were",
    "been",
    "their",
    "them",
    "then",
    "than",
    "when",
    "return",
    "give",
    "provid",
    "option",
    "parameter",
    "input",
    "output",
    "value",
    "result",
    "string",
];

/// The words of trusted tools, for comparing others with.
#[derive(Debug, Clone, Default)]
pub struct Purposes {
    tools: Vec<BTreeSet<String>>,
    /// In how many tools each word occurs.
    counts: BTreeMap<String, u32>,
}

impl Purposes {
    /// The purposes of tools, each given by its name and description.
    pub fn of<'a>(tools: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let tools: Vec<BTreeSet<String>> = tools
            .into_iter()
            .map(|(name, description)| words(name, description))
            .collect();
        let mut counts = BTreeMap::new();
        for word in tools.iter().flatten() {
            *counts.entry(word.clone()).or_insert(0) += 1;
        }
        Self { tools, counts }
    }

    /// The tools that are most like this one, as their index and a likeness between 0 and 1, from
    /// [`NEAR_DUPLICATE`] on, the most alike first.
    pub fn like(&self, name: &str, description: &str) -> Vec<(usize, f32)> {
        let own = words(name, description);
        let mut like: Vec<(usize, f32)> = self
            .tools
            .iter()
            .enumerate()
            .map(|(index, other)| (index, self.likeness(&own, other)))
            .filter(|(_, like)| *like >= NEAR_DUPLICATE)
            .collect();
        like.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        like
    }

    /// The weight of the words that both have, as a share of the weight of all (weighted Jaccard).
    fn likeness(&self, one: &BTreeSet<String>, other: &BTreeSet<String>) -> f32 {
        if one.len().min(other.len()) < FEWEST {
            return 0.0;
        }
        let weight = |words: &mut dyn Iterator<Item = &String>| {
            words.map(|word| self.weight(word)).sum::<f32>()
        };
        let all = weight(&mut one.union(other));
        if all > 0.0 {
            weight(&mut one.intersection(other)) / all
        } else {
            0.0
        }
    }

    fn weight(&self, word: &str) -> f32 {
        let tools = self.tools.len() as f32 + 1.0;
        (1.0 + tools / (1.0 + self.counts.get(word).copied().unwrap_or_default() as f32)).ln()
    }
}

fn words(name: &str, description: &str) -> BTreeSet<String> {
    let name: String = name
        .chars()
        .flat_map(|c| c.is_uppercase().then_some(' ').into_iter().chain([c]))
        .collect();
    let text = format!("{name} {description}").to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric()).flat_map(parts);
    words
        .filter(|word| !COMMON.contains(&word.as_str()))
        .take(MOST)
        .collect()
}

/// A word, or where a script has no spaces every two of its characters.
fn parts(word: &str) -> Vec<String> {
    let dense =
        |c: char| matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF);
    if word.chars().any(dense) {
        let letters: Vec<char> = word.chars().collect();
        return letters
            .windows(2)
            .map(|pair| pair.iter().collect())
            .collect();
    }
    if word.chars().count() < 3 {
        Vec::new()
    } else {
        vec![stem(word)]
    }
}

/// The word without the ending of plural, person and time.
fn stem(word: &str) -> String {
    let endings = ["ing", "ies", "ed", "es", "s", "e"];
    let ending = endings
        .iter()
        .find(|ending| word.len() > ending.len() + 3 && word.ends_with(**ending));
    ending
        .map_or(word, |ending| &word[..word.len() - ending.len()])
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUSTED: [(&str, &str); 4] = [
        (
            "send_email",
            "Sends an email to one or more recipients with a subject and a body.",
        ),
        (
            "search_issues",
            "Search issues of a repository by words, state and label.",
        ),
        (
            "read_file",
            "Reads a file from the workspace and returns its text.",
        ),
        ("查天气", "查询指定城市的天气预报和气温"),
    ];

    #[test]
    fn the_same_purpose_in_other_words_order_is_found() {
        let purposes = Purposes::of(TRUSTED);
        let like = purposes.like(
            "email_sender",
            "Send an email with subject and body to one or more recipients.",
        );
        assert_eq!(like.first().map(|(index, _)| *index), Some(0), "{like:?}");
        assert_eq!(
            purposes
                .like("tianqi", "查询指定城市的天气预报和气温")
                .first()
                .map(|(index, _)| *index),
            Some(3)
        );
    }

    #[test]
    fn another_purpose_is_not() {
        let purposes = Purposes::of(TRUSTED);
        assert!(
            purposes
                .like("delete_branch", "Deletes a branch of a repository.")
                .is_empty()
        );
        assert!(purposes.like("", "").is_empty());
        assert!(
            Purposes::default()
                .like("send_email", "Sends an email to people")
                .is_empty()
        );
    }
}
