//! Starts the host without a window, for an application that finds none running.
//!
//! Always true here: what is started outlives whoever started it, holds nothing of theirs, and ends
//! by itself when no application uses it any more.

use crate::print;
use api::{ErrorCode, HostError};
use serde_json::json;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};

/// Starts it, and waits until it serves. Fails with why it does not: with `already_running` if
/// another one has the folder open.
pub(crate) async fn start(data_dir: &Path) -> Result<(), HostError> {
    let failed = |problem: std::io::Error| {
        HostError::of(
            ErrorCode::Internal,
            format!("Majordomo could not be started: {problem}"),
        )
    };
    let output = spawn(data_dir).map_err(failed)?;
    let first = tokio::task::spawn_blocking(move || {
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).map(|_| line)
    });
    let first = first.await.map_err(std::io::Error::other).map_err(failed)?;
    match first.map_err(failed)?.as_str() {
        "" => Err(failed(std::io::ErrorKind::UnexpectedEof.into())),
        // It says its number, or what went wrong.
        line => serde_json::from_str::<HostError>(line).map_or(Ok(()), Err),
    }
}

fn spawn(data_dir: &Path) -> std::io::Result<ChildStdout> {
    // Its working folder is another one: it is in nobody's way.
    let (own, data_dir) = (std::env::current_exe()?, std::path::absolute(data_dir)?);
    let mut command = Command::new(&own);
    command
        .arg("--data-dir")
        .arg(&data_dir)
        .args(["--json", "serve", "--while-used"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(root) = own.ancestors().last() {
        command.current_dir(root);
    }
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, DETACHED_PROCESS};
        command.creation_flags(CREATE_NEW_PROCESS_GROUP | DETACHED_PROCESS);
    }
    // It is not waited for: whoever started it is gone before it.
    let mut started = command.spawn()?;
    started
        .stdout
        .take()
        .ok_or_else(|| std::io::ErrorKind::NotConnected.into())
}

/// Lets go of the terminal and the processes of whoever started this one: what ends them does not
/// end it.
pub(crate) fn detach() {
    // One that leads a group of its own already is on no terminal of theirs.
    #[cfg(unix)]
    let _ = rustix::process::setsid();
}

/// Says to whoever started this one that it serves.
pub(crate) fn say_serving() {
    print::json_line(&json!({ "pid": std::process::id() }));
}

/// Says to them why it does not.
pub(crate) fn say_failed(error: &HostError) {
    print::json_line(error);
}
