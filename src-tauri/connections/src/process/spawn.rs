//! Starts a server as a child process, and hands out its pipes.

use super::held::{self, Held};
use super::stdio::{Junk, Stdin, Stdout};
use super::{Process, Stderr, environment};
use crate::ending::Ending;
use crate::{Confinement, ConnectionError, StdioStart};
use protocol::Budget;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

/// What is run, with everything looked up.
pub(super) struct Program<'a> {
    pub(super) command: &'a Path,
    pub(super) args: &'a [String],
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) cwd: &'a Path,
    pub(super) jail: &'a Path,
    pub(super) confinement: Option<&'a Confinement>,
}

impl<'a> Program<'a> {
    /// What a start says, with a folder for what is not kept.
    pub(super) fn of(start: &'a StdioStart) -> Result<Self, ConnectionError> {
        if !start.cwd.is_dir() {
            return Err(ConnectionError::NoWorkingDirectory {
                cwd: start.cwd.clone(),
            });
        }
        if let Some(confinement) = &start.confinement {
            confinement
                .make_temporary_folder()
                .map_err(ConnectionError::not_confined)?;
        }
        Ok(Self {
            command: &start.command,
            args: &start.args,
            env: environment::of(&start.env, start.confinement.as_ref()),
            cwd: &start.cwd,
            jail: &start.jail,
            confinement: start.confinement.as_ref(),
        })
    }
}

/// The three pipes of a child.
pub(super) struct Child3 {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}

/// A child process that was just started.
pub(crate) struct Spawned {
    pub(crate) process: Process,
    pub(crate) stdin: Stdin,
    pub(crate) stdout: Stdout,
    pub(crate) junk: Arc<Junk>,
    pub(crate) stderr: Arc<Stderr>,
}

/// Gets what every process is given ready. The first time, a shell is asked, which may take a
/// moment.
pub(crate) async fn prepare() {
    let _ = tokio::task::spawn_blocking(super::login_path).await;
}

/// Starts a server. It runs when this returns, and may of course end at once. Nobody is told yet
/// what it writes; no more is kept of it than `budget` says.
pub(crate) async fn spawn(
    start: &StdioStart,
    ending: Arc<Ending>,
    budget: Budget,
) -> Result<Spawned, ConnectionError> {
    let program = Program::of(start)?;
    let (mut held, mut pipes): (Held, Child3) = held::start(&program)?;
    held.started(&program, &mut pipes).await?;
    let (Some(stdin), Some(stdout), Some(stderr)) = (pipes.stdin, pipes.stdout, pipes.stderr)
    else {
        return Err(ConnectionError::NotExecutable {
            command: start.command.clone(),
            problem: "it has no standard streams".to_owned(),
        });
    };
    let (stdin, junk) = (Stdin::new(stdin), Arc::new(Junk::default()));
    Ok(Spawned {
        process: Process::keep(held),
        stdout: Stdout::new(stdout, Arc::clone(&junk), ending),
        stdin,
        junk,
        stderr: Stderr::of(stderr, budget),
    })
}
