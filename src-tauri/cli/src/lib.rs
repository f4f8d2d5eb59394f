//! `majordomoctl`: the terminal, and the headless host.
//!
//! Always true here:
//! - standard output carries results only, as JSON with `--json`; everything said to a person goes
//!   to standard error;
//! - an answer is read from a terminal that a person sits at, never from a pipe, and
//!   never what was typed before the question stood there.

mod args;
mod ask;
mod ask_call;
mod ask_form;
mod ask_sample;
mod background;
mod commands;
mod date;
pub mod diagnostics;
mod exit;
mod input;
mod link;
mod messages;
mod nearest;
mod print;
mod progress;
mod quote;
mod remember;
mod sentences;
mod values;
mod word;

use args::{Arguments, Command};
use clap::FromArgMatches as _;
use exit::Exit;
use std::pin::Pin;
use std::process::ExitCode;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    sandbox::memory::keep_private();
    sandbox::memory::give_back();
    let parsed = args::command()
        .try_get_matches()
        .and_then(|typed| Arguments::from_arg_matches(&typed));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(problem) => {
            // Help and version come this way too, and are no mistake.
            let code = if problem.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            };
            let _ = problem.print();
            return code.into();
        }
    };
    diagnostics::begin();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(problem) => {
            print::note(format!("the program cannot start: {problem}"));
            return Exit::Other.into();
        }
    };
    // Of what it waits for, the runtime has a copy of the code for each way to wait.
    let work: Pin<Box<dyn Future<Output = Exit>>> = Box::pin(run(arguments));
    let code = runtime.block_on(work);
    // A terminal that is still being read for an answer must not keep the program alive.
    runtime.shutdown_background();
    code.into()
}

async fn run(arguments: Arguments) -> Exit {
    if let Command::Builtin { name } = &arguments.command {
        return match builtin::serve(name).await {
            Ok(()) => Exit::Done,
            Err(problem) => {
                print::note(problem);
                Exit::Server
            }
        };
    }
    match commands::run(arguments).await {
        Ok(exit) => exit,
        Err(error) => {
            print::error(&error);
            Exit::of(&error)
        }
    }
}
