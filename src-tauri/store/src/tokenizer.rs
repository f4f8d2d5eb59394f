//! Makes words of text, for the indexes of the log and of conversations, and for questions to them.
//!
//! Chinese, Japanese and Korean write no spaces, so runs of their characters become overlapping
//! pairs, and the last character once more alone: whatever one looks for then begins at the
//! beginning of a word.

use std::borrow::Cow;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Longest text of one row that is searched, in bytes.
const LONGEST: usize = 64 * 1024;
/// The longest beginnings that have lists of their own in the index, in characters.
const LONGEST_BEGINNING: usize = 8;
/// Begins a mark. No text that is looked for holds it.
const FACET: char = '\u{E000}';

/// A word that is in no text: it says that the row is of `kind` `name`.
pub(crate) fn facet(kind: &str, name: &str) -> String {
    let letters = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric());
    let mut facet = String::with_capacity(FACET.len_utf8() + kind.len() + name.len());
    facet.push(FACET);
    facet.push_str(kind);
    facet.extend(letters);
    facet
}

/// The words of a text, separated by spaces.
pub(crate) fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len().min(LONGEST) + 16);
    for run in runs(&composed(text)) {
        let has_room = if run.is_dense {
            pairs(run.text)
                .into_iter()
                .all(|pair| put(&mut words, pair))
        } else if run.text.is_ascii() {
            let start = words.len();
            let has_room = put(&mut words, run.text);
            words[start..].make_ascii_lowercase();
            has_room
        } else {
            put(&mut words, &plain(run.text))
        };
        if !has_room {
            break;
        }
    }
    words
}

/// Puts a word behind others, if there is room for it.
fn put(words: &mut String, word: &str) -> bool {
    if word.is_empty() {
        return true;
    }
    if words.len() + word.len() >= LONGEST {
        return false;
    }
    words.push_str(word);
    words.push(' ');
    true
}

/// What rows are looked for by: all of these words, or beginnings of them. Only letters and digits
/// get into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sought {
    /// Words that stand one behind the other, with a space between; of the last only the beginning.
    terms: Vec<String>,
}

impl Sought {
    /// Reads what a person typed; `None` if there is no word in it.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let terms: Vec<String> = runs(&composed(text))
            .map(|run| {
                if !run.is_dense {
                    return plain(run.text);
                }
                // The pairs of a run stand one behind the other. Its last character alone is only
                // there at the end of a run.
                let pairs = pairs(run.text);
                let phrase = if pairs.len() > 1 {
                    &pairs[..pairs.len() - 1]
                } else {
                    &pairs[..]
                };
                phrase.join(" ")
            })
            .filter(|term| !term.is_empty())
            .collect();
        (!terms.is_empty()).then_some(Self { terms })
    }

    /// Whether [`words`] of a text hold it.
    pub(crate) fn is_in(&self, words: &str) -> bool {
        self.terms.iter().all(|term| {
            let mut rest = words;
            while let Some(place) = rest.find(term.as_str()) {
                if place == 0 && rest.len() == words.len() || rest[..place].ends_with(' ') {
                    return true;
                }
                // Behind the first character of what was found; a word may begin within it.
                let next = place + rest[place..].chars().next().map_or(1, char::len_utf8);
                rest = &rest[next..];
            }
            false
        })
    }

    /// The question for FTS5, with `facets`. It finds every row that holds what is sought, and a few
    /// that do not: the index knows neither the order of words nor long beginnings. Each word
    /// stands in quotes, so that no text can be anything but words.
    pub(crate) fn question(&self, facets: &[String]) -> String {
        let mut asked: Vec<String> = facets.iter().map(|facet| format!("\"{facet}\"")).collect();
        for term in &self.terms {
            let (whole, last) = term
                .rsplit_once(' ')
                .map_or((None, term.as_str()), |(whole, last)| (Some(whole), last));
            asked.extend(
                whole
                    .into_iter()
                    .flat_map(|words| words.split(' '))
                    .map(|word| format!("\"{word}\"")),
            );
            let beginning: String = last.chars().take(LONGEST_BEGINNING).collect();
            asked.push(format!("\"{beginning}\"*"));
        }
        asked.join(" AND ")
    }
}

/// Lower case, without accents and other marks.
fn plain(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// A letter and its marks as one character, where there is one: files and keyboards give the same
/// text in either form.
fn composed(text: &str) -> Cow<'_, str> {
    if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().take(LONGEST).collect())
    }
}

/// Characters of one kind that stand together.
struct Run<'a> {
    text: &'a str,
    is_dense: bool,
}

fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    // A mark for which there is no character with its letter belongs to the word all the same.
    let is_of_a_word = |c: char| c.is_alphanumeric() || (is_combining_mark(c) && !is_dense(c));
    text.split(move |c: char| !is_of_a_word(c))
        .flat_map(|word| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let is_dense = is_dense(rest.chars().next()?);
                let end = rest
                    .find(|c| self::is_dense(c) != is_dense)
                    .unwrap_or(rest.len());
                let (text, behind) = rest.split_at(end);
                rest = behind;
                Some(Run { text, is_dense })
            })
        })
}

/// Each character with the one behind it; the last alone.
fn pairs(run: &str) -> Vec<&str> {
    let starts: Vec<usize> = run
        .char_indices()
        .map(|(place, _)| place)
        .chain([run.len()])
        .collect();
    (0..starts.len() - 1)
        .map(|index| &run[starts[index]..starts[(index + 2).min(starts.len() - 1)]])
        .collect()
}

/// Whether a character is of a script that writes no spaces.
fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}' | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_scripts_without_spaces_become_pairs() {
        assert_eq!(words("read 文件内容 now"), "read 文件 件内 内容 容 now ");
        assert_eq!(words("v2文"), "v2 文 ");
    }

    #[test]
    fn any_text_becomes_a_harmless_question() {
        let question = |text: &str| Sought::of(text).map(|sought| sought.question(&[]));
        assert_eq!(
            question("read_text \"OR\" *").as_deref(),
            Some("\"read\"* AND \"text\"* AND \"or\"*")
        );
        assert_eq!(question("内容").as_deref(), Some("\"内容\"*"));
        assert_eq!(
            question("件内容").as_deref(),
            Some("\"件内\" AND \"内容\"*")
        );
        assert_eq!(question("文").as_deref(), Some("\"文\"*"));
        assert_eq!(question("\" ( ) \0 -"), None);
        assert_eq!(question("conversation").as_deref(), Some("\"conversa\"*"));
        assert_eq!(
            Sought::of("a")
                .unwrap()
                .question(&[facet("server", "My-Mail")]),
            "\"\u{E000}servermymail\" AND \"a\"*"
        );
        assert_eq!(
            question("\u{E000}servermymail").as_deref(),
            Some("\"servermy\"*")
        );
    }

    #[test]
    fn a_letter_with_its_marks_is_the_same_however_it_is_written() {
        let decomposed = |text: &str| text.nfd().collect::<String>();
        for text in [
            "Zürich",
            "naïve Café",
            "Việt Nam",
            "각하 한국어",
            "ガギグ",
            "x\u{302}y\u{302}z",
            "\u{301}",
        ] {
            assert_eq!(words(&decomposed(text)), words(text), "{text}");
            assert_eq!(Sought::of(&decomposed(text)), Sought::of(text), "{text}");
        }
        assert_eq!(words(&decomposed("Zürich")), "zurich ");
        assert_eq!(words("x\u{302}y\u{302}z"), "xyz ");
        assert_eq!(Sought::of("\u{301}"), None);
    }

    #[test]
    fn words_are_found_by_their_beginnings_and_nothing_else() {
        let words = words("Weather in Zürich, 读取文件内容 for the weatherman");
        for (text, found) in [
            ("weather", true),
            ("zur", true),
            ("ZÜR", true),
            ("rich", false),
            ("man", false),
            ("weatherm", true),
            ("取文件", true),
            ("文件读", false),
            ("容", true),
            ("weather nothing", false),
            ("eather", false),
        ] {
            assert_eq!(Sought::of(text).unwrap().is_in(&words), found, "{text}");
        }
    }
}
