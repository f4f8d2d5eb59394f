//! What a tool does, in one line.

/// The longest line, in characters.
const LONGEST: usize = 160;

/// The first sentence of a description, as one line that is not too long.
pub fn one_line(description: &str) -> String {
    let words: Vec<&str> = description.split_whitespace().collect();
    let whole = words.join(" ");
    let end = |text: &str| text.find(". ").map(|at| at + 1);
    let chinese = |text: &str| text.find('。').map(|at| at + '。'.len_utf8());
    let first = match end(&whole).into_iter().chain(chinese(&whole)).min() {
        Some(at) => &whole[..at],
        None => whole.as_str(),
    };
    if first.chars().count() <= LONGEST {
        return first.to_owned();
    }
    let begin: String = first.chars().take(LONGEST - 1).collect();
    format!("{}…", begin.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_its_first_sentence_on_one_line() {
        for (says, line) in [
            ("Reads a file.\n\nUse it e.g. for text.", "Reads a file."),
            ("Reads\ta  file", "Reads a file"),
            ("查询天气。支持所有城市。", "查询天气。"),
            ("", ""),
        ] {
            assert_eq!(one_line(says), line);
        }
        let long = one_line(&"word ".repeat(200));
        assert!(
            long.chars().count() <= LONGEST && long.ends_with('…'),
            "{long}"
        );
    }
}
