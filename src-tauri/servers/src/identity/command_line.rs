//! Reads the words of a command line: options, what follows them, and the first word that is
//! neither.

/// The bare name of a program: lower case, without folders, the ending of a program, and a version
/// (`python3.12`).
pub(super) fn program(word: &str) -> String {
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

/// Programs that only start another one, in another way, with those of their options whose value is
/// the next word, and how many words stand before it.
const STARTERS: [(&str, &[&str], usize); 7] = [
    ("nice", &["-n", "--adjustment"], 0),
    ("nohup", &[], 0),
    ("setsid", &[], 0),
    (
        "stdbuf",
        &["-i", "-o", "-e", "--input", "--output", "--error"],
        0,
    ),
    ("ionice", &["-c", "-n", "--class", "--classdata"], 0),
    ("timeout", &["-k", "-s", "--kill-after", "--signal"], 1),
    ("time", &["-f", "-o", "--format", "--output"], 0),
];

/// A program and its words, behind what only passes on to it (`cmd /c npx …`, `env -i NAME=VALUE npx
/// …`, `nice npx …`).
pub(super) fn behind_wrappers<'a>(mut words: &'a [&'a str]) -> &'a [&'a str] {
    loop {
        words = match words {
            [first, flag, rest @ ..]
                if program(first) == "cmd" && flag.eq_ignore_ascii_case("/c") =>
            {
                rest
            }
            [first, rest @ ..] if program(first) == "env" => {
                let Some(rest) = behind_options(rest, &["-u", "--unset"], &["-i", "-", "-0"])
                else {
                    return words;
                };
                let rest = &rest[rest.iter().take_while(|word| word.contains('=')).count()..];
                if rest.is_empty() {
                    return words;
                }
                rest
            }
            [first, rest @ ..] => {
                let name = program(first);
                let Some((_, values, before)) = STARTERS.iter().find(|one| one.0 == name) else {
                    return words;
                };
                let rest = behind_options(rest, values, &[]).and_then(|rest| rest.get(*before..));
                match rest {
                    Some(rest) if !rest.is_empty() => rest,
                    _ => return words,
                }
            }
            words => return words,
        };
    }
}

/// The words behind options. Some options have a value, and others are flags; where any may be a
/// flag, there are none. None for an option that may change what is run.
fn behind_options<'a>(
    mut words: &'a [&'a str],
    values: &[&str],
    flags: &[&str],
) -> Option<&'a [&'a str]> {
    while let [word, rest @ ..] = words {
        let name = word.split_once('=').map_or(*word, |(name, _)| name);
        words = match word {
            word if !word.starts_with('-') => return Some(words),
            word if *word == "--" => return Some(rest),
            word if values.contains(word) => rest.get(1..)?,
            word if flags.is_empty() || flags.contains(word) || values.contains(&name) => rest,
            _ => return None,
        };
    }
    Some(words)
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
    fn what_only_passes_on_is_left_out() {
        assert_eq!(behind_wrappers(&["cmd", "/c", "npx", "a"]), ["npx", "a"]);
        assert_eq!(
            behind_wrappers(&["/usr/bin/env", "A=1", "B=2", "node", "a=b"]),
            ["node", "a=b"]
        );
        for line in [
            "nice npx a",
            "nice -n 5 npx a",
            "nice -5 nohup npx a",
            "env -i -u HOME A=1 npx a",
            "timeout -k 5 10 npx a",
            "stdbuf -oL setsid -w npx a",
            "time env npx a",
        ] {
            let line: Vec<&str> = line.split(' ').collect();
            assert_eq!(behind_wrappers(&line), ["npx", "a"], "{line:?}");
        }
        assert_eq!(behind_wrappers(&["nice"]), ["nice"]);
        assert_eq!(
            behind_wrappers(&["env", "-C", "/x", "node", "y"]),
            ["env", "-C", "/x", "node", "y"]
        );
        assert_eq!(
            behind_wrappers(&["env", "-S", "node x"]),
            ["env", "-S", "node x"]
        );
        assert!(behind_wrappers(&["env"]).len() == 1 && behind_wrappers(&[]).is_empty());
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
