//! Names of tools that can be taken for each other.
//!
//! Always true here: equal input gives equal output, and the time for two names is bounded by their
//! length and the distance allowed.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;

/// How two names are alike, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// The very same name.
    Exact,
    /// The same but for large and small letters.
    Case,
    /// The same but for what stands between the words.
    Separator,
    /// Other characters that look the same (Unicode TS 39).
    Confusable,
    /// One slip of the finger apart, or two in a long name.
    Near,
}

/// The longest name that is compared letter by letter, in characters.
const LONGEST: usize = 128;

/// How two names are alike, if they are.
pub fn likeness(one: &str, other: &str) -> Option<Likeness> {
    Spelling::of(one).likeness(&Spelling::of(other))
}

/// A name in the forms in which it is compared with others.
#[derive(Debug, Clone)]
pub(crate) struct Spelling {
    name: String,
    small: String,
    /// The letters and digits alone.
    joined: String,
    looks: String,
    joined_looks: String,
    /// The first of `joined`, and those of them that are no digits.
    letters: Vec<char>,
    words: Vec<char>,
    /// Which letters there are, in 64 classes.
    classes: u64,
}

impl Spelling {
    pub(crate) fn of(name: &str) -> Self {
        let small = name.to_lowercase();
        let joined: String = small.chars().filter(|c| c.is_alphanumeric()).collect();
        let letters: Vec<char> = joined.chars().take(LONGEST).collect();
        let class = |c: &char| 1_u64 << (u32::from(*c) % 64);
        Self {
            name: name.to_owned(),
            looks: looks(name),
            joined_looks: looks(&joined),
            words: letters
                .iter()
                .filter(|c| !c.is_numeric())
                .copied()
                .collect(),
            classes: letters.iter().map(class).fold(0, |all, one| all | one),
            small,
            joined,
            letters,
        }
    }

    /// How two names are alike, if they are.
    pub(crate) fn likeness(&self, other: &Self) -> Option<Likeness> {
        let has_words = !self.joined.is_empty();
        if self.name == other.name {
            Some(Likeness::Exact)
        } else if self.small == other.small {
            Some(Likeness::Case)
        } else if has_words && self.joined == other.joined {
            Some(Likeness::Separator)
        } else if self.looks == other.looks || has_words && self.joined_looks == other.joined_looks
        {
            Some(Likeness::Confusable)
        } else {
            self.is_near(other).then_some(Likeness::Near)
        }
    }

    /// One change apart, or two in a name of twelve letters or more. Names of fewer than five
    /// letters, and names that differ in a number only, are apart on purpose.
    fn is_near(&self, other: &Self) -> bool {
        let shorter = self.letters.len().min(other.letters.len());
        let most: u32 = if shorter >= 12 { 2 } else { 1 };
        // One change takes at most one letter away for good, and brings one.
        let may_be = (self.classes ^ other.classes).count_ones() <= 2 * most;
        may_be
            && (5..LONGEST).contains(&shorter)
            && self.words != other.words
            && within(&self.letters, &other.letters, most as usize)
    }
}

/// Whether a name is written with characters that stand in for others: its look is another name's
/// spelling.
pub fn is_disguised(name: &str) -> bool {
    let plain: String = name.nfkc().collect();
    !name.is_ascii() && (plain != name.nfc().collect::<String>() || looks(name).is_ascii())
}

/// What a name looks like.
fn looks(name: &str) -> String {
    let visible: String = name
        .nfkc()
        .filter(|c| !crate::has_hidden(c.encode_utf8(&mut [0; 4])))
        .collect();
    skeleton(&visible).collect::<String>().to_lowercase()
}

/// Whether so many changes make one of the other: a letter more, less, another, or two in turn.
fn within(one: &[char], other: &[char], most: usize) -> bool {
    if one.len().abs_diff(other.len()) > most {
        return false;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, letter_other) in other.iter().enumerate() {
            let mut least = (last[column] + usize::from(letter != letter_other))
                .min(last[column + 1] + 1)
                .min(next[column] + 1);
            let turned = row > 0
                && column > 0
                && *letter == other[column - 1]
                && one[row - 1] == *letter_other;
            if turned {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        if next.iter().all(|distance| *distance > most) {
            return false;
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().is_some_and(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_alike_in_five_ways() {
        for (one, other, expected) in [
            ("read_file", "read_file", Some(Likeness::Exact)),
            ("read_file", "Read_File", Some(Likeness::Case)),
            ("read_file", "read-file", Some(Likeness::Separator)),
            ("read_file", "readFile", Some(Likeness::Separator)),
            ("read_file", "rеad_file", Some(Likeness::Confusable)),
            ("read_file", "ｒead_file", Some(Likeness::Confusable)),
            ("read_file", "read\u{200B}_file", Some(Likeness::Separator)),
            ("paypal_send", "paypa1_send", Some(Likeness::Confusable)),
            ("read_file", "read_fiel", Some(Likeness::Near)),
            (
                "list_pull_requests",
                "list_pul_reqests",
                Some(Likeness::Near),
            ),
            ("read_file", "write_file", None),
            ("get", "set", None),
            ("step_1", "step_2", None),
        ] {
            assert_eq!(likeness(one, other), expected, "{one} {other}");
            assert_eq!(likeness(other, one), expected, "{other} {one}");
        }
    }

    #[test]
    fn a_disguise_is_seen_without_the_other_name() {
        assert!(is_disguised("rеad_file") && is_disguised("ｒead_file"));
        assert!(!is_disguised("read_file") && !is_disguised("読む") && !is_disguised("lire_été"));
    }
}
