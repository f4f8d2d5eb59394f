//! Windows: the host itself holds its servers, each in a Job Object that ends with it. No jail is
//! needed there.

use crate::launch::{Launch, explain};
use crate::lifeline::MISUSED;
use crate::profile::Tier;
use std::process::ExitCode;

/// Says so, and starts nothing.
pub(crate) fn run(launch: &Launch) -> ExitCode {
    explain(&format!(
        "On Windows, Majordomo holds its servers in a Job Object of its own; {} (with {} arguments, lifeline {}) was not started.",
        launch.command.to_string_lossy(),
        launch.args.len(),
        launch.lifeline
    ));
    ExitCode::from(MISUSED)
}

/// Nothing confines a server on Windows yet, and nothing is said to.
pub(crate) fn say_strength(_tiers: &[Tier]) -> ExitCode {
    ExitCode::SUCCESS
}

/// See [`say_strength`].
pub(crate) fn try_tier(_tier: Tier) -> ExitCode {
    ExitCode::FAILURE
}

/// Windows knows no PID namespaces.
pub(crate) fn try_namespace() -> ExitCode {
    ExitCode::FAILURE
}
