//! What a server writes on its standard error: the last lines are kept, and told live in batches.
//!
//! It is always read, so that a server never waits for us, and never kept beyond the ring, however much comes.

use super::lines::{Read, read_line};
use crate::ServerAsks;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, BufReader};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Lines that are kept, and the most that one batch holds.
const LINES: usize = 1_000;
/// Bytes of a line that are kept.
const LINE: usize = 8 * 1024;
/// How long lines are collected before they are told.
const BATCH: Duration = Duration::from_millis(100);

/// The last lines of a server's standard error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StderrTail {
    /// Oldest first; each at most 8 KiB, with what is not UTF-8 replaced.
    pub lines: Vec<String>,
    /// How many older lines are not kept any more.
    pub dropped: u64,
}

/// The ring of one connection.
#[derive(Debug)]
pub(crate) struct Stderr {
    ring: Mutex<Ring>,
    ended: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Ring {
    lines: VecDeque<String>,
    dropped: u64,
}

impl Stderr {
    /// An empty ring, for a server without a standard error.
    pub(crate) fn none() -> Arc<Self> {
        Arc::new(Self { ring: Mutex::default(), ended: watch::Sender::new(true) })
    }

    /// Reads `stream` to its end in a task of its own.
    pub(crate) fn of(stream: impl AsyncRead + Unpin + Send + 'static, asks: Arc<dyn ServerAsks>) -> Arc<Self> {
        let stderr = Arc::new(Self { ring: Mutex::default(), ended: watch::Sender::new(false) });
        tokio::spawn(read(Arc::clone(&stderr), BufReader::with_capacity(16 * 1024, stream), asks));
        stderr
    }

    /// What is in the ring now.
    pub(crate) fn tail(&self) -> StderrTail {
        let ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        StderrTail { lines: ring.lines.iter().cloned().collect(), dropped: ring.dropped }
    }

    /// Waits until everything was read, which comes with the end of all processes that hold the stream.
    pub(crate) async fn ended(&self) {
        // The sender lives in self.
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    fn keep(&self, line: String) {
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        if ring.lines.len() == LINES {
            ring.lines.pop_front();
            ring.dropped += 1;
        }
        ring.lines.push_back(line);
    }
}

async fn read(stderr: Arc<Stderr>, mut stream: impl tokio::io::AsyncBufRead + Unpin, asks: Arc<dyn ServerAsks>) {
    let mut line = Vec::with_capacity(256);
    let mut batch = VecDeque::new();
    let mut due = Instant::now();
    loop {
        let read = tokio::select! {
            read = read_line(&mut stream, &mut line, LINE) => read,
            () = sleep_until(due), if !batch.is_empty() => {
                asks.wrote(std::mem::take(&mut batch).into());
                continue;
            }
        };
        let ended = !matches!(read, Ok(Read::Line | Read::TooLong));
        if !(ended && line.is_empty()) {
            let text = text(&line);
            line.clear();
            if batch.is_empty() {
                due = Instant::now() + BATCH;
            }
            if batch.len() == LINES {
                batch.pop_front();
            }
            batch.push_back(text.clone());
            stderr.keep(text);
        }
        if matches!(read, Ok(Read::TooLong)) {
            skip_rest(&mut stream).await;
        }
        if ended || (Instant::now() >= due && !batch.is_empty()) {
            asks.wrote(std::mem::take(&mut batch).into());
        }
        if ended {
            break;
        }
    }
    stderr.ended.send_replace(true);
}

/// Passes over what is left of a line that was cut.
async fn skip_rest(stream: &mut (impl tokio::io::AsyncBufRead + Unpin)) {
    let mut rest = Vec::new();
    while let Ok(Read::TooLong) = read_line(stream, &mut rest, LINE).await {
        rest.clear();
    }
}

fn text(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    String::from_utf8_lossy(line).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConnectionError, Root};
    use futures::future::BoxFuture;
    use protocol::{Form, FormAnswer};

    #[derive(Default)]
    struct Ear(Mutex<Vec<String>>);

    impl ServerAsks for Ear {
        fn roots(&self) -> BoxFuture<'_, Vec<Root>> {
            Box::pin(async { Vec::new() })
        }
        fn form(&self, _form: Form) -> BoxFuture<'_, FormAnswer> {
            Box::pin(async { FormAnswer::Decline })
        }
        fn tools_changed(&self) {}
        fn wrote(&self, lines: Vec<String>) {
            self.0.lock().unwrap().extend(lines);
        }
        fn ended(&self, _why: ConnectionError) {}
    }

    async fn written(bytes: Vec<u8>) -> (StderrTail, Vec<String>) {
        let ear = Arc::new(Ear::default());
        let stderr = Stderr::of(std::io::Cursor::new(bytes), ear.clone());
        stderr.ended().await;
        let told = ear.0.lock().unwrap().clone();
        (stderr.tail(), told)
    }

    #[tokio::test]
    async fn the_last_lines_are_kept_and_the_others_counted() {
        let (tail, _) = written((0..1_500).map(|n| format!("line {n}\n")).collect::<String>().into_bytes()).await;
        assert_eq!((tail.lines.len(), tail.dropped), (1_000, 500));
        assert_eq!(tail.lines.last().map(String::as_str), Some("line 1499"));
    }

    #[tokio::test]
    async fn a_long_line_is_cut_and_bytes_that_are_no_text_are_replaced() {
        let mut bytes = vec![b'x'; 100_000];
        bytes.extend_from_slice(b"\n\xff\xfe\r\nlast");
        let (tail, told) = written(bytes).await;
        assert_eq!(tail.lines.iter().map(String::len).collect::<Vec<_>>(), [LINE, "\u{fffd}\u{fffd}".len(), 4]);
        assert_eq!(told, tail.lines);
    }
}
