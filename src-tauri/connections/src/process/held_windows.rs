//! A child process on Windows, held in a Job Object that ends with its last handle. Dropping it, or
//! the host's own death, kills everything that it started. One that is confined is started by the
//! jail, which is in that job, too.

use super::spawn::Program;
use crate::{Confinement, ConnectionError};
use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject, KillOnDrop};
use protocol::Containment;
use sandbox::launch::{CONFINE, STARTED};
use std::io::{self, ErrorKind};
use std::process::Stdio;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

pub(super) use super::spawn::Child3;

/// The job of one server.
pub(crate) struct Held {
    child: Box<dyn ChildWrapper>,
}

/// Starts the server in a job of its own.
pub(super) fn start(program: &Program<'_>) -> Result<(Held, Child3), ConnectionError> {
    let started = match program.confinement {
        Some(_) => program.jail,
        None => program.command,
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the place where processes are started"
    )]
    let mut command = tokio::process::Command::new(started);
    if program.confinement.is_some() {
        command.arg(CONFINE).arg(program.command);
    }
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
        _ if program.confinement.is_some() => ConnectionError::JailMissing {
            jail: program.jail.to_owned(),
        },
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

    /// Waits until the server runs, or cannot; one that is not confined runs already.
    pub(super) async fn started(
        &mut self,
        program: &Program<'_>,
        pipes: &mut Child3,
    ) -> Result<(), ConnectionError> {
        let Some(confinement) = program.confinement else {
            return Ok(());
        };
        let report = tell(confinement, pipes).await;
        match report.map_err(ConnectionError::not_confined)? {
            report if report == STARTED => Ok(()),
            problem => Err(ConnectionError::NotConfined { problem }),
        }
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

/// Tells the jail what the server may touch: what it says of the start, a line without its end. All
/// that follows is the server's.
async fn tell(confinement: &Confinement, pipes: &mut Child3) -> io::Result<String> {
    /// Longer than any report.
    const MOST: usize = 64 << 10;
    let (Some(stdin), Some(stdout)) = (&mut pipes.stdin, &mut pipes.stdout) else {
        return Err(ErrorKind::BrokenPipe.into());
    };
    let mut profile = serde_json::to_vec(&confinement.whole_profile())?;
    profile.push(b'\n');
    stdin.write_all(&profile).await?;
    let mut report = Vec::new();
    while report.len() < MOST {
        match stdout.read_u8().await? {
            b'\n' => return Ok(String::from_utf8_lossy(&report).trim_end().to_owned()),
            byte => report.push(byte),
        }
    }
    Err(ErrorKind::InvalidData.into())
}
