//! What a command line starts in the end, behind programs that only start another one.
//!
//! Always true here: a program that starts another in a way that is not read is named; its own
//! words are never taken for what runs.

use super::command_line::program;
use super::shell;

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

/// Programs that start another one, and whose words are not read.
const OPAQUE: &str = "sudo doas su pkexec runas gsudo gosu runuser setpriv xargs parallel watch \
    flock script chroot unshare nsenter bwrap firejail proot fakeroot systemd-run start-stop-daemon \
    tini dumb-init dbus-run-session xvfb-run taskset chrt caffeinate strace ltrace gdb valgrind wine \
    ssh find busybox awk gawk powershell pwsh osascript wscript cscript mshta rundll32 regsvr32 \
    direnv mise asdf poetry pipenv conda mamba hatch pdm rye nix nix-shell cargo go make just task \
    zsh fish csh tcsh ksh";

/// How often one may start another.
const DEEPEST: usize = 8;

/// What a command line starts in the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Started {
    /// The program and its words; none if they are not read.
    pub words: Vec<String>,
    /// Whether other programs stand before it.
    pub behind: bool,
    /// Variables that are set on the way to it, with their values.
    pub variables: Vec<(String, String)>,
    /// The words of programs that start what is not read.
    pub unknown: Option<String>,
}

impl Started {
    /// The words, as they are read.
    pub fn line(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }
}

/// One step of the way.
enum Step<'a> {
    /// What stands there is what runs.
    Here,
    /// Another one is started, by the words that follow.
    Behind(&'a [&'a str]),
    /// Another one is started, by words of another text.
    Read(shell::Line),
    /// Another one is started, and by which words is not read.
    Unknown,
}

/// A program and its words, behind what only passes on to it (`cmd /c npx …`, `env -i NAME=VALUE npx
/// …`, `nice npx …`).
pub(super) fn behind_wrappers<'a>(mut words: &'a [&'a str]) -> &'a [&'a str] {
    while let Step::Behind(rest) = step(words) {
        words = rest;
    }
    words
}

/// What is started in the end, lines of shells included.
pub(super) fn started(line: &[&str]) -> Started {
    let mut found = Started {
        words: line.iter().map(|word| (*word).to_owned()).collect(),
        ..Started::default()
    };
    for _ in 0..DEEPEST {
        let words = found.line();
        let next = match step(&words) {
            Step::Here => return found,
            Step::Unknown => break,
            Step::Behind(rest) => {
                let before = &words[..words.len() - rest.len()];
                let assigned = before
                    .iter()
                    .skip(1)
                    .filter_map(|word| word.split_once('='));
                let variables: Vec<_> = assigned
                    .filter(|(name, _)| !name.starts_with('-'))
                    .map(|(name, value)| (name.to_owned(), value.to_owned()))
                    .collect();
                let rest = rest.iter().map(|word| (*word).to_owned()).collect();
                found.variables.extend(variables);
                rest
            }
            Step::Read(line) => {
                let Some(next) = line.words else { break };
                if line.profile {
                    found.unknown = Some(named(&words));
                }
                next
            }
        };
        found.behind = true;
        found.words = next;
    }
    found.unknown = Some(named(&found.line()));
    found.words.clear();
    found
}

/// What the words that are not read begin with: the program, and the option behind it.
fn named(words: &[&str]) -> String {
    let first = words.first().map(|word| program(word)).unwrap_or_default();
    match words.get(1).filter(|word| word.starts_with(['-', '/'])) {
        Some(option) if option.len() < 8 => format!("{first} {option}"),
        _ => first,
    }
}

fn step<'a>(words: &'a [&'a str]) -> Step<'a> {
    let Some((first, rest)) = words.split_first() else {
        return Step::Here;
    };
    let name = program(first);
    if let Some(line) = shell::line(words) {
        // What the shell of Windows is given are words already.
        return match (name == "cmd", line.words.is_some()) {
            (true, true) => Step::Behind(&rest[1..]),
            _ => Step::Read(line),
        };
    }
    if name == "env" {
        return env(rest);
    }
    if let Some((_, values, before)) = STARTERS.iter().find(|one| one.0 == name) {
        return match behind_options(rest, values, &[]).and_then(|rest| rest.get(*before..)) {
            Some(rest) if !rest.is_empty() => Step::Behind(rest),
            _ => Step::Unknown,
        };
    }
    if name == "cmd" || OPAQUE.split_whitespace().any(|opaque| opaque == name) {
        return Step::Unknown;
    }
    Step::Here
}

fn env<'a>(rest: &'a [&'a str]) -> Step<'a> {
    if let Some(words) = split_string(rest) {
        return Step::Read(shell::Line {
            words,
            profile: false,
        });
    }
    let Some(rest) = behind_options(rest, &["-u", "--unset"], &["-i", "-", "-0"]) else {
        return Step::Unknown;
    };
    let rest = &rest[rest.iter().take_while(|word| word.contains('=')).count()..];
    if rest.is_empty() {
        Step::Unknown
    } else {
        Step::Behind(rest)
    }
}

/// The words of `env -S TEXT …`, as `env` reads them then; none within if the text is not plain.
fn split_string(rest: &[&str]) -> Option<Option<Vec<String>>> {
    let (first, behind) = rest.split_first()?;
    let (text, behind) = match first.strip_prefix("--split-string") {
        Some("") => behind.split_first().map(|(text, rest)| (*text, rest))?,
        Some(text) => (text.strip_prefix('=')?, behind),
        None => match first.strip_prefix("-S")? {
            "" => behind.split_first().map(|(text, rest)| (*text, rest))?,
            text => (text, behind),
        },
    };
    let words = shell::plain_words(text).map(|words| {
        std::iter::once("env".to_owned())
            .chain(words)
            .chain(behind.iter().map(|word| (*word).to_owned()))
            .collect()
    });
    Some(words)
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        for line in [
            &["nice"][..],
            &["env", "-C", "/x", "node", "y"],
            &["env", "-S", "node x"],
            &["env"],
            &[],
        ] {
            assert_eq!(behind_wrappers(line), line);
        }
    }

    fn found(line: &[&str]) -> (String, Option<String>) {
        let found = started(line);
        (found.words.join(" "), found.unknown)
    }

    #[test]
    fn what_a_shell_or_env_is_told_is_read_where_it_is_plain() {
        for (line, words) in [
            (&["sh", "-c", "exec node x --y"][..], "node x --y"),
            (&["/bin/bash", "-ec", "nice node x"], "node x"),
            (&["env", "-S", "A=b node -u x", "y"], "node -u x y"),
            (&["env", "-Snode x"], "node x"),
            (&["env", "--split-string=node x"], "node x"),
            (&["cmd", "/c", "npx", "x"], "npx x"),
            (&["nice", "sh", "-c", "env node x"], "node x"),
            (&["node", "x"], "node x"),
        ] {
            assert_eq!(found(line), (words.to_owned(), None), "{line:?}");
        }
        let set = started(&["env", "-u", "X", "A=b", "sh", "-c", "node x=y"]);
        assert_eq!(set.variables, [("A".to_owned(), "b".to_owned())]);
    }

    #[test]
    fn what_is_not_read_is_named() {
        for (line, unknown) in [
            (&["sh", "-c", "a && b"][..], "sh -c"),
            (&["bash", "-lc", "node x"], "bash -lc"),
            (&["nice", "sh", "-c", "a; b"], "sh -c"),
            (&["cmd", "/c", "a&b"], "cmd /c"),
            (&["cmd", "/k", "a"], "cmd /k"),
            (&["powershell.exe", "-Command", "a"], "powershell"),
            (&["env", "-C", "/x", "node", "y"], "env -C"),
            (&["env", "-S", "node ${X}"], "env -S"),
            (&["xargs", "node"], "xargs"),
            (&["sudo", "-n", "node", "x"], "sudo -n"),
            (&["timeout", "5"], "timeout"),
        ] {
            assert_eq!(found(line).1.as_deref(), Some(unknown), "{line:?}");
        }
        let deep = ["env"; 20];
        assert_eq!(found(&deep).1.as_deref(), Some("env"));
    }

    proptest! {
        #[test]
        fn any_command_line_is_read_to_an_end(line in prop::collection::vec(
            prop_oneof![
                Just("sh".to_owned()), Just("-c".to_owned()), Just("env".to_owned()),
                Just("-S".to_owned()), Just("cmd".to_owned()), Just("/c".to_owned()),
                Just("nice".to_owned()), Just("timeout".to_owned()), Just("A=b".to_owned()),
                Just("--".to_owned()), Just("sh -c env".to_owned()), ".{0,6}",
            ], 0..10)) {
            let words: Vec<&str> = line.iter().map(String::as_str).collect();
            let found = started(&words);
            // `sh` alone reads what runs from its input, or from a file.
            let first = found.words.first().map(|word| program(word)).unwrap_or_default();
            prop_assert!(!["cmd", "env", "nice", "timeout"].contains(&first.as_str()), "{found:?}");
            prop_assert!(!found.words.is_empty() || found.unknown.is_some() || words.is_empty());
            prop_assert!(words.len() >= behind_wrappers(&words).len());
        }
    }
}
