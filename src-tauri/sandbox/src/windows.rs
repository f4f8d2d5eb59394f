//! Windows: a server that is confined runs in an AppContainer of its own, which the jail makes and
//! starts it in. The host holds the jail, and with it the server, in a Job Object that ends with the
//! host; one that is not confined needs no jail.
//!
//! What the jail is told comes first on its standard input, and what became of the start first on
//! its standard output. All that follows on both is the server's own.
//!
//! Not verified: nobody has run the escape suite on Windows yet.

mod container;
mod job;
mod process;

use crate::command_line;
use crate::launch::{Launch, STARTED, explain};
use crate::lifeline::MISUSED;
use crate::profile::{Profile, Tier};
use crate::strength::{Bounds, Strength};
use container::Container;
use process::{Code, Suspended};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A server that is not confined needs no jail: nothing is started.
pub(crate) fn run(launch: &Launch) -> ExitCode {
    explain(&format!(
        "On Windows, Majordomo itself holds servers that are not confined; {} (with {} arguments, lifeline {}) was not started.",
        launch.command.to_string_lossy(),
        launch.args.len(),
        launch.lifeline
    ));
    ExitCode::from(MISUSED)
}

/// Runs a confined server from start to end. Its exit code becomes the jail's.
pub(crate) fn confine(command: &OsString, args: &[OsString]) -> ExitCode {
    match start(Path::new(command), args) {
        #[expect(
            clippy::disallowed_methods,
            reason = "a code of Windows does not fit into an exit code of the standard library"
        )]
        Ok(code) => std::process::exit(code),
        Err(problem) => {
            // Whoever asked may have gone.
            let _ = report(&one_line(&problem.to_string()));
            ExitCode::from(MISUSED)
        }
    }
}

fn start(command: &Path, args: &[OsString]) -> io::Result<Code> {
    let profile: Profile = serde_json::from_slice(&first_line()?)?;
    if command_line::is_script(command) {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!(
                "{} is a script for cmd.exe, which cannot be confined; give the program that it starts",
                command.display()
            ),
        ));
    }
    let container = Container::of(&profile)?;
    job::bound_this_process(&profile.limits)?;
    let server = Suspended::start(command, &command_line::of(command, args)?, &container)?;
    report(STARTED)?;
    server.run_to_end()
}

/// The first line of standard input, without its end. Nothing after it is read.
fn first_line() -> io::Result<Vec<u8>> {
    /// Longer than any profile.
    const MOST: usize = 16 << 20;
    // Without a buffer, as the rest is the server's.
    let mut input = process::input()?;
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < MOST {
        input.read_exact(&mut byte)?;
        if byte[0] == b'\n' {
            return Ok(line);
        }
        line.push(byte[0]);
    }
    Err(io::ErrorKind::InvalidData.into())
}

fn report(line: &str) -> io::Result<()> {
    let mut output = io::stdout();
    writeln!(output, "{line}")?;
    output.flush()
}

/// A text as a single line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Says whether an AppContainer holds here.
pub(crate) fn say_strength(tiers: &[Tier]) -> ExitCode {
    let holds = tiers.contains(&Tier::AppContainer) && holds().unwrap_or(false);
    let strength = Strength {
        tier: holds.then_some(Tier::AppContainer),
        bounds: Bounds {
            memory: holds,
            processes: holds,
        },
    };
    // Whoever asked may have gone.
    let _ = io::stdout().write_all(strength.to_line().as_bytes());
    ExitCode::SUCCESS
}

/// Whether a program in a container runs, reads what it was given, and cannot read what it was not.
fn holds() -> io::Result<bool> {
    let folder = std::env::temp_dir().join(format!("majordomo-trial-{}", std::process::id()));
    let (given, other) = (folder.join("given"), folder.join("other"));
    let tried = try_in(&given, &other);
    let _ = fs::remove_dir_all(&folder);
    tried
}

fn try_in(given: &Path, other: &Path) -> io::Result<bool> {
    let shell = PathBuf::from(std::env::var_os("SystemRoot").unwrap_or("C:\\Windows".into()))
        .join("System32")
        .join("cmd.exe");
    for folder in [given, other] {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("file"), "x")?;
    }
    let profile = Profile {
        home: given.to_owned(),
        ..Profile::nothing(Tier::AppContainer)
    };
    let container = Container::of(&profile)?;
    let reads = |folder: &Path| -> io::Result<bool> {
        let args = ["/d", "/c", "type"].map(OsString::from);
        let args = [&args[..], &[folder.join("file").into()]].concat();
        let line = command_line::of(&shell, &args)?;
        Ok(Suspended::start_unheard(&shell, &line, &container)?.run_to_end()? == 0)
    };
    let tried = reads(given).and_then(|given| Ok(given && !reads(other)?));
    container.forget()?;
    tried
}

/// Only Linux has more than one.
pub(crate) fn try_tier(_tier: Tier) -> ExitCode {
    ExitCode::FAILURE
}

/// Windows knows no PID namespaces.
pub(crate) fn try_namespace() -> ExitCode {
    ExitCode::FAILURE
}
