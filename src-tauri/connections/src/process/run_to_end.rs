//! A program that is to do something and end, confined as a server is. It speaks no protocol.

use super::held;
use super::spawn::{Program, prepare};
use super::{Process, Stderr};
use crate::{ConnectionError, ServerAsks, StdioStart};
use protocol::Budget;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How much of what it writes on its standard error is kept, in bytes.
const KEPT: usize = 64 * 1024;
/// How many of its last lines are told.
const TOLD: usize = 12;

/// Why it did not do what it was to do.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It could not be started.
    #[error(transparent)]
    NotStarted(#[from] ConnectionError),
    /// It ended with another exit code than 0.
    #[error("it failed: {}", lines.join("; "))]
    Failed {
        /// The last lines of its standard error.
        lines: Vec<String>,
    },
    /// It did not end in time, and was killed.
    #[error("it did not end within {} s", after.as_secs())]
    TimedOut {
        /// The limit.
        after: Duration,
    },
    /// Nobody wanted it any more, and it was killed.
    #[error("it was cancelled")]
    Cancelled,
}

/// Runs a program until it ends by itself. It is given nothing to read; what it writes on its
/// standard error `told` hears as it comes.
///
/// # Errors
/// If it cannot be started, fails, takes longer than `longest` in all, from the first look for it to
/// the last line that it writes, or `unwanted` comes first; nothing of it is left then.
pub async fn run_to_end(
    start: &StdioStart,
    longest: Duration,
    told: Arc<dyn ServerAsks>,
    unwanted: impl Future<Output = ()>,
) -> Result<(), RunError> {
    let deadline = Instant::now() + longest;
    let mut unwanted = pin!(unwanted);
    let timed_out = || RunError::TimedOut { after: longest };
    let (process, stderr) = tokio::select! {
        biased;
        () = &mut unwanted => return Err(RunError::Cancelled),
        started = timeout_at(deadline, begin(start)) => started.map_err(|_| timed_out())??,
    };
    stderr.tell(told);
    let ended = tokio::select! {
        ended = timeout_at(deadline, process.ended()) => ended.map_err(|_| timed_out()),
        () = &mut unwanted => Err(RunError::Cancelled),
    };
    let exit = match ended {
        Ok(exit) => exit,
        Err(why) => {
            process.kill().await;
            return Err(why);
        }
    };
    if exit.status == Some(0) {
        return Ok(());
    }
    // What it wrote last says most. Where something of it still holds the stream, what is there
    // must do.
    tokio::select! {
        _ = timeout_at(deadline, stderr.ended()) => {}
        () = &mut unwanted => return Err(RunError::Cancelled),
    }
    let lines = stderr.tail().lines;
    let first = lines.len().saturating_sub(TOLD);
    Err(RunError::Failed {
        lines: lines[first..].to_vec(),
    })
}

/// Starts it as any server is started. Whoever stops waiting for that has ended it.
async fn begin(start: &StdioStart) -> Result<(Process, Arc<Stderr>), ConnectionError> {
    prepare().await;
    let program = Program::of(start)?;
    let (mut held, mut pipes) = held::start(&program)?;
    held.started(&program, &mut pipes).await?;
    drop(pipes.stdin);
    if let Some(mut stdout) = pipes.stdout {
        // Otherwise it would wait for somebody to read it.
        tokio::spawn(async move { tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await });
    }
    let stderr = pipes
        .stderr
        .map_or_else(Stderr::none, |stderr| Stderr::of(stderr, Budget::new(KEPT)));
    Ok((Process::keep(held), stderr))
}
