//! Reads the line that a shell is told to run, where it is one plain command.
//!
//! Always true here: a line that holds anything but plain words is not read. What a shell would
//! make of it is not guessed.

use super::command_line::program;

/// Shells whose lines are read. The others run files of the person's before any line.
const READ: [&str; 4] = ["sh", "dash", "ash", "bash"];

/// Words that a shell keeps for itself, and what it does without starting a program.
const OWN: &str = "if then else elif fi do done case esac while until for in function select time \
    coproc alias bg bind break builtin caller cd command compgen complete compopt continue declare \
    dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill \
    let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt \
    source suspend test times trap true type typeset ulimit umask unalias unset wait";

/// The same of the shell of Windows.
const OWN_OF_CMD: &str = "assoc break call cd chcp chdir cls color copy date del dir echo endlocal \
    erase exit for ftype goto if md mkdir mklink move path pause popd prompt pushd rd rem ren \
    rename rmdir set setlocal shift start time title type ver verify vol";

/// A line that a shell is told to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// The words of its one plain command; none if it is anything else.
    pub words: Option<Vec<String>>,
    /// Whether the shell runs files of the person's before (`-l`, `-i`).
    pub profile: bool,
}

/// The line that a shell is given by `-c`; none if it is not given one there.
pub(super) fn line(words: &[&str]) -> Option<Line> {
    let (first, rest) = words.split_first()?;
    let shell = program(first);
    match rest {
        [flag, rest @ ..] if shell == "cmd" && flag.eq_ignore_ascii_case("/c") => Some(Line {
            words: of_cmd(rest),
            profile: false,
        }),
        [flags, line, ..] if READ.contains(&shell.as_str()) => {
            let letters = flags.strip_prefix('-')?.strip_suffix('c')?;
            let profile = letters.contains(['l', 'i']);
            letters
                .chars()
                .all(|letter| "euxli".contains(letter))
                .then(|| Line {
                    words: command(line),
                    profile,
                })
        }
        _ => None,
    }
}

/// The words of a text without anything that a shell, or `env -S`, would make something else of.
pub(super) fn plain_words(text: &str) -> Option<Vec<String>> {
    let plain = |c: char| c.is_alphanumeric() || " \t_-./:@,+=%'\"".contains(c);
    shlex::split(text).filter(|_| text.chars().all(plain))
}

/// The words of one plain command.
fn command(line: &str) -> Option<Vec<String>> {
    let mut words = plain_words(line)?;
    if words.first().is_some_and(|word| word == "exec") {
        words.remove(0);
    }
    let first = words.first()?;
    let own = OWN.split_whitespace().any(|own| own == first);
    let starts_plainly = first.starts_with(|c: char| c.is_alphanumeric() || "./_".contains(c));
    // `.` alone reads another file, and a word with `=` is a variable.
    (!own && starts_plainly && first != "." && !first.contains('=')).then_some(words)
}

fn of_cmd(words: &[&str]) -> Option<Vec<String>> {
    let (first, rest) = words.split_first()?;
    let letter = |c: char| c.is_alphanumeric() || "\\_-./:@,+=~#$*?[]{}'".contains(c);
    // What stands between quotes may hold more; the first word decides how they are read.
    let plain = |word: &&str| {
        let quoted = word.contains(' ');
        word.chars()
            .all(|c| letter(c) || (quoted && " ()".contains(c)))
    };
    let name = first.to_lowercase();
    let own = OWN_OF_CMD.split_whitespace().any(|own| own == name);
    let simple = !first.is_empty() && !first.contains([',', '=', ' ']);
    (!own && simple && plain(first) && rest.iter().all(plain))
        .then(|| words.iter().map(|word| (*word).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(line: &str) -> Option<Vec<String>> {
        super::line(&["sh", "-c", line]).unwrap().words
    }

    #[test]
    fn one_plain_command_is_read() {
        for (line, words) in [
            (
                "node server.js --port=1",
                &["node", "server.js", "--port=1"][..],
            ),
            ("exec /opt/server", &["/opt/server"]),
            ("  'my server' \"a b\" ", &["my server", "a b"]),
            ("npx -y @scope/name@1.2", &["npx", "-y", "@scope/name@1.2"]),
        ] {
            assert_eq!(read(line).as_deref().unwrap(), words, "{line}");
        }
        assert!(line(&["bash", "-lc", "node x"]).unwrap().profile);
        assert!(!line(&["/bin/dash", "-euc", "node x"]).unwrap().profile);
    }

    #[test]
    fn anything_else_is_not_read() {
        for line in [
            "",
            "a; b",
            "a && b",
            "a | b",
            "a & b",
            "a\nb",
            "a $B",
            "a `b`",
            "a $(b)",
            "a ~/b",
            "a *.js",
            "a {b,c}",
            "a > b",
            "a \\b",
            "a # b",
            "A=b c",
            "cd a",
            "source a",
            ". a",
            "eval a",
            "if a",
            "exec",
            "exec -a b c",
            "exec exec a",
            "-a",
            "'a",
            "!a",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
        for words in [
            &["sh", "server.sh"][..],
            &["sh", "-s"],
            &["sh", "-c"],
            &["zsh", "-c", "node x"],
            &["bash", "--login", "-c", "node x"],
            &["bash", "-Oc", "node x"],
            &["node", "-c", "x"],
            &[],
        ] {
            assert_eq!(line(words), None, "{words:?}");
        }
    }

    #[test]
    fn the_shell_of_windows_is_read_as_it_reads() {
        let read = |words: &[&str]| {
            let words = [&["cmd.exe", "/C"], words].concat();
            line(&words).unwrap().words.is_some()
        };
        assert!(read(&[
            "npx",
            "-y",
            "@scope/name",
            "C:\\Program Files (x86)\\x"
        ]));
        for words in [
            &["npx", "a&b"][..],
            &["npx", "%A%"],
            &["npx", "a^b"],
            &["start", "npx"],
            &["a b"],
            &["npx", "a|b"],
            &["npx", "\"a"],
            &["npx", "a\nb"],
            &[],
        ] {
            assert!(!read(words), "{words:?}");
        }
    }

    /// Pieces of lines of shells, so that what matters is met often.
    fn lines() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-z./=-]{1,5}",
            "[$`;&|<>(){}*?~!#\\\\\\[\\]^\n]",
            Just(" ".to_owned()),
            Just("'".to_owned()),
            Just("\"".to_owned()),
            Just("exec ".to_owned()),
            any::<char>().prop_map(String::from),
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn a_line_with_anything_but_plain_words_is_never_claimed_as_known(line in lines()) {
            if line.contains(|c: char| "$`;&|<>(){}*?~!#\\[]^\n\r".contains(c) || c.is_control() && c != '\t') {
                prop_assert_eq!(read(&line), None);
            }
        }

        #[test]
        fn what_is_read_is_what_a_shell_would_make_of_it(line in "[a-z ./'\"=-]{0,20}") {
            if let Some(words) = read(&line) {
                prop_assert!(!words[0].is_empty() && !words[0].contains('='));
                prop_assert_eq!(shlex::split(line.trim_start().trim_start_matches("exec ")), Some(words));
            }
        }
    }
}
