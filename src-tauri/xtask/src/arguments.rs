//! What the person typed after `cargo xtask`.

use crate::place::Profile;
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
  try-model URL
           a model that you have, by the address of its service: three times each, has it change
           money, fetch a picture and order containers, and reports what came of that
  pictures takes pictures of the window, in both themes and languages, and those of the README
  setup    installs what `test` would install, and stops there
  help     this text

Options
  -y, --yes      install system packages without asking (also with CI=true)
  --terminal     run: use the terminal even where there is a display
  --release      run, soak, bench --window: an optimised build (takes longer)
  --dist         run, bench: a build as it is shipped, optimised as a whole (takes longest)
  --parts        bench: the stages of a call by themselves instead
  --window       bench: what a conversation costs in the window instead; `-- --only streaming`
  --service NAME, --model NAME, --context TOKENS, --images, --runs NUMBER
                 try-model: the kind of service (anthropic, responses, chat, gemini, ollama; chat),
                 the model (its first), how much it reads and writes together (what it says), that
                 it can be shown pictures, and how often it is tried (3)
  --key-env NAME try-model: the environment variable that holds the key
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
    /// A model that somebody has is tried with the workflows of the tests.
    TryModel,
    /// Pictures of the window.
    Pictures,
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
    /// A conversation in the window instead of calls.
    pub window: bool,
    /// How it is built.
    pub profile: Profile,
    /// Beginnings of the names of the steps to take; empty for all.
    pub only: Vec<String>,
    /// Which model is tried, and how.
    pub trial: Trial,
    /// Passed on.
    pub rest: Vec<String>,
}

/// Which model is tried, and how.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// The address of its service.
    pub url: Option<String>,
    /// What is chosen: the ending of the variable that tells it to the tests, and its value.
    pub choices: Vec<(&'static str, String)>,
}

impl Trial {
    /// By which variable the tests are told what an option chooses, after `MAJORDOMO_TRY_MODEL`, and
    /// whether it takes a value.
    fn option(word: &str) -> Option<(&'static str, bool)> {
        Some(match word {
            "--model" => ("_NAME", true),
            "--service" => ("_SERVICE", true),
            "--context" => ("_CONTEXT", true),
            "--runs" => ("_RUNS", true),
            "--key-env" => ("_KEY_ENV", true),
            "--images" => ("_IMAGES", false),
            _ => return None,
        })
    }

    /// Takes a word, and of the next ones what belongs to it. Whether it was understood.
    fn take(&mut self, word: &str, words: &mut impl Iterator<Item = String>) -> Result<bool, Stop> {
        if let Some((variable, takes_value)) = Self::option(word) {
            let value = match takes_value {
                true => words.next(),
                false => Some("yes".to_owned()),
            };
            let value = value.ok_or_else(|| Stop::Usage(format!("{word} needs a value.")))?;
            let is_number = value.parse::<u32>().is_ok_and(|number| number > 0);
            if matches!(word, "--context" | "--runs") && !is_number {
                return Err(Stop::Usage(format!(
                    "{word} needs a number, not {value:?}."
                )));
            }
            self.choices.push((variable, value));
            return Ok(true);
        }
        let is_url = word.starts_with("http://") || word.starts_with("https://");
        if is_url && self.url.is_none() {
            self.url = Some(word.to_owned());
            return Ok(true);
        }
        Ok(false)
    }
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
            Some("try-model") => Task::TryModel,
            Some("pictures") => Task::Pictures,
            Some("setup") => Task::Setup,
            None | Some("help" | "--help" | "-h") => Task::Help,
            Some(other) => return Err(Stop::Usage(format!("There is no task {other:?}."))),
        };
        let mut arguments = Self {
            task,
            yes: false,
            terminal: false,
            parts: false,
            window: false,
            profile: Profile::Debug,
            only: Vec::new(),
            trial: Trial::default(),
            rest: Vec::new(),
        };
        while let Some(word) = words.next() {
            match (word.as_str(), task) {
                ("-y" | "--yes", _) => arguments.yes = true,
                ("-h" | "--help", _) => arguments.task = Task::Help,
                ("--terminal", Task::Run) => arguments.terminal = true,
                ("--parts", Task::Bench) => arguments.parts = true,
                ("--window", Task::Bench) => arguments.window = true,
                ("--release", Task::Run | Task::Soak | Task::Bench) => {
                    arguments.profile = Profile::Release;
                }
                ("--dist", Task::Run | Task::Bench) => arguments.profile = Profile::Dist,
                ("--only", Task::Test | Task::Check) => match words.next() {
                    Some(name) => arguments.only.push(name),
                    None => return Err(Stop::Usage("--only needs the name of a step.".to_owned())),
                },
                (word, Task::TryModel) if arguments.trial.take(word, &mut words)? => {}
                ("--", _) => arguments.rest.extend(words.by_ref()),
                _ => {
                    return Err(Stop::Usage(format!(
                        "{word:?} is not understood here; the program's own arguments go after `--`."
                    )));
                }
            }
        }
        if arguments.parts && arguments.profile == Profile::Dist {
            let what =
                "The parts of a call are measured in a profile of their own, without --dist.";
            return Err(Stop::Usage(what.to_owned()));
        }
        if arguments.task == Task::TryModel && arguments.trial.url.is_none() {
            let what = "try-model needs the address of a service, such as http://127.0.0.1:11434.";
            return Err(Stop::Usage(what.to_owned()));
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
            "soak --dist",
            "bench --parts --dist",
            "test --only",
            "try-model",
            "try-model ftp://here",
            "try-model http://here http://there",
            "try-model http://here --model",
            "try-model http://here --runs none",
            "test http://here",
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
    fn a_model_is_tried_at_an_address_with_what_was_chosen() {
        let trial = parse("try-model --runs 1 http://here/v1 --images --key-env KEY")
            .unwrap()
            .trial;
        assert_eq!(trial.url.as_deref(), Some("http://here/v1"));
        let chosen = |word: &str| word.to_owned();
        let choices = [
            ("_RUNS", chosen("1")),
            ("_IMAGES", chosen("yes")),
            ("_KEY_ENV", chosen("KEY")),
        ];
        assert_eq!(trial.choices, choices);
    }

    #[test]
    fn only_takes_the_beginning_of_a_name() {
        let arguments = parse("test --only ui --only doc").unwrap();
        assert!(arguments.wants("ui-lint") && arguments.wants("doc"));
        assert!(!arguments.wants("rust"));
    }
}
