//! Makes words of text, as they are compared: of names in any case, of English sentences, and of
//! languages that write no spaces.
//!
//! Always true here: what is written in small letters and what is written in capitals are the same
//! word, and so are the singular and the plural of most.

use crate::lexicon::is_filler;

/// The words of a text, in order.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in runs(text) {
        if run.is_dense {
            pairs(run.text, &mut words);
            continue;
        }
        let parts = parts(run.text).map(|part| stem(&part.to_lowercase()));
        words.extend(parts.filter(|word| !is_filler(word)));
    }
    words
}

/// A name as it is compared with another one: its letters and digits only, in small letters.
pub(crate) fn bare(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Letters and digits of one kind of writing.
struct Run<'a> {
    text: &'a str,
    is_dense: bool,
}

fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let plain = text.split(|c: char| !c.is_alphanumeric());
    plain.flat_map(|text| {
        let mut runs = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_dense = writes_no_spaces(first);
            let end = rest
                .find(|c| writes_no_spaces(c) != is_dense)
                .unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            runs.push(Run { text, is_dense });
            rest = behind;
        }
        runs
    })
}

/// Whether a character is Chinese, Japanese or Korean.
fn writes_no_spaces(c: char) -> bool {
    matches!(
        c,
        '\u{3040}'..='\u{30FF}'
            | '\u{3400}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{AC00}'..='\u{D7AF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Overlapping pairs of characters; one that stands alone is itself a word.
fn pairs(run: &str, words: &mut Vec<String>) {
    let characters: Vec<char> = run.chars().collect();
    if let [alone] = characters.as_slice() {
        words.push(alone.to_string());
    }
    words.extend(characters.windows(2).map(|pair| pair.iter().collect()));
}

/// The parts of a word in which capitals stand, as `readTextFile` and `HTTPServer`.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let mut begin = 0;
    let characters: Vec<(usize, char)> = word.char_indices().collect();
    let mut parts = Vec::new();
    for at in 1..characters.len() {
        let (before, (place, now)) = (characters[at - 1].1, characters[at]);
        let after = characters.get(at + 1).map(|(_, c)| *c);
        let begins = now.is_uppercase()
            && (before.is_lowercase()
                || before.is_uppercase() && after.is_some_and(char::is_lowercase));
        if begins {
            parts.push(&word[begin..place]);
            begin = place;
        }
    }
    parts.push(&word[begin..]);
    parts.into_iter()
}

/// What an English word has in common with its other forms. Words of other languages lose as little
/// as their last letters.
pub(crate) fn stem(word: &str) -> String {
    if !word.is_ascii() || word.len() <= 3 {
        return word.to_owned();
    }
    let mut stem = word.to_owned();
    for (ending, instead) in [("ies", "y"), ("ied", "y")] {
        if let Some(begin) = word.strip_suffix(ending).filter(|begin| begin.len() >= 2) {
            return format!("{begin}{instead}");
        }
    }
    if let Some(begin) = word.strip_suffix("es")
        && ["s", "x", "z", "ch", "sh"]
            .iter()
            .any(|end| begin.ends_with(end))
    {
        stem = begin.to_owned();
    } else if let Some(begin) = word.strip_suffix('s')
        && !begin.ends_with(['s', 'u', 'i'])
    {
        stem = begin.to_owned();
    }
    for ending in ["ing", "ed"] {
        if let Some(begin) = stem.strip_suffix(ending)
            && begin.len() >= 3
            && begin.contains(['a', 'e', 'i', 'o', 'u', 'y'])
        {
            stem = once_at_the_end(begin);
            break;
        }
    }
    if let Some(begin) = stem.strip_suffix("ion")
        && begin.len() >= 4
        && begin.ends_with(['s', 't'])
    {
        stem = begin.to_owned();
    }
    if stem.len() > 3
        && let Some(begin) = stem.strip_suffix('e')
    {
        stem = begin.to_owned();
    }
    stem
}

/// `runn` is `run`; `call` stays.
fn once_at_the_end(stem: &str) -> String {
    let mut last = stem.chars().rev();
    match (last.next(), last.next()) {
        (Some(last), Some(before)) if last == before && !"lsz".contains(last) => {
            stem[..stem.len() - last.len_utf8()].to_owned()
        }
        _ => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_taken_apart_however_it_is_written() {
        for name in [
            "read_text_file",
            "readTextFile",
            "Read-Text.FILE",
            "reading text files",
        ] {
            assert_eq!(words(name), ["read", "text", "fil"], "{name}");
        }
        assert_eq!(words("HTTPServer v2"), ["http", "server", "v2"]);
        assert_eq!(bare("Files__read.Text"), "filesreadtext");
    }

    #[test]
    fn forms_of_a_word_are_one() {
        for forms in [
            &["create", "creates", "created", "creating", "creation"][..],
            &["query", "queries", "queried"],
            &["search", "searches", "searching"],
            &["stop", "stopped", "stopping", "stops"],
            &["call", "calls", "calling", "called"],
            &["translate", "translation", "translations"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|one| *one == stems[0]), "{stems:?}");
        }
        for same in ["status", "this", "class", "bus", "red", "ring"] {
            assert_eq!(stem(same), same);
        }
    }

    #[test]
    fn what_is_written_without_spaces_becomes_pairs() {
        assert_eq!(words("查询天气"), ["查询", "询天", "天气"]);
        assert_eq!(words("用API查"), ["用", "api", "查"]);
    }

    proptest! {
        #[test]
        fn any_text_becomes_words_in_small_letters(text in "\\PC{0,60}") {
            for word in words(&text) {
                prop_assert!(!word.is_empty() && !word.contains(' '));
            }
        }
    }
}
