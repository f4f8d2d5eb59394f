//! Other programs: finding, starting and waiting for them.

use crate::place;
use crate::stop::Stop;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The Cargo that started this program.
pub fn cargo<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Absolute, so that programs started from other folders find what was built.
    command
        .args(args)
        .current_dir(place::root())
        .env("CARGO_TARGET_DIR", place::target());
    command
}

/// npm, in a folder.
pub fn npm<I: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(args).current_dir(folder);
    command
}

/// Any other program, in the root of the sources.
pub fn other<I: AsRef<OsStr>>(
    name: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = I>,
) -> Command {
    let mut command = Command::new(name);
    command.args(args).current_dir(place::root());
    command
}

/// Where a program lies, by the system's search path.
pub fn find(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// Runs a program with its output on this terminal and waits; anything but success is a
/// [`Stop::Failed`].
pub fn must(mut command: Command) -> Result<(), Stop> {
    let shown = shown(&command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Stop::Failed(format!(
            "`{shown}` did not succeed ({status})."
        ))),
        Err(error) => Err(Stop::Failed(format!(
            "`{shown}` could not be started: {error}."
        ))),
    }
}

/// What a program prints, if it can be started and succeeds. Its complaints are not shown.
pub fn output(mut command: Command) -> Option<String> {
    let done = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    done.status
        .success()
        .then(|| String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

/// Whether a program can be started and succeeds.
pub fn succeeds(command: Command) -> bool {
    output(command).is_some()
}

/// A command as one would type it, the program without its folder.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let words = std::iter::once(program.file_name().unwrap_or(program.as_os_str()))
        .chain(command.get_args());
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}
