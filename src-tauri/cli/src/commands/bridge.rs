//! `majordomoctl bridge`: another application's line to the running host. Where none runs one is
//! started, without a window.
//!
//! Always true here:
//! - what goes over standard input and output is passed on as it is, and nothing else is written
//!   there;
//! - an application that closes its input gets the answers that are under way; one that is gone has
//!   them given up;
//! - a host that ends ends the line: what the application had agreed with it is not made up for
//!   another one.

// With a socket a thread for each direction does: on its way a message costs a read and a write. A
// named pipe that is read cannot be written to by another thread meanwhile.
#[cfg(not(unix))]
#[path = "bridge/tasks.rs"]
mod line;
#[cfg(unix)]
#[path = "bridge/threads.rs"]
mod line;

use crate::args::Bridge;
use crate::background;
use crate::exit::Exit;
use crate::link::error;
use api::{ErrorCode, HostError};
use line::Line;
use loopback::Client;
use protocol::{CallerId, ServerId};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long to wait for a host that begins or ends, or for a command that has the folder open for a
/// moment.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// How often is looked meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// Comes in as another application, until either side ends.
pub(crate) async fn run(data_dir: &Path, command: Bridge) -> Result<Exit, HostError> {
    let Bridge { client, server } = command;
    let server = server
        .map(|name| ServerId::parse(&name))
        .transpose()
        .map_err(|problem| HostError::of(ErrorCode::BadName, problem.to_string()))?;
    match line(data_dir, &client, server.as_ref())
        .await?
        .carry()
        .await
    {
        Gone::Application => Ok(Exit::Done),
        Gone::Host => Err(error(
            ErrorCode::ConnectionLost,
            "Majordomo has ended this connection",
            "It may have been closed, or opened in a window. Start this command again.",
        )),
    }
}

/// Who has gone first.
enum Gone {
    /// Whoever has started this command: it says nothing more, and has its answers.
    Application,
    /// The host.
    Host,
}

impl Gone {
    /// Who, where the host has ended the line: it does so by itself once it has heard that the
    /// application says nothing more, and has answered. `input_ended`: whether it was told so.
    fn after(input_ended: &AtomicBool) -> Self {
        match input_ended.load(Ordering::Acquire) {
            true => Self::Application,
            false => Self::Host,
        }
    }
}

/// The line to the running host. Where none runs one is started; of several that do so at once one
/// host stays.
async fn line(
    data_dir: &Path,
    client: &CallerId,
    server: Option<&ServerId>,
) -> Result<Line, HostError> {
    let end = Instant::now() + CONNECT_TIMEOUT;
    loop {
        let found = match Client::find(data_dir).await? {
            Some(host) => Line::to(&host, client, server).await,
            None => match background::start(data_dir).await {
                Ok(()) => continue,
                Err(problem) => Err(problem),
            },
        };
        match found {
            // It begins or ends just now.
            Err(problem) if passes(problem.code) && Instant::now() < end => sleep(LOOK).await,
            found => return found,
        }
    }
}

fn passes(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::AlreadyRunning | ErrorCode::ConnectionLost | ErrorCode::ShuttingDown
    )
}
