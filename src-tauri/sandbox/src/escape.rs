//! The escape suite: programs that try from inside a jail what must not be possible there.
//!
//! Always true here:
//! - an attempt counts as denied only if the same program, in the same scene, succeeds without
//!   walls; where it does not, it could not be tried;
//! - an attempt is judged by what it says and by what is to be seen outside afterwards: a word of
//!   refusal does not help where a file has changed;
//! - what a tier does not promise stands in a table, with its reason, and is not counted as denied;
//! - no attempt harms the computer, not even one that succeeds.

mod bystander;
mod call;
mod computer;
mod descriptors;
mod files;
mod folder;
mod hidden;
mod host;
mod kernel;
mod limits;
mod listeners;
mod memory;
mod network;
mod open;
mod processes;
mod run;
mod scene;
mod targets;

use crate::lifeline::MISUSED;
use crate::profile::Tier;
use crate::unix::words;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use targets::Targets;

/// Calls this program as the one inside: what it tries follows, and the [`Targets`] as JSON.
const ATTEMPT: &str = "--attempt";
/// Calls it as a process that has nothing to do with that one.
const BYSTANDER: &str = "--bystander";
/// What the program inside says before it tries anything: what follows is its answer, and not a
/// program that could not be started.
const READY: &str = "ready";

/// One thing that a program inside tries.
struct Attempt {
    /// What it does, as a sentence.
    name: &'static str,
    /// Does it. What was seen if it succeeded; otherwise why not.
    act: fn(&Targets) -> io::Result<String>,
    /// Who can do it without walls.
    doable: Doable,
    /// What is hidden in the folder that it was given.
    hidden: Hidden,
    /// With whom it may speak.
    contacts: Contacts,
}

/// With whom the program inside may speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contacts {
    /// Nobody.
    Nobody,
    /// Hosts that are listed, on its own network.
    Listed,
    /// Everybody that the computer can reach.
    Everybody,
}

/// What is hidden in the folder that the program inside was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hidden {
    /// Nothing.
    Nothing,
    /// Files and folders.
    There,
    /// Files and folders that are not there.
    Missing,
}

/// Who can do something where there are no walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doable {
    /// Everybody, on every Linux.
    ByAnyone,
    /// Root, on every Linux.
    ByRoot,
    /// Whoever the system lets do it: it depends on its settings, and on how it was built.
    OnSomeSystems,
}

impl Attempt {
    const fn by(
        name: &'static str,
        doable: Doable,
        act: fn(&Targets) -> io::Result<String>,
    ) -> Self {
        Self {
            name,
            act,
            doable,
            hidden: Hidden::Nothing,
            contacts: Contacts::Nobody,
        }
    }

    const fn anyone(name: &'static str, act: fn(&Targets) -> io::Result<String>) -> Self {
        Self::by(name, Doable::ByAnyone, act)
    }

    const fn root(name: &'static str, act: fn(&Targets) -> io::Result<String>) -> Self {
        Self::by(name, Doable::ByRoot, act)
    }

    const fn some(name: &'static str, act: fn(&Targets) -> io::Result<String>) -> Self {
        Self::by(name, Doable::OnSomeSystems, act)
    }

    /// All of them.
    fn all() -> impl Iterator<Item = &'static Self> {
        [
            files::ATTEMPTS,
            folder::ATTEMPTS,
            hidden::ATTEMPTS,
            processes::ATTEMPTS,
            memory::ATTEMPTS,
            network::ATTEMPTS,
            kernel::ATTEMPTS,
            descriptors::ATTEMPTS,
            limits::ATTEMPTS,
        ]
        .into_iter()
        .flatten()
    }
}

/// What became of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It was not possible.
    Denied {
        /// The system's word for why.
        word: String,
    },
    /// It was.
    Escaped {
        /// What was seen, inside or outside.
        seen: String,
    },
}

impl Outcome {
    fn of(result: io::Result<String>) -> Self {
        match result {
            Ok(seen) => Self::Escaped { seen },
            Err(error) => Self::Denied {
                word: words(&error),
            },
        }
    }
}

/// What an attempt says about a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It is possible without walls, and not within them.
    Denied,
    /// It is possible within them.
    Escaped,
    /// It is possible within them, and they are not said to prevent it.
    OpenByDesign {
        /// Why they do not.
        reason: &'static str,
    },
    /// It is not possible here even without walls, so that nothing was shown.
    NotTried,
}

/// One attempt, with and without walls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// What was tried, as a sentence: `reads_a_file_outside`.
    pub name: &'static str,
    /// Who can do it without walls.
    pub doable: Doable,
    /// What became of it within the walls.
    pub jailed: Outcome,
    /// What became of it without them.
    pub control: Outcome,
    /// What that says.
    #[serde(flatten)]
    pub verdict: Verdict,
}

impl Row {
    fn of(
        attempt: &Attempt,
        jailed: Outcome,
        control: Outcome,
        reason: Option<&'static str>,
    ) -> Self {
        let verdict = match (&jailed, &control, reason) {
            (Outcome::Escaped { .. }, _, Some(reason)) => Verdict::OpenByDesign { reason },
            (Outcome::Escaped { .. }, _, None) => Verdict::Escaped,
            (Outcome::Denied { .. }, Outcome::Escaped { .. }, _) => Verdict::Denied,
            (Outcome::Denied { .. }, Outcome::Denied { .. }, _) => Verdict::NotTried,
        };
        Self {
            name: attempt.name,
            doable: attempt.doable,
            jailed,
            control,
            verdict,
        }
    }
}

/// All attempts on one tier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Results {
    /// The tier.
    pub tier: Tier,
    /// One row for each attempt.
    pub rows: Vec<Row>,
}

impl Results {
    /// How many attempts were denied.
    pub fn denied(&self) -> usize {
        self.count(|verdict| verdict == Verdict::Denied)
    }

    /// How many attempts showed something, and should have been denied.
    pub fn counted(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Denied | Verdict::Escaped))
    }

    /// Whether something was tried, and nothing got out.
    pub fn holds(&self) -> bool {
        self.counted() > 0 && self.denied() == self.counted()
    }

    fn count(&self, which: impl Fn(Verdict) -> bool) -> usize {
        self.rows.iter().filter(|row| which(row.verdict)).count()
    }
}

/// Tries everything on one tier: each attempt once without walls and once within them. As `user`
/// (their number, and their group's), whom only root can choose; otherwise as whoever calls.
///
/// # Errors
/// `Unsupported` if the tier cannot be had here; others if the scene cannot be set.
pub fn run(jail: &Path, tier: Tier, user: Option<(u32, u32)>) -> io::Result<Results> {
    let runner = run::Runner { jail, user };
    let strength = runner.strength(tier);
    if strength.tier != Some(tier) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    runner.works(tier)?;
    let rows = Attempt::all()
        .map(|attempt| {
            let control = runner.try_once(attempt, None)?;
            let jailed = runner.try_once(attempt, Some(tier))?;
            let reason = open::reason(attempt.name, tier, strength);
            Ok(Row::of(attempt, jailed, control, reason))
        })
        .collect::<io::Result<_>>()?;
    Ok(Results { tier, rows })
}

/// Plays a part in a scene, if this program was called for one.
pub(crate) fn play(words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let words = words.map(OsString::into_string);
    let words: Vec<String> = words.collect::<Result<_, _>>().ok()?;
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [ATTEMPT, name, targets] => Some(attempt(name, targets)),
        [BYSTANDER] => Some(bystander::stand_by()),
        _ => None,
    }
}

/// Is the program inside: tries one thing and says what became of it.
fn attempt(name: &str, targets: &str) -> ExitCode {
    let attempt = Attempt::all()
        .chain(folder::MUST_WORK)
        .find(|attempt| attempt.name == name);
    let targets = serde_json::from_str::<Targets>(targets).ok();
    let (Some(attempt), Some(mut targets)) = (attempt, targets) else {
        return ExitCode::from(MISUSED);
    };
    match input().and_then(launchers) {
        Ok(launchers) => targets.launchers = launchers,
        // Without them, what is tried against them would try nothing, and look as if it was denied.
        Err(_) => return ExitCode::from(MISUSED),
    }
    let mut answer = io::stdout();
    let answered = writeln!(answer, "{READY}").and_then(|()| {
        let outcome = Outcome::of((attempt.act)(&targets));
        serde_json::to_writer(&mut answer, &outcome)?;
        writeln!(answer)
    });
    answered.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

/// By whom the program inside was started, as the suite says.
fn launchers(input: impl Read) -> io::Result<Vec<i32>> {
    let mut line = String::new();
    BufReader::new(input).read_line(&mut line)?;
    let launchers: Vec<i32> = serde_json::from_str(&line)?;
    match launchers.is_empty() {
        true => Err(io::ErrorKind::InvalidData.into()),
        false => Ok(launchers),
    }
}

/// What the suite says to whoever plays a part.
fn input() -> io::Result<File> {
    rustix::stdio::stdin().try_clone_to_owned().map(File::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(jailed: bool, control: bool) -> Row {
        let outcome = |is_denied| match is_denied {
            true => Outcome::Denied {
                word: String::new(),
            },
            false => Outcome::Escaped {
                seen: String::new(),
            },
        };
        let attempt = Attempt::anyone("tries", |_| Ok(String::new()));
        Row::of(&attempt, outcome(jailed), outcome(control), None)
    }

    fn holds(rows: Vec<Row>) -> bool {
        let tier = Tier::Namespaces;
        Results { tier, rows }.holds()
    }

    #[test]
    fn walls_hold_only_if_something_was_tried_and_nothing_got_out() {
        assert!(holds(vec![row(true, false)]));
        assert!(!holds(vec![row(true, false), row(false, false)]));
        assert!(!holds(Vec::new()));
        assert!(!holds(vec![row(true, true)]));
    }

    #[test]
    fn a_lost_line_about_the_launchers_is_an_error() {
        assert_eq!(launchers(&b"[12,0]\n"[..]).unwrap(), [12, 0]);
        for lost in ["", "\n", "[12,", "[]\n"] {
            assert!(launchers(lost.as_bytes()).is_err(), "{lost:?}");
        }
    }
}
