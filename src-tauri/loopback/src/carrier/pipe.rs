//! A named pipe of Windows, under a name that nobody can guess before it is noted.
//!
//! Always true here: the pipe was not there before, and no other computer can open it.

use crate::listener::{Listener, failed};
use crate::random_token;
use host::Door;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::net::windows::named_pipe::{
    ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions,
};
use tokio::time::sleep;

/// What the system says while the next end of the pipe is being made.
const PIPE_BUSY: i32 = 231;

/// How often a busy pipe is tried, and how soon again.
const ATTEMPTS: usize = 100;
const AGAIN: Duration = Duration::from_millis(50);

/// The serving end of a pipe.
pub(crate) struct PipeListener {
    name: String,
    /// Where the next program connects.
    next: Option<NamedPipeServer>,
}

/// Listens for programs; with how they find the way.
pub(crate) fn listen(_data_dir: &Path) -> io::Result<(PipeListener, Door)> {
    let name = format!(r"\\.\pipe\majordomo-{}", random_token());
    let first = options().first_pipe_instance(true).create(&name)?;
    let door = Door::Pipe(name.clone());
    let next = Some(first);
    Ok((PipeListener { name, next }, door))
}

/// Connects to a host that left this door in its note.
pub(crate) async fn connect(_data_dir: &Path, door: &Door) -> io::Result<NamedPipeClient> {
    let Door::Pipe(name) = door else {
        return Err(io::ErrorKind::Unsupported.into());
    };
    let mut attempts = 0;
    loop {
        match ClientOptions::new().open(name) {
            Err(error) if error.raw_os_error() == Some(PIPE_BUSY) && attempts < ATTEMPTS => {
                attempts += 1;
                sleep(AGAIN).await;
            }
            opened => return opened,
        }
    }
}

fn options() -> ServerOptions {
    let mut options = ServerOptions::new();
    options.reject_remote_clients(true);
    options
}

impl PipeListener {
    async fn connected(&mut self) -> io::Result<NamedPipeServer> {
        let next = match self.next.take() {
            Some(next) => next,
            None => options().create(&self.name)?,
        };
        // Kept here meanwhile: whoever waits for a connection may stop waiting.
        self.next.insert(next).connect().await?;
        // The next end is there before this one is served, so that the name is never free.
        let following = options().create(&self.name)?;
        self.next
            .replace(following)
            .ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl Listener for PipeListener {
    type Stream = NamedPipeServer;

    async fn next(&mut self) -> NamedPipeServer {
        loop {
            match self.connected().await {
                Ok(stream) => return stream,
                Err(problem) => {
                    // The end that failed is of no use to the next one.
                    self.next = None;
                    failed(problem).await;
                }
            }
        }
    }
}
