//! Whether two tools say that they are for the same thing: how alike their words are.
//!
//! Words that occur in many tools count little; order counts nothing. It is a hint for people:
//! equal purposes are common.

use std::collections::{BTreeSet, HashMap};

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
    tools: Vec<Words>,
    /// The number of each word that occurs.
    numbers: HashMap<String, u32>,
    /// How much each counts, by its number.
    weights: Vec<f32>,
}

/// The words of one tool.
#[derive(Debug, Clone)]
struct Words {
    /// Those that occur in tools, by their numbers, in order.
    known: Vec<u32>,
    /// How many there are, known or not, and how much all of them count.
    count: usize,
    weight: f32,
}

impl Purposes {
    /// The purposes of tools, each given by its name and description.
    pub fn of<'a>(tools: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let tools: Vec<BTreeSet<String>> = tools
            .into_iter()
            .map(|(name, description)| words(name, description))
            .collect();
        let mut purposes = Self::default();
        let mut counts: Vec<u32> = Vec::new();
        for word in tools.iter().flatten() {
            let next = counts.len();
            let number = *purposes
                .numbers
                .entry(word.clone())
                .or_insert_with(|| u32::try_from(next).unwrap_or(u32::MAX));
            match counts.get_mut(number as usize) {
                Some(count) => *count += 1,
                None => counts.push(1),
            }
        }
        let weight = |count: &u32| weight(*count, tools.len());
        purposes.weights = counts.iter().map(weight).collect();
        purposes.tools = tools
            .iter()
            .map(|words| purposes.weighed(words, tools.len()))
            .collect();
        purposes
    }

    /// The tools that are most like this one, as their index and a likeness between 0 and 1, from
    /// [`NEAR_DUPLICATE`] on, the most alike first.
    pub fn like(&self, name: &str, description: &str) -> Vec<(usize, f32)> {
        let own = self.weighed(&words(name, description), self.tools.len());
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

    fn weighed(&self, words: &BTreeSet<String>, tools: usize) -> Words {
        let number = |word: &String| self.numbers.get(word).copied();
        let mut known: Vec<u32> = words.iter().filter_map(number).collect();
        known.sort_unstable();
        let unknown = (words.len() - known.len()) as f32 * weight(0, tools);
        Words {
            count: words.len(),
            weight: unknown + known.iter().map(|word| self.weight(*word)).sum::<f32>(),
            known,
        }
    }

    /// The weight of the words that both have, as a share of the weight of all (weighted Jaccard).
    fn likeness(&self, one: &Words, other: &Words) -> f32 {
        let (less, more) = (one.weight.min(other.weight), one.weight.max(other.weight));
        // Even if one had all words of the other.
        if one.count.min(other.count) < FEWEST || less < more * (NEAR_DUPLICATE - 0.01) {
            return 0.0;
        }
        let (mut shared, mut others) = (0.0, other.known.iter().peekable());
        for word in &one.known {
            while others.next_if(|other| *other < word).is_some() {}
            if others.next_if(|other| *other == word).is_some() {
                shared += self.weight(*word);
            }
        }
        shared / (one.weight + other.weight - shared)
    }

    fn weight(&self, number: u32) -> f32 {
        self.weights
            .get(number as usize)
            .copied()
            .unwrap_or_default()
    }
}

/// How much a word counts that occurs in so many of so many tools.
fn weight(count: u32, tools: usize) -> f32 {
    let tools = tools as f32 + 1.0;
    (1.0 + tools / (1.0 + count as f32)).ln()
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
