//! The jail's own command line: what to start, on which lifeline, and confined to what; or only to
//! try what could be had here.

use crate::lifeline::MISUSED;
use crate::profile::Tier;
use crate::system;
use std::ffi::OsString;
use std::process::ExitCode;

/// Asks whether a namespace can be had: the exit code is 0 if so. Nothing is started.
pub(crate) const TRY_NAMESPACE: &str = "--try-namespace";

/// Asks how strongly a server could be confined here, or what could be had of the tier that follows:
/// the answer is a [`Strength`] on standard output. Nothing is started.
///
/// [`Strength`]: crate::strength::Strength
pub(crate) const SAY_STRENGTH: &str = "--strength";

/// Asks whether a server could be confined by the tier that follows: the exit code is 0 if so.
pub(crate) const TRY_TIER: &str = "--try-tier";

/// Comes first on Windows if a server is to be confined: its command follows. The profile, as JSON,
/// is the first line of standard input.
#[cfg(windows)]
pub const CONFINE: &str = "--confine";

/// What the jail says there as the first line of its output when the server runs; anything else is
/// why it does not.
#[cfg(windows)]
pub const STARTED: &str = "started";

/// Comes first if another jail calls this one, as the first process of the namespace that it has
/// set up.
pub(crate) const AS_FIRST_PROCESS: &str = "--as-first-process";

/// What the jail is told to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    /// The number of the inherited lifeline.
    pub(crate) lifeline: i32,
    /// The number of an inherited file in which the profile stands, as JSON. Without one the server
    /// is not confined.
    pub(crate) profile: Option<i32>,
    pub(crate) command: OsString,
    pub(crate) args: Vec<OsString>,
}

/// Runs the jail. Its exit code is the server's own, or 128 and the number of the signal that ended
/// it.
pub fn main() -> ExitCode {
    let words = || {
        let words = std::env::args_os().skip(1);
        words.skip_while(|word| word == AS_FIRST_PROCESS)
    };
    if words().eq([TRY_NAMESPACE]) {
        return system::try_namespace();
    }
    if words().eq([SAY_STRENGTH]) {
        return system::say_strength(&Tier::ALL);
    }
    if let Some(tier) = tier_after(SAY_STRENGTH, words()) {
        return system::say_strength(&[tier]);
    }
    if let Some(tier) = tier_after(TRY_TIER, words()) {
        return system::try_tier(tier);
    }
    #[cfg(windows)]
    if let Some((command, args)) = confined_command(words()) {
        return system::confine(&command, &args);
    }
    #[cfg(target_os = "linux")]
    if let Some(code) = crate::escape::play(words()) {
        return code;
    }
    match read(words()) {
        Some(launch) => system::run(&launch),
        None => {
            explain(
                "usage: majordomo-jail --lifeline FD [--profile FD] -- COMMAND [ARG…]\nMajordomo starts its servers with this program; it is of no use by itself.",
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
    let mut word = words.next()?;
    let mut profile = None;
    if word == "--profile" {
        let number = words.next()?.to_str()?.parse().ok();
        profile = Some(number.filter(|fd| *fd > 2 && *fd != lifeline)?);
        word = words.next()?;
    }
    if word != "--" {
        return None;
    }
    Some(Launch {
        lifeline,
        profile,
        command: words.next()?,
        args: words.collect(),
    })
}

/// The command after [`CONFINE`], and its arguments.
#[cfg(windows)]
fn confined_command(
    mut words: impl Iterator<Item = OsString>,
) -> Option<(OsString, Vec<OsString>)> {
    words.next().filter(|word| word == CONFINE)?;
    Some((words.next()?, words.collect()))
}

fn tier_after(word: &str, mut words: impl Iterator<Item = OsString>) -> Option<Tier> {
    if words.next()? != word {
        return None;
    }
    Tier::from_word(words.next()?.to_str()?)
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
    fn a_profile_is_another_file_than_the_lifeline() {
        let launch = told("--lifeline 5 --profile 6 -- node --profile 7").unwrap();
        assert_eq!((launch.profile, launch.args.len()), (Some(6), 2));
        for words in [
            "--lifeline 5 --profile 5 -- node",
            "--lifeline 5 --profile 1 -- node",
            "--lifeline 5 --profile -- node",
            "--lifeline 5 --profile 6 node",
        ] {
            assert_eq!(told(words), None, "{words}");
        }
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
