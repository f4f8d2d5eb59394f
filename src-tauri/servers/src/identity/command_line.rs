//! Reads the words of a command line: options, what follows them, and the first word that is
//! neither.

/// The bare name of a program: lower case, without folders, the ending of a program, and a version
/// (`python3.12`).
pub(crate) fn program(word: &str) -> String {
    let file = word
        .trim()
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let stem = [".exe", ".cmd", ".bat"]
        .iter()
        .find_map(|end| file.strip_suffix(end))
        .unwrap_or(&file);
    stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
        .to_owned()
}

/// What an option is followed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// Nothing that belongs to it.
    Nothing,
    /// Its value is the next word.
    Value,
    /// Nothing behind it can be told.
    Stop,
}

/// The options that stand first, each with its value, and the words behind them.
pub(super) fn split<'a>(
    words: &'a [&'a str],
    kind: impl Fn(&str) -> Follows,
) -> (Vec<(&'a str, Option<&'a str>)>, &'a [&'a str]) {
    let mut options = Vec::new();
    let mut rest = words;
    while let [word, behind @ ..] = rest {
        if *word == "--" {
            return (options, behind);
        }
        if !word.starts_with('-') || *word == "-" {
            break;
        }
        if let Some((name, value)) = word.split_once('=').filter(|_| word.starts_with("--")) {
            options.push((name, Some(value)));
            rest = behind;
            continue;
        }
        match kind(word) {
            Follows::Nothing => {
                options.push((word, None));
                rest = behind;
            }
            Follows::Value => {
                options.push((word, behind.first().copied()));
                rest = behind.get(1..).unwrap_or_default();
            }
            Follows::Stop => return (options, &[]),
        }
    }
    (options, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_called_by_its_bare_name() {
        for (word, name) in [
            ("npx", "npx"),
            ("/usr/bin/python3.12", "python"),
            ("C:\\node\\NPX.cmd", "npx"),
            ("", ""),
        ] {
            assert_eq!(program(word), name);
        }
    }

    #[test]
    fn options_end_at_the_first_word_that_is_none_or_at_two_dashes() {
        let kind = |word: &str| match word {
            "-p" => Follows::Value,
            "-c" => Follows::Stop,
            _ => Follows::Nothing,
        };
        assert_eq!(
            split(&["-y", "-p", "a", "--b=c", "d", "-e"], kind),
            (
                vec![("-y", None), ("-p", Some("a")), ("--b", Some("c"))],
                ["d", "-e"].as_slice()
            )
        );
        assert_eq!(split(&["-y", "--", "-d"], kind).1, ["-d"]);
        assert!(split(&["-c", "code", "d"], kind).1.is_empty());
        assert_eq!(split(&["-p"], kind).0, [("-p", None)]);
    }
}
