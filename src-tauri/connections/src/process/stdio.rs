//! Messages over a child's standard input and output, one per line.
//!
//! A line longer than the limit ends the connection, and is never held whole. Lines that are not the protocol are skipped and
//! counted; the first of them is remembered, because it often says what is wrong.

use super::lines::{Read, read_line};
use crate::ending::{Ending, Why};
use crate::wire::{self, Line};
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// The longest message, in bytes.
const LONGEST: usize = 16 * 1024 * 1024;
/// How much of a line that is not the protocol is remembered, in characters.
const REMEMBERED: usize = 200;
/// A buffer that grew for one large message is given back after it.
const USUAL: usize = 64 * 1024;

/// What a server wrote on its standard output that is not the protocol.
#[derive(Debug, Default)]
pub(crate) struct Junk {
    first: OnceLock<String>,
    lines: AtomicU64,
}

impl Junk {
    /// The first such line, shortened.
    pub(crate) fn first(&self) -> Option<String> {
        self.first.get().cloned()
    }

    fn note(&self, line: &[u8]) {
        self.lines.fetch_add(1, Ordering::Relaxed);
        // Four bytes are the longest character.
        self.first
            .get_or_init(|| String::from_utf8_lossy(&line[..line.len().min(REMEMBERED * 4)]).trim().chars().take(REMEMBERED).collect());
    }
}

/// The way in. It can be closed while someone is still writing to a server that does not read.
#[derive(Debug, Clone)]
pub(crate) struct Stdin {
    pipe: Arc<Mutex<Option<ChildStdin>>>,
    closed: CancellationToken,
}

impl Stdin {
    pub(super) fn new(pipe: ChildStdin) -> Self {
        Self { pipe: Arc::new(Mutex::new(Some(pipe))), closed: CancellationToken::new() }
    }

    async fn write(&self, line: &[u8]) -> io::Result<()> {
        let mut pipe = self.pipe.lock().await;
        let Some(open) = pipe.as_mut() else { return Err(io::ErrorKind::BrokenPipe.into()) };
        tokio::select! {
            biased;
            written = open.write_all(line) => written,
            () = self.closed.cancelled() => {
                *pipe = None;
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
    }

    /// Closes it; the server sees the end of its input.
    pub(crate) async fn close(&self) {
        self.closed.cancel();
        *self.pipe.lock().await = None;
    }
}

/// The transport of one child process.
pub(crate) struct Stdio {
    stdin: Stdin,
    stdout: BufReader<ChildStdout>,
    line: Vec<u8>,
    greeted: bool,
    junk: Arc<Junk>,
    ending: Arc<Ending>,
}

impl Stdio {
    pub(super) fn new(stdin: Stdin, stdout: ChildStdout, junk: Arc<Junk>, ending: Arc<Ending>) -> Self {
        Self { stdin, stdout: BufReader::with_capacity(USUAL, stdout), line: Vec::new(), greeted: false, junk, ending }
    }

    /// Reads until there is a line. Nothing is lost when the caller stops waiting in between.
    async fn next_line(&mut self) -> Option<()> {
        match read_line(&mut self.stdout, &mut self.line, LONGEST).await {
            Ok(Read::Line) => Some(()),
            Ok(Read::TooLong) => {
                self.ending.end(Why::TooLong { limit: LONGEST });
                self.line = Vec::new();
                None
            }
            // A message without its end is not whole.
            Ok(Read::End) | Err(_) => None,
        }
    }
}

impl Transport<RoleClient> for Stdio {
    type Error = io::Error;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let JsonRpcMessage::Notification(notification) = &message {
            self.greeted |= matches!(notification.notification, ClientNotification::InitializedNotification(_));
        }
        let (stdin, greeted) = (self.stdin.clone(), self.greeted);
        let line = serde_json::to_vec(&message).map(|mut line| {
            line.push(b'\n');
            line
        });
        async move {
            match stdin.write(&line?).await {
                // It may have said why before it left; the end of its output tells the rest.
                Err(error) if !greeted && error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => written,
            }
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            self.next_line().await?;
            let read = wire::read_line(&self.line, self.greeted);
            if matches!(read, Line::Junk) {
                self.junk.note(&self.line);
                tracing::debug!(lines = self.junk.lines.load(Ordering::Relaxed), "a server wrote something that is not the protocol");
            }
            self.line.clear();
            self.line.shrink_to(USUAL);
            if let Line::Message(message) = read {
                return Some(*message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.stdin.close().await;
        Ok(())
    }
}
