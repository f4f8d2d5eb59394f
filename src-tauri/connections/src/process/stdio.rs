//! Messages over a child's standard input and output, one per line.
//!
//! A line longer than the limit ends the connection, and is never held whole. Lines that are not
//! the protocol are skipped and counted; the first of them is remembered, because it often says
//! what is wrong.

use super::lines::{Read, read_line};
use crate::ConnectionError;
use crate::carrier::{Carrier, Outgoing};
use crate::conversation::Dispatcher;
use crate::ending::{Ending, Why};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
        self.first.get_or_init(|| {
            String::from_utf8_lossy(&line[..line.len().min(REMEMBERED * 4)])
                .trim()
                .chars()
                .take(REMEMBERED)
                .collect()
        });
    }
}

/// The way in. It can be closed while someone is still writing to a server that does not read.
#[derive(Debug, Clone)]
pub(crate) struct Stdin {
    pipe: Arc<Mutex<Option<ChildStdin>>>,
    closed: CancellationToken,
    greeted: Arc<AtomicBool>,
}

impl Stdin {
    pub(super) fn new(pipe: ChildStdin) -> Self {
        Self {
            pipe: Arc::new(Mutex::new(Some(pipe))),
            closed: CancellationToken::new(),
            greeted: Arc::default(),
        }
    }

    /// Writes a line whole, even if nobody waits for that any more: half a line would spoil the
    /// next one.
    async fn write(&self, line: Vec<u8>) -> io::Result<()> {
        let mut pipe = Arc::clone(&self.pipe).lock_owned().await;
        // Mostly there is room for it at once.
        let at_once = match pipe.as_mut() {
            Some(open) => open.write(&line).now_or_never().transpose()?,
            None => None,
        };
        let written = at_once.unwrap_or_default();
        if written == line.len() {
            return Ok(());
        }
        let closed = self.closed.clone();
        let writing = tokio::spawn(async move {
            let Some(open) = pipe.as_mut() else {
                return Err(io::ErrorKind::BrokenPipe.into());
            };
            tokio::select! {
                biased;
                written = open.write_all(&line[written..]) => written,
                () = closed.cancelled() => {
                    *pipe = None;
                    Err(io::ErrorKind::BrokenPipe.into())
                }
            }
        });
        writing
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()))
    }

    /// Closes it; the server sees the end of its input.
    pub(crate) async fn close(&self) {
        self.closed.cancel();
        *self.pipe.lock().await = None;
    }
}

impl Carrier for Stdin {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), ConnectionError>> {
        Box::pin(async move {
            let mut line = message.body;
            line.push(b'\n');
            match self.write(line).await {
                // It may have said why before it left; the end of its output tells the rest.
                Err(_) if !self.greeted.load(Ordering::Relaxed) => Ok(()),
                written => written.map_err(|_| ConnectionError::ConnectionLost { status: None }),
            }
        })
    }

    fn agreed(&self, _revision: &str) {
        self.greeted.store(true, Ordering::Relaxed);
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.close())
    }
}

/// The way out.
pub(crate) struct Stdout {
    pub(super) pipe: BufReader<ChildStdout>,
    pub(super) junk: Arc<Junk>,
    pub(super) ending: Arc<Ending>,
}

impl Stdout {
    pub(super) fn new(pipe: ChildStdout, junk: Arc<Junk>, ending: Arc<Ending>) -> Self {
        Self {
            pipe: BufReader::with_capacity(USUAL, pipe),
            junk,
            ending,
        }
    }

    /// Reads it to its end, in a task of its own, and gives every message to the dispatcher.
    pub(crate) fn read(mut self, dispatcher: Arc<Dispatcher>) {
        tokio::spawn(async move {
            let mut line = Vec::new();
            let why = loop {
                match read_line(&mut self.pipe, &mut line, LONGEST).await {
                    Ok(Read::Line) => {}
                    Ok(Read::TooLong) => break Why::TooLong { limit: LONGEST },
                    // A message without its end is not whole.
                    Ok(Read::End) | Err(_) => break Why::Lost { status: None },
                }
                match dispatcher.take(&line).await {
                    Ok(true) => {}
                    Ok(false) => {
                        self.junk.note(&line);
                        tracing::debug!(
                            lines = self.junk.lines.load(Ordering::Relaxed),
                            "a server wrote something that is not the protocol"
                        );
                    }
                    Err(ConnectionError::Oversized { what, limit }) => {
                        break Why::Oversized { what, limit };
                    }
                    Err(_) => break Why::Lost { status: None },
                }
                line.clear();
                line.shrink_to(USUAL);
            };
            self.ending.end(why);
        });
    }
}
