//! `cargo xtask`: sets a fresh machine up, then starts Majordomo or tests it.
//!
//! Always true here:
//! - nothing but the standard library is needed, so that it builds in seconds where nothing is set
//!   up yet;
//! - nothing is installed on the system before it was said what and how, and agreed to;
//! - it leaves through `main`, with 0 (done), 1 (failed) or 2 (usage, or something is missing).

mod arguments;
mod bench;
mod consent;
mod desktop_session;
mod models;
mod needs;
mod node;
mod place;
mod program;
mod python;
mod run;
mod say;
mod steps;
mod stop;
mod summary;
mod system;
mod test;

use arguments::{Arguments, HELP, Task};
use std::process::ExitCode;
use stop::Stop;

fn main() -> ExitCode {
    match Arguments::parse(std::env::args().skip(1)).and_then(perform) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => {
            say::trouble(&stop.to_string());
            ExitCode::from(stop.exit_code())
        }
    }
}

fn perform(arguments: Arguments) -> Result<(), Stop> {
    match arguments.task {
        Task::Help => {
            say::line(HELP);
            Ok(())
        }
        Task::Setup => test::set_up(&arguments),
        Task::Run => run::run(&arguments),
        Task::Check | Task::Test => test::test(&arguments),
        Task::Bench => bench::bench(&arguments),
        Task::Soak => test::soak(&arguments),
        Task::JudgeModels => models::judge(&arguments),
        Task::TryModel => models::try_one(&arguments),
        Task::Pictures => test::pictures(&arguments),
    }
}
