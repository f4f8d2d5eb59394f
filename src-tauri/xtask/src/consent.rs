//! Asks before something is installed on the system.
//!
//! Always true here: without a terminal, and without `--yes` or `CI=true`, the answer is no.

use crate::say;
use std::env;
use std::io::{self, IsTerminal};

/// What the person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Yes: typed, or given beforehand.
    Given,
    /// No, or nothing.
    Withheld,
    /// There is nobody to ask.
    NobodyThere,
}

/// Asks, unless the answer was given beforehand. What will be done must have been said already.
#[expect(
    clippy::disallowed_methods,
    reason = "a program of the workshop, which is not shipped"
)]
pub fn ask(given_beforehand: bool) -> Consent {
    if given_beforehand || env::var("CI").is_ok_and(|value| matches!(value.as_str(), "true" | "1"))
    {
        return Consent::Given;
    }
    if !io::stdin().is_terminal() {
        return Consent::NobodyThere;
    }
    say::ask("Do this now? [y/N] ");
    let mut answer = String::new();
    match io::stdin().read_line(&mut answer) {
        Ok(_) if matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") => Consent::Given,
        _ => Consent::Withheld,
    }
}
