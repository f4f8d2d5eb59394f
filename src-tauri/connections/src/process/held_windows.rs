//! A child process on Windows, held in a Job Object that ends with its last handle. Dropping it, or
//! the host's own death, kills everything that it started.

use super::spawn::Program;
use crate::ConnectionError;
use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject, KillOnDrop};
use protocol::Containment;
use std::io::ErrorKind;
use std::process::Stdio;
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

pub(super) use super::spawn::Child3;

/// The job of one server.
pub(crate) struct Held {
    child: Box<dyn ChildWrapper>,
}

/// Starts the server in a job of its own.
pub(super) fn start(program: &Program<'_>) -> Result<(Held, Child3), ConnectionError> {
    if program.confinement.is_some() {
        return Err(ConnectionError::NotConfined {
            problem: "nothing confines a server on Windows yet".to_owned(),
        });
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the place where processes are started"
    )]
    let mut command = tokio::process::Command::new(program.command);
    command
        .args(program.args)
        .current_dir(program.cwd)
        .env_clear();
    command.envs(program.env.iter().map(|(name, value)| (name, value)));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // No console window beside ours.
    let mut wrapped = CommandWrap::from(command);
    wrapped
        .wrap(CreationFlags(CREATE_NO_WINDOW))
        .wrap(KillOnDrop)
        .wrap(JobObject);
    let mut child = wrapped.spawn().map_err(|error| match error.kind() {
        ErrorKind::NotFound => ConnectionError::CommandNotFound {
            command: program.command.to_owned(),
        },
        _ => ConnectionError::NotExecutable {
            command: program.command.to_owned(),
            problem: error.to_string(),
        },
    })?;
    let pipes = Child3 {
        stdin: child.stdin().take(),
        stdout: child.stdout().take(),
        stderr: child.stderr().take(),
    };
    Ok((Held { child }, pipes))
}

impl Held {
    /// The number of the server's process.
    pub(super) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// What ends the server when the host cannot any more.
    #[expect(clippy::unused_self, reason = "the same door as on other systems")]
    pub(super) fn containment(&self) -> Containment {
        Containment::JobObject
    }

    /// It runs already.
    pub(super) async fn started(&mut self, _program: &Program<'_>) -> Result<(), ConnectionError> {
        Ok(())
    }

    /// There is no polite way besides closing its standard input.
    pub(super) async fn terminate(&mut self) {}

    /// Kills the server and everything it started.
    pub(super) fn kill(&mut self) {
        let _ = self.child.start_kill();
    }

    /// The same.
    pub(super) fn kill_hard(&mut self) {
        self.kill();
    }

    /// Waits for the end of everything: the exit code of the server.
    pub(super) async fn ended(&mut self) -> Option<i32> {
        self.child
            .wait()
            .await
            .ok()
            .and_then(|status| status.code())
    }
}
