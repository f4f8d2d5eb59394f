//! Models: official clients of their services judge what the tests take for such services.

use crate::arguments::Arguments;
use crate::program::{cargo, must, other};
use crate::stop::Stop;
use crate::{needs, place, python, system};

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
        .arg(place::built("stub-model", false))
        .arg(place::model_requests());
    must(judge)
}
