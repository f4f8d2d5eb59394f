//! What a call costs: the load beside its floors, the parts by themselves, and the step of the
//! tests that compares with what was recorded. And what a conversation costs in the window.

use crate::arguments::Arguments;
use crate::desktop_session::DesktopSession;
use crate::place::Profile;
use crate::program::{cargo, must, other};
use crate::steps::Step;
use crate::stop::Stop;
use crate::test::{build_with_pages, within};
use crate::{needs, place, say, system};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What the step measures: enough to see twice as much, in less than two minutes.
const SHORT: [&str; 2] = [
    "--rounds 3 --seconds 0.5 --only c1,c64,1mib --routes stdio,http,inside,door,bridge,session",
    "--rounds 1 --growth 5000 --only growth --routes inside",
];

/// The benchmarks. They need a keyring, and a display where they are of the window.
pub fn bench(arguments: &Arguments) -> Result<(), Stop> {
    system::provide(needs::TESTS, arguments)?;
    if arguments.window {
        window(arguments)
    } else if arguments.parts {
        parts(&arguments.rest)
    } else {
        whole(arguments)
    }
}

/// A conversation in the real window.
fn window(arguments: &Arguments) -> Result<(), Stop> {
    if !cfg!(target_os = "linux") {
        let why = "The window can be driven on Linux only.";
        return Err(Stop::Failed(why.to_owned()));
    }
    build_with_pages(arguments)?;
    measured(
        &place::built("window-bench", arguments.profile),
        &arguments.rest,
        "window",
    )
}

/// The whole of a call, beside its floors; the table and the figures lie in the target folder.
fn whole(arguments: &Arguments) -> Result<(), Stop> {
    let profile = match arguments.profile {
        Profile::Debug => Profile::Release,
        chosen => chosen,
    };
    // All in one, so that none of them is built with other features of the same crates.
    let mut build = cargo([
        "build",
        "--locked",
        "--package",
        "majordomo",
        "--package",
        "load",
        "--no-default-features",
        "--bins",
    ]);
    build.args(profile.chosen());
    must(build)?;
    measured(&place::built("load", profile), &arguments.rest, "load")
}

/// Has a program measure; its table and its figures are kept under this name.
fn measured(program: &Path, rest: &[String], name: &str) -> Result<(), Stop> {
    let folder = place::target().join("bench");
    fs::create_dir_all(&folder).map_err(|problem| {
        Stop::Failed(format!("{} cannot be made: {problem}.", folder.display()))
    })?;
    let table = folder.join(format!("{name}.md"));
    let figures = folder.join(format!("{name}.json"));
    let session = DesktopSession::start_where_needed()?;
    let mut measure = other(program, rest);
    measure
        .arg("--table")
        .arg(&table)
        .arg("--json")
        .arg(&figures);
    must(within(session.as_ref(), measure))?;
    say::note(&format!(
        "The table is {}, the figures are {}.",
        table.display(),
        figures.display()
    ));
    Ok(())
}

/// The stages of a call by themselves.
fn parts(rest: &[String]) -> Result<(), Stop> {
    // The benchmarks start it from where Cargo puts programs of their profile.
    must(cargo([
        "build",
        "--locked",
        "--release",
        "--package",
        "test-servers",
    ]))?;
    let session = DesktopSession::start_where_needed()?;
    let mut command = cargo([
        "bench",
        "--locked",
        "--package",
        "majordomo",
        "--no-default-features",
        "--bench",
        "*",
    ]);
    if !rest.is_empty() {
        command.arg("--").args(rest);
    }
    must(within(session.as_ref(), command))
}

/// A short load, whose ratios must not be far from the recorded ones.
pub fn step(name: &'static str, session: Option<&DesktopSession>) -> Step {
    if !cfg!(target_os = "linux") {
        return Step::left_out(
            name,
            "what it compares with was recorded on Linux; `cargo xtask bench` measures here",
        );
    }
    if std::env::var_os("CI").is_none() {
        return Step::left_out(
            name,
            "it wants the machine for two minutes; CI=true takes it, and `cargo xtask bench` measures more",
        );
    }
    Step {
        name,
        work: Ok(short().map(|load| within(session, load)).into()),
    }
}

fn short() -> [Command; 2] {
    SHORT.map(|words| {
        let mut load = other(place::built("load", Profile::Debug), words.split(' '));
        load.arg("--check").arg(place::recorded_ratios());
        load
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_load_is_compared_with_what_was_recorded() {
        for command in short() {
            let last = command.get_args().last().map(std::path::Path::new);
            assert!(last.is_some_and(std::path::Path::is_file), "{command:?}");
        }
    }
}
