//! A child process on Unix, held by the jail and its lifeline. Dropping it kills everything that it
//! started.

use super::lifeline::{self, Told};
use super::listed_hosts::ListedHosts;
use super::spawn::Program;
use super::starter;
use crate::{Confinement, ConnectionError};
use command_fds::CommandFdExt;
use protocol::Containment;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use sandbox::lifeline::{Hold, Report, TERMINATE};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream as Pair;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::process::Child;

/// The jail of one server.
pub(crate) struct Held {
    jail: Child,
    lifeline: Option<UnixStream>,
    /// What ends the server if the jail cannot; known once it runs.
    hold: Option<Hold>,
    /// The hosts with which it may speak, for as long as it runs.
    hosts: Option<ListedHosts>,
}

/// Starts the jail. What becomes of the server itself, [`Held::started`] says.
pub(super) fn start(program: &Program<'_>) -> Result<(Held, Child3), ConnectionError> {
    let missing = || ConnectionError::JailMissing {
        jail: program.jail.to_owned(),
    };
    let unusable = |error: std::io::Error| ConnectionError::NotExecutable {
        command: program.command.to_owned(),
        problem: error.to_string(),
    };
    if !program.jail.is_file() {
        return Err(missing());
    }
    // Both ends are closed on exec; only the jail's is kept open, in the jail.
    let (ours, theirs) = Pair::pair().map_err(unusable)?;
    ours.set_nonblocking(true).map_err(unusable)?;
    let theirs = OwnedFd::from(theirs);
    let profile = program.confinement.map(write_profile).transpose();
    let profile = profile.map_err(ConnectionError::not_confined)?;

    let mut command = std::process::Command::new(program.jail);
    command
        .arg("--lifeline")
        .arg(theirs.as_raw_fd().to_string());
    if let Some(profile) = &profile {
        command
            .arg("--profile")
            .arg(profile.as_raw_fd().to_string());
    }
    command.arg("--").arg(program.command).args(program.args);
    command
        .current_dir(program.cwd)
        .env_clear()
        .envs(program.env.iter().map(|(name, value)| (name, value)));
    // A group of its own: Ctrl-C in a terminal is meant for the host, which then ends its servers
    // in order.
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    command.preserved_fds([theirs].into_iter().chain(profile).collect());
    let mut jail = starter::start(command).map_err(|_| missing())?;

    let pipes = Child3 {
        stdin: jail.stdin.take(),
        stdout: jail.stdout.take(),
        stderr: jail.stderr.take(),
    };
    let lifeline = UnixStream::from_std(ours).map_err(unusable)?;
    Ok((
        Held {
            jail,
            lifeline: Some(lifeline),
            hold: None,
            hosts: None,
        },
        pipes,
    ))
}

pub(super) use super::spawn::Child3;

/// A file without a name, in which the jail reads what the server may touch.
fn write_profile(confinement: &Confinement) -> io::Result<OwnedFd> {
    let mut file = BufWriter::new(tempfile::tempfile()?);
    serde_json::to_writer(&mut file, &confinement.whole_profile())?;
    file.flush()?;
    Ok(file.into_inner()?.into())
}

/// How many sockets come with a start on which the host answers.
fn expected_sockets(program: &Program<'_>) -> usize {
    program.confinement.map_or(0, |confinement| {
        confinement.whole_profile().network.sockets()
    })
}

impl Held {
    /// The number of the jail's process; the server is below it.
    pub(super) fn pid(&self) -> Option<u32> {
        self.jail.id()
    }

    /// What ends the server when the host cannot any more.
    pub(super) fn containment(&self) -> Containment {
        match self.hold {
            Some(Hold::Namespace) => Containment::Namespace,
            Some(Hold::Jail { .. }) | None => Containment::Launcher,
        }
    }

    /// Waits until the server runs, or cannot.
    pub(super) async fn started(
        &mut self,
        program: &Program<'_>,
        _pipes: &mut Child3,
    ) -> Result<(), ConnectionError> {
        let told = match &self.lifeline {
            Some(lifeline) => match lifeline::listen(lifeline, expected_sockets(program)).await {
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    return Err(ConnectionError::not_confined(error));
                }
                // Whatever else goes wrong, there is no report then.
                told => told.unwrap_or_default(),
            },
            None => Told::default(),
        };
        match told.report {
            Some(Report::Started(hold)) => {
                self.hold = Some(hold);
                let hosts = program
                    .confinement
                    .map(|confinement| ListedHosts::serve(told.sockets, confinement))
                    .transpose();
                self.hosts = hosts.map_err(ConnectionError::not_confined)?;
                Ok(())
            }
            Some(Report::NotFound) => Err(ConnectionError::CommandNotFound {
                command: program.command.to_owned(),
            }),
            Some(Report::NotExecutable { problem }) => Err(ConnectionError::NotExecutable {
                command: program.command.to_owned(),
                problem,
            }),
            Some(Report::NotConfined { problem }) => Err(ConnectionError::NotConfined { problem }),
            None => Err(ConnectionError::JailMissing {
                jail: program.jail.to_owned(),
            }),
        }
    }

    /// Asks the server to end.
    pub(super) async fn terminate(&mut self) {
        if let Some(lifeline) = &mut self.lifeline {
            // A jail that is gone has ended everything already.
            let _ = lifeline.write_all(&[TERMINATE]).await;
        }
    }

    /// Kills the server and everything it started: the jail does it, because it is let go of.
    pub(super) fn kill(&mut self) {
        self.lifeline = None;
        // A jail that somebody has stopped hears of nothing before it goes on. Until it was waited
        // for, its number is nobody else's.
        if let Some(jail) = self
            .jail
            .id()
            .and_then(|id| Pid::from_raw(id.cast_signed()))
        {
            let _ = kill_process(jail, Signal::CONT);
        }
    }

    /// Kills the jail too. Its children die with it, and everything with them that is in a
    /// namespace.
    pub(super) fn kill_hard(&mut self) {
        let _ = self.jail.start_kill();
    }

    /// Waits for the end of everything: the exit code of the server, or nothing if the jail itself
    /// was killed.
    pub(super) async fn ended(&mut self) -> Option<i32> {
        let status = self.jail.wait().await.ok().and_then(|status| status.code());
        self.hosts = None;
        if let (None, Some(Hold::Jail { group })) = (status, self.hold.take())
            && let Some(group) = Pid::from_raw(group.cast_signed())
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        status
    }
}
