//! The jail's own command line: what to start, and on which lifeline; or only to try whether a
//! server could get a namespace of its own.

use crate::lifeline::MISUSED;
use crate::system;
use std::ffi::OsString;
use std::process::ExitCode;

/// Asks whether a namespace can be had: the exit code is 0 if so. Nothing is started.
pub(crate) const TRY_NAMESPACE: &str = "--try-namespace";

/// What the jail is told to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    /// The number of the inherited lifeline.
    pub(crate) lifeline: i32,
    pub(crate) command: OsString,
    pub(crate) args: Vec<OsString>,
}

/// Runs the jail. Its exit code is the server's own, or 128 and the number of the signal that ended
/// it.
pub fn main() -> ExitCode {
    let words = || std::env::args_os().skip(1);
    if words().eq([TRY_NAMESPACE]) {
        return system::try_namespace();
    }
    match read(words()) {
        Some(launch) => system::run(&launch),
        None => {
            explain(
                "usage: majordomo-jail --lifeline FD -- COMMAND [ARG…]\nMajordomo starts its servers with this program; it is of no use by itself.",
            );
            ExitCode::from(MISUSED)
        }
    }
}

#[expect(
    clippy::print_stderr,
    reason = "a program of its own, and the only way in which it can speak to a person"
)]
pub(crate) fn explain(sentence: &str) {
    eprintln!("{sentence}");
}

fn read(mut words: impl Iterator<Item = OsString>) -> Option<Launch> {
    if words.next()? != "--lifeline" {
        return None;
    }
    let lifeline = words.next()?.to_str()?.parse().ok().filter(|fd| *fd > 2)?;
    if words.next()? != "--" {
        return None;
    }
    Some(Launch {
        lifeline,
        command: words.next()?,
        args: words.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(words: &str) -> Option<Launch> {
        read(words.split_whitespace().map(OsString::from))
    }

    #[test]
    fn everything_after_the_two_dashes_belongs_to_the_server() {
        let launch = told("--lifeline 5 -- node --lifeline 6 -- x").unwrap();
        assert_eq!(
            (launch.lifeline, launch.command.to_str(), launch.args.len()),
            (5, Some("node"), 4)
        );
    }

    #[test]
    fn without_a_lifeline_of_its_own_nothing_is_started() {
        for words in [
            "",
            "node",
            "--lifeline",
            "--lifeline x -- node",
            "--lifeline 0 -- node",
            "--lifeline 5 node",
            "--lifeline 5 --",
        ] {
            assert_eq!(told(words), None, "{words}");
        }
    }
}
