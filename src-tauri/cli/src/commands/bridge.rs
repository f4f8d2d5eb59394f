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

use crate::args::Bridge;
use crate::background;
use crate::exit::Exit;
use crate::link::error;
use api::{ErrorCode, HostError};
use loopback::{Client, END_OF_INPUT};
use protocol::{CallerId, ServerId};
use std::io;
use std::path::Path;
use std::pin::pin;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, copy, split, stdin, stdout};
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
    let (mut reading, mut writing) = split(line(data_dir, &client, server.as_ref()).await?);
    let (mut input, mut output) = (stdin(), stdout());
    let mut answers = pin!(copy(&mut reading, &mut output));
    tokio::select! {
        said = say(&mut input, &mut writing) => said.map_err(|_| ended())?,
        _ = &mut answers => return Err(ended()),
    }
    tokio::select! {
        _ = answers => {}
        () = unread() => {}
    }
    Ok(Exit::Done)
}

/// Passes on what the application says, and that it says nothing more.
async fn say(
    input: &mut (impl AsyncRead + Unpin),
    line: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    copy(input, line).await?;
    // Its last line may have no end.
    let end = format!("\n{END_OF_INPUT}\n");
    line.write_all(end.as_bytes()).await?;
    line.flush().await
}

fn ended() -> HostError {
    error(
        ErrorCode::ConnectionLost,
        "Majordomo has ended this connection",
        "It may have been closed, or opened in a window. Start this command again.",
    )
}

/// Waits until nobody reads what is written to standard output: an application that has closed its
/// input, and is gone, closes that, too.
#[cfg(unix)]
async fn unread() {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::retry_on_intr;
    let (tell, told) = tokio::sync::oneshot::channel();
    // A thread of its own: it ends with the program, and holds up nobody.
    std::thread::spawn(move || {
        let output = rustix::stdio::stdout();
        let mut closed = [PollFd::new(&output, PollFlags::HUP)];
        let _ = retry_on_intr(|| poll(&mut closed, None));
        let _ = tell.send(());
    });
    let _ = told.await;
}

/// Windows does not tell whether somebody still reads a pipe: answers are not waited for longer than
/// this.
#[cfg(not(unix))]
async fn unread() {
    sleep(Duration::from_secs(10)).await;
}

/// The line to the running host. Where none runs one is started; of several that do so at once one
/// host stays.
async fn line(
    data_dir: &Path,
    client: &CallerId,
    server: Option<&ServerId>,
) -> Result<impl AsyncRead + AsyncWrite + use<>, HostError> {
    let end = Instant::now() + CONNECT_TIMEOUT;
    loop {
        let found = match Client::find(data_dir).await? {
            Some(host) => host.bridge(client, server).await,
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
