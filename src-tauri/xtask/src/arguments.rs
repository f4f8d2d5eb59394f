//! What the person typed after `cargo xtask`.

use crate::stop::Stop;

/// What `cargo xtask help` prints.
pub const HELP: &str = "\
Sets this machine up, then runs or tests Majordomo. Needs Rust and Node.js.

Usage: cargo xtask TASK [OPTIONS] [-- ARGUMENTS]

Tasks
  run      installs what is missing, builds everything and opens the window;
           without a display, starts the same host in this terminal
  test     installs what is missing for the tests and runs all of them
  check    formatting, lints, types and licences only; needs no system packages for tests
  bench    what a call costs, beside its floors; `-- --rounds 5 --pin`
  soak     hostile and honest servers side by side, and what that costs; `-- --minutes 30`
  judge-models
           official clients of services for models, installed from PyPI, read what the stub of the
           tests answers, and check what we send
  setup    installs what `test` would install, and stops there
  help     this text

Options
  -y, --yes      install system packages without asking (also with CI=true)
  --terminal     run: use the terminal even where there is a display
  --release      run, soak: an optimised build (takes longer)
  --parts        bench: the stages of a call by themselves instead
  --only NAME    test, check: only the steps whose name begins with NAME; may be given more than once
  -- ARGUMENTS   run, bench, soak: passed on to the program; test with --only: passed on to that step's program

Steps of `test`, in order
  format ui-lint ui-check ui-test ui-build deny clippy build rust conformance inspection doc browser bench soak

Exit code: 0 done, 1 something failed, 2 usage, or something is missing and was not installed.";

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Open the window, or the host in the terminal.
    Run,
    /// All checks and tests.
    Test,
    /// The checks that need no test machinery.
    Check,
    /// Benchmarks.
    Bench,
    /// Hostile and honest servers side by side.
    Soak,
    /// Official clients of services for models look at what the tests take for such services.
    JudgeModels,
    /// Install what the tests need.
    Setup,
    /// Print the help text.
    Help,
}

/// The whole command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Arguments {
    /// What is to be done.
    pub task: Task,
    /// System packages may be installed without asking.
    pub yes: bool,
    /// No window, even where there is a display.
    pub terminal: bool,
    /// The parts instead of the whole.
    pub parts: bool,
    /// An optimised build.
    pub release: bool,
    /// Beginnings of the names of the steps to take; empty for all.
    pub only: Vec<String>,
    /// Passed on.
    pub rest: Vec<String>,
}

impl Arguments {
    /// Reads what stands after `cargo xtask`. Nothing at all asks for help.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, Stop> {
        let mut words = words.into_iter();
        let task = match words.next().as_deref() {
            Some("run") => Task::Run,
            Some("test") => Task::Test,
            Some("check") => Task::Check,
            Some("bench") => Task::Bench,
            Some("soak") => Task::Soak,
            Some("judge-models") => Task::JudgeModels,
            Some("setup") => Task::Setup,
            None | Some("help" | "--help" | "-h") => Task::Help,
            Some(other) => return Err(Stop::Usage(format!("There is no task {other:?}."))),
        };
        let mut arguments = Self {
            task,
            yes: false,
            terminal: false,
            parts: false,
            release: false,
            only: Vec::new(),
            rest: Vec::new(),
        };
        while let Some(word) = words.next() {
            match (word.as_str(), task) {
                ("-y" | "--yes", _) => arguments.yes = true,
                ("-h" | "--help", _) => arguments.task = Task::Help,
                ("--terminal", Task::Run) => arguments.terminal = true,
                ("--parts", Task::Bench) => arguments.parts = true,
                ("--release", Task::Run | Task::Soak) => arguments.release = true,
                ("--only", Task::Test | Task::Check) => match words.next() {
                    Some(name) => arguments.only.push(name),
                    None => return Err(Stop::Usage("--only needs the name of a step.".to_owned())),
                },
                ("--", _) => arguments.rest.extend(words.by_ref()),
                _ => {
                    return Err(Stop::Usage(format!(
                        "{word:?} is not understood here; the program's own arguments go after `--`."
                    )));
                }
            }
        }
        Ok(arguments)
    }

    /// Whether a step is to be taken.
    pub fn wants(&self, step: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| step.starts_with(name.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, Stop> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn what_stands_after_two_dashes_is_passed_on_untouched() {
        let arguments = parse("run --yes -- --data-dir /tmp/x --yes").unwrap();
        assert_eq!((arguments.task, arguments.yes), (Task::Run, true));
        assert_eq!(arguments.rest, ["--data-dir", "/tmp/x", "--yes"]);
    }

    #[test]
    fn nothing_is_taken_for_a_call_for_help() {
        assert_eq!(parse("").unwrap().task, Task::Help);
        assert_eq!(parse("test --help").unwrap().task, Task::Help);
    }

    #[test]
    fn what_is_not_understood_is_refused_with_exit_code_two() {
        for line in [
            "fly",
            "run --only x",
            "test --terminal",
            "soak --parts",
            "test --only",
            "run --data-dir x",
        ] {
            assert_eq!(
                parse(line).map(|a| a.task).unwrap_err().exit_code(),
                2,
                "{line}"
            );
        }
    }

    #[test]
    fn only_takes_the_beginning_of_a_name() {
        let arguments = parse("test --only ui --only doc").unwrap();
        assert!(arguments.wants("ui-lint") && arguments.wants("doc"));
        assert!(!arguments.wants("rust"));
    }
}
