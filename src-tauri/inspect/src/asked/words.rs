//! The words of a text as its reader hears them, and what parts them.
//!
//! Always true here: how a word is written does not hide it. Capitals, marks over letters, letters of
//! other scripts that look alike, digits in their place and what stands unseen make no difference.

use crate::plain::Plain;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// What parts a word from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// A space, a hyphen, or the end of a part of a name such as `apiKey`.
    Space,
    /// A mark within a sentence.
    Mark,
    /// The end of a sentence.
    Stop,
}

/// One word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    /// What stands before it.
    pub gap: Gap,
}

/// How `1` is read between letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum One {
    L,
    I,
}

/// The words of a text in small letters, what is written together taken apart, and digits for letters
/// read as the letters.
pub(super) fn words_of(said: &str, one: One) -> Vec<Word> {
    let mut apart = String::with_capacity(said.len() + 8);
    let mut before = ' ';
    for c in said.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            apart.push(' ');
        }
        apart.push(c);
        before = c;
    }
    let mut words = Vec::new();
    let (mut word, mut gap) = (String::new(), Gap::Stop);
    for c in bare(&Plain::of(&apart).text) {
        if c.is_alphanumeric() || matches!(c, '@' | '$') {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            let text = letters(&std::mem::take(&mut word), one);
            words.push(Word { text, gap });
            gap = Gap::Space;
        }
        gap = gap.max(match c {
            '.' | '!' | '?' | ';' | '\n' | '。' | '؟' | '।' => Gap::Stop,
            ' ' | '-' | '_' | '\'' | '\u{2010}' => Gap::Space,
            _ => Gap::Mark,
        });
    }
    if !word.is_empty() {
        let text = letters(&word, one);
        words.push(Word { text, gap });
    }
    words
}

/// A text without anything but letters and digits, for scripts that put no space between words.
pub(super) fn solid(said: &str) -> String {
    bare(&Plain::of(said).text)
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// The letters of a plain text without what stands over or under them.
fn bare(plain: &str) -> impl Iterator<Item = char> + '_ {
    plain.nfd().filter(|c| !is_combining_mark(*c))
}

fn letters(word: &str, one: One) -> String {
    // What is a word by itself with its digits, such as "2fa", stays so.
    let is_number = !word.chars().any(char::is_alphabetic);
    if is_number || matches!(word, "2fa" | "cvv2" | "cvc2" | "oauth2") {
        return word.to_owned();
    }
    word.chars().map(|c| letter(c, one)).collect()
}

/// The letter for which a digit or mark stands.
pub(super) fn letter(c: char, one: One) -> char {
    match c {
        '0' => 'o',
        '1' if one == One::I => 'i',
        '1' => 'l',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        words_of(text, One::L)
            .into_iter()
            .map(|word| word.text)
            .collect()
    }

    #[test]
    fn a_word_is_the_same_however_it_is_written() {
        for text in [
            "Password",
            "P@SSW0RD",
            "pa$$word",
            "Pass\u{200B}word",
            "Раssword",
            "p\u{301}assword",
            "ｐａｓｓｗｏｒｄ",
        ] {
            assert_eq!(said(text), ["password"], "{text}");
        }
        assert_eq!(said("accessToken"), ["access", "token"]);
        assert_eq!(said("contraseña"), ["contrasena"]);
    }

    #[test]
    fn what_parts_two_words_is_known() {
        let gaps: Vec<Gap> = words_of("One two-three, four. Five", One::L)
            .into_iter()
            .map(|word| word.gap)
            .collect();
        assert_eq!(
            gaps,
            [Gap::Stop, Gap::Space, Gap::Space, Gap::Mark, Gap::Stop]
        );
    }
}
