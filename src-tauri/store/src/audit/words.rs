//! Makes words of text, for the index and for questions to it.
//!
//! Chinese, Japanese and Korean write no spaces, so runs of their characters become overlapping pairs, and the last character once
//! more alone: whatever one looks for then begins at the beginning of a word.

/// Longest text of one row that is searched, in bytes.
const LONGEST: usize = 64 * 1024;

/// The words of a text, separated by spaces.
pub(super) fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len().min(LONGEST) + 16);
    for run in runs(text) {
        let pairs = if run.is_dense { pairs(run.text) } else { vec![run.text] };
        for word in pairs {
            if words.len() + word.len() >= LONGEST {
                return words;
            }
            words.push_str(word);
            words.push(' ');
        }
    }
    words
}

/// An FTS5 question for rows that hold all words of `text`, or beginnings of them; `None` if there is no word in it.
///
/// Only letters and digits get into it, each run in quotes, so that no text can be anything but words to look for.
pub(super) fn question(text: &str) -> Option<String> {
    let terms: Vec<String> = runs(text)
        .map(|run| {
            if !run.is_dense {
                return format!("\"{}\"*", run.text);
            }
            // The pairs of a run stand one behind the other. Its last character alone is only there at the end of a run.
            let pairs = pairs(run.text);
            let phrase = if pairs.len() > 1 { &pairs[..pairs.len() - 1] } else { &pairs[..] };
            format!("\"{}\"*", phrase.join(" "))
        })
        .collect();
    (!terms.is_empty()).then(|| terms.join(" AND "))
}

/// Characters of one kind that stand together.
struct Run<'a> {
    text: &'a str,
    is_dense: bool,
}

fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    text.split(|c: char| !c.is_alphanumeric()).flat_map(|word| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let is_dense = is_dense(rest.chars().next()?);
            let end = rest.find(|c| self::is_dense(c) != is_dense).unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            rest = behind;
            Some(Run { text, is_dense })
        })
    })
}

/// Each character with the one behind it; the last alone.
fn pairs(run: &str) -> Vec<&str> {
    let starts: Vec<usize> = run.char_indices().map(|(place, _)| place).chain([run.len()]).collect();
    (0..starts.len() - 1).map(|index| &run[starts[index]..starts[(index + 2).min(starts.len() - 1)]]).collect()
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
        assert_eq!(question("read_text \"OR\" *").as_deref(), Some("\"read\"* AND \"text\"* AND \"OR\"*"));
        assert_eq!(question("内容").as_deref(), Some("\"内容\"*"));
        assert_eq!(question("件内容").as_deref(), Some("\"件内 内容\"*"));
        assert_eq!(question("文").as_deref(), Some("\"文\"*"));
        assert_eq!(question("\" ( ) \0 -"), None);
    }
}
