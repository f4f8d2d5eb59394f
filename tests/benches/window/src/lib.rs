//! What use costs in the real window, beside what it may cost: conversations with models, long
//! lists, and the start.
//!
//! Always true here:
//! - what is measured is the program as a person has it, driven from outside: its window under
//!   WebKitWebDriver, a model that follows a script, servers as processes of their own;
//! - each scene has a window of its own on a folder of its own;
//! - a figure is told beside its goal, and a goal that is missed fails nothing: what else the machine
//!   does is in all of them.

#![cfg(target_os = "linux")]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on has failed, and nobody calls it"
)]

mod arguments;
mod figure;
mod folder;
mod long_conversation;
mod meter;
mod prose;
mod scenes;
mod server;
mod surroundings;
mod table;
mod talk;

use arguments::{Arguments, USAGE};
use serde_json::json;
use std::process::ExitCode;
use surroundings::Surroundings;

/// Measures what the arguments of the process ask for, and tells it.
#[tokio::main]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that people start by hand"
)]
pub async fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let mut surroundings = Surroundings::now();
    let mut figures = Vec::new();
    for scene in arguments.scenes {
        eprintln!("{} …", scene.name());
        figures.extend(scene.measure().await);
    }
    surroundings.ended();
    let table = table::of(&surroundings, &figures);
    println!("{table}");
    if let Some(file) = arguments.table {
        std::fs::write(file, &table).unwrap();
    }
    if let Some(file) = arguments.json {
        let all = json!({"surroundings": surroundings, "figures": figures});
        std::fs::write(file, all.to_string()).unwrap();
    }
    ExitCode::SUCCESS
}
