//! `load`: what a call costs by Majordomo, beside what it costs by the official SDK alone and
//! without anything between.
//!
//! Always true here:
//! - all ways are measured in each round, in an order that is thrown anew, so that what else the
//!   machine does meets all of them;
//! - a ratio is taken inside one round, and what is told is the median over rounds;
//! - what is compared with what was recorded is a ratio, never a time, and none is called worse
//!   that is not so each time it is measured again.

mod arguments;
mod budgets;
mod host_program;
mod ratios;
mod record;
mod rounds;
mod route;
mod table;

use arguments::{Arguments, USAGE};
use load::Failure;
use rounds::Run;
use std::process::ExitCode;

/// How often is looked again where something seems to be worse.
const LOOKS: usize = 2;

fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            complain(&format!("{problem}\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    match load(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            complain(&format!("load: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// Measures and tells. Whether it is as good as what was recorded.
fn load(arguments: &Arguments) -> Result<bool, Failure> {
    // One thread: what is measured has the other cores for itself, and pinning it pins all that it
    // starts.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let run = runtime.block_on(Run::make(arguments))?;
    let table = table::of(&run);
    say(&table);
    if let Some(file) = &arguments.table {
        std::fs::write(file, &table)?;
    }
    if let Some(file) = &arguments.json {
        std::fs::write(file, serde_json::to_string_pretty(&run)?)?;
    }
    let ratios = ratios::medians(&run.rounds);
    if let Some(file) = &arguments.record {
        record::write(file, &ratios)?;
    }
    let Some(file) = &arguments.check else {
        return Ok(true);
    };
    let mut recorded = record::read(file)?;
    recorded.retain(|name, _| ratios::is_wanted(name, &arguments.phases, &arguments.routes));
    let mut worse = record::worse(&ratios, &recorded);
    tell(&worse);
    for _ in 0..LOOKS {
        if worse.is_empty() {
            break;
        }
        say("measured once more: what else the machine did may be to blame");
        let again = runtime.block_on(Run::make(arguments))?;
        let still = record::worse(&ratios::medians(&again.rounds), &recorded);
        worse.retain(|name, _| still.contains_key(name));
        tell(&still);
    }
    let (failed, passed) = (worse.len(), recorded.len() - worse.len());
    say(&format!(
        "ratios beside the recorded ones: {passed} passed, {failed} failed"
    ));
    Ok(worse.is_empty())
}

fn tell(worse: &record::Worse) {
    for line in worse.values() {
        say(&format!("worse: {line}"));
    }
}

#[expect(clippy::print_stdout, reason = "a program that people start by hand")]
fn say(words: &str) {
    println!("{words}");
}

/// Writes on standard error.
#[expect(clippy::print_stderr, reason = "a program that people start by hand")]
fn complain(words: &str) {
    eprintln!("{words}");
}
