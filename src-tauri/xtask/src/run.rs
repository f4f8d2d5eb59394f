//! `cargo xtask run`: from a fresh clone to an open window, or to the same host in this terminal.

use crate::arguments::Arguments;
use crate::place::Profile;
use crate::program::{cargo, must, other};
use crate::stop::Stop;
use crate::{needs, node, place, say, system};
use std::env;
use std::process::Command;

/// Installs what is missing, builds everything and starts it. Returns when the program has ended.
pub fn run(arguments: &Arguments) -> Result<(), Stop> {
    let window = !arguments.terminal && has_display();
    if !window && !arguments.terminal {
        say::note(
            "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open.\n\
             The same host starts in this terminal instead.",
        );
    }
    system::provide(
        if window {
            needs::WINDOW
        } else {
            needs::TERMINAL
        },
        arguments,
    )?;
    node::check_version()?;
    node::provide_packages()?;
    node::provide_pages()?;
    build(window, arguments.profile)?;
    start(program(window, arguments))
}

/// Windows and macOS always have one, as far as a program can tell.
fn has_display() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(target_os = "linux")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// All three programs lie in one folder: the window starts its servers through `majordomo-jail`
/// beside it.
fn build(window: bool, profile: Profile) -> Result<(), Stop> {
    say::heading("Building Majordomo (the first time takes some minutes)");
    let mut command = cargo(["build", "--locked", "--package", "majordomo"]);
    if window {
        command.arg("--bins");
    } else {
        // Without the feature `window` nothing of WebKit is needed.
        command.args([
            "--no-default-features",
            "--bin",
            "majordomoctl",
            "--bin",
            "majordomo-jail",
        ]);
    }
    command.args(profile.chosen());
    must(command)
}

fn program(window: bool, arguments: &Arguments) -> Command {
    if window {
        say::heading("Opening the window");
        return other(
            place::built("majordomo", arguments.profile),
            &arguments.rest,
        );
    }
    say::heading("Starting the host in this terminal");
    let mut command = other(
        place::built("majordomoctl", arguments.profile),
        ["serve", "--ui"],
    );
    command.arg(place::ui().join("dist")).args(&arguments.rest);
    command
}

/// The program takes the place of this one, so that it alone gets Ctrl+C and its exit code is the
/// task's.
#[cfg(unix)]
fn start(mut command: Command) -> Result<(), Stop> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(Stop::Failed(format!(
        "`{}` could not be started: {error}.",
        crate::program::shown(&command)
    )))
}

#[cfg(not(unix))]
fn start(command: Command) -> Result<(), Stop> {
    must(command)
}
