//! Models: official clients of their services judge what the tests take for such services, and a
//! model that somebody has is tried.

use crate::arguments::Arguments;
use crate::desktop_session::DesktopSession;
use crate::program::{cargo, must, other};
use crate::stop::Stop;
use crate::test::within;
use crate::{needs, place, python, system};
use std::env;

/// The promise that tries a model that somebody has.
const TRIAL: &str = "a_model_is_tried_fairly::the_model_that_somebody_names_is_tried_and_only_what_the_host_does_wrong_fails";

/// Official clients read what the stub of the tests answers, and check what we send.
pub fn judge(arguments: &Arguments) -> Result<(), Stop> {
    system::provide(needs::TERMINAL, arguments)?;
    let python = python::provide_judges()?;
    must(cargo([
        "build",
        "--locked",
        "--package",
        "test-servers",
        "--bin",
        "stub-model",
    ]))?;
    // No compiled files beside the sources.
    let mut judge = other(python, ["-B"]);
    judge
        .arg(place::judges().join("judge.py"))
        .arg(place::built("stub-model", place::Profile::Debug))
        .arg(place::model_requests());
    must(judge)
}

/// A model that somebody has does the workflows of the tests, through the host that is built here. It
/// fails where the host does wrong, and not where the model is weak.
pub fn try_one(arguments: &Arguments) -> Result<(), Stop> {
    let trial = &arguments.trial;
    let key = trial
        .choices
        .iter()
        .find(|(choice, _)| *choice == "_KEY_ENV");
    if let Some((_, name)) = key.filter(|(_, name)| env::var_os(name).is_none()) {
        return Err(Stop::Usage(format!(
            "There is no environment variable {name}."
        )));
    }
    system::provide(needs::TESTS, arguments)?;
    // The tests start programs from where Cargo puts them. The same choice twice, so that nothing is
    // built with other features of the same crates.
    let with = |word: &str, more: &[&str]| {
        let mut command = cargo([word, "--locked", "--package", "majordomo"]);
        command.args(["--package", "test-servers", "--no-default-features"]);
        command.args(more);
        command
    };
    must(with("build", &["--bins", "--test", "promises"]))?;
    let session = DesktopSession::start_where_needed()?;
    let mut test = with("test", &["--test", "promises", "--"]);
    test.args(["--exact", "--nocapture", TRIAL]);
    test.env(
        "MAJORDOMO_TRY_MODEL",
        trial.url.as_deref().unwrap_or_default(),
    );
    for (choice, value) in &trial.choices {
        test.env(format!("MAJORDOMO_TRY_MODEL{choice}"), value);
    }
    must(within(session.as_ref(), test))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_promise_that_tries_a_model_is_there() {
        let (file, name) = TRIAL.split_once("::").unwrap();
        let file = place::root().join(format!("tests/promises/{file}.rs"));
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains(&format!("async fn {name}()")));
    }
}
