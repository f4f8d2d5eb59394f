//! What a server writes on its standard error: the last lines are kept, and told live in batches.
//!
//! It is always read, no faster than at the pace of what nobody asked for, and never kept beyond the
//! ring, however much comes.

use super::lines::{Read, read_line};
use crate::ServerAsks;
use crate::pace::Pace;
use protocol::{Budget, Ring};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, BufReader};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Lines that are kept, and the most that one batch holds; and bytes of them.
const LINES: usize = 1_000;
const BYTES: usize = 2 * 1024 * 1024;
/// Bytes of a line that are kept.
const LINE: usize = 8 * 1024;
/// What a line costs, and each of its bytes, in nanoseconds.
const EACH: Duration = Duration::from_micros(5);
const BYTE: u64 = 2;
/// Bytes of a line without an end over which is passed at once.
const SKIPPED: usize = 1024 * 1024;
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

impl Newest {
    fn new(budget: Budget) -> Mutex<Self> {
        Mutex::new(Self {
            lines: Ring::new(LINES, BYTES, budget),
            untold: 0,
        })
    }
}

/// The standard error of one connection.
pub(crate) struct Stderr {
    newest: Mutex<Newest>,
    ended: watch::Sender<bool>,
    /// Who is told. Of a process that is only tried nobody is, until it is taken.
    told: OnceLock<Arc<dyn ServerAsks>>,
}

#[derive(Debug)]
struct Newest {
    lines: Ring<String>,
    /// How many of the newest lines nobody was told of yet.
    untold: usize,
}

impl Stderr {
    /// For a server without a standard error.
    pub(crate) fn none() -> Arc<Self> {
        Arc::new(Self {
            newest: Newest::new(Budget::new(0)),
            ended: watch::Sender::new(true),
            told: OnceLock::new(),
        })
    }

    /// Reads `stream` to its end in a task of its own. What is kept of it is out of `budget`.
    pub(crate) fn of(stream: impl AsyncRead + Unpin + Send + 'static, budget: Budget) -> Arc<Self> {
        let stderr = Arc::new(Self {
            newest: Newest::new(budget),
            ended: watch::Sender::new(false),
            told: OnceLock::new(),
        });
        tokio::spawn(read(
            Arc::clone(&stderr),
            BufReader::with_capacity(16 * 1024, stream),
        ));
        stderr
    }

    /// From now on `asks` is told, beginning with what is here already.
    pub(crate) fn tell(&self, asks: Arc<dyn ServerAsks>) {
        // There is one to be told.
        let _ = self.told.set(asks);
        self.tell_rest();
    }

    /// What is kept now.
    pub(crate) fn tail(&self) -> StderrTail {
        let newest = self.lock();
        StderrTail {
            lines: newest.lines.iter().cloned().collect(),
            dropped: newest.lines.dropped(),
        }
    }

    /// Waits until everything was read, which comes with the end of all processes that hold the
    /// stream.
    pub(crate) async fn ended(&self) {
        // The sender lives in self.
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    fn keep(&self, line: String) {
        let mut newest = self.lock();
        newest.lines.push(line);
        newest.untold = (newest.untold + 1).min(newest.lines.len());
    }

    fn tell_rest(&self) {
        let Some(asks) = self.told.get() else { return };
        let mut newest = self.lock();
        let from = newest.lines.len() - newest.untold;
        let lines: Vec<String> = newest.lines.iter().skip(from).cloned().collect();
        newest.untold = 0;
        // Told before the lock is given back, so that no two batches change places.
        if !lines.is_empty() {
            asks.wrote(lines);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Newest> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(stderr: Arc<Stderr>, mut stream: impl tokio::io::AsyncBufRead + Unpin) {
    let mut line = Vec::with_capacity(256);
    let mut due = None;
    let mut pace = Pace::new(Instant::now().into_std());
    let mut paid_at = None;
    loop {
        let next_line = async {
            if let Some(paid_at) = paid_at {
                sleep_until(paid_at).await;
            }
            read_line(&mut stream, &mut line, LINE).await
        };
        let read = tokio::select! {
            read = next_line => read,
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                due = None;
                stderr.tell_rest();
                continue;
            }
        };
        let ended = !matches!(read, Ok(Read::Line | Read::TooLong));
        let mut bytes = line.len();
        if !(ended && line.is_empty()) {
            stderr.keep(text(&line));
            line.clear();
            due = due.or_else(|| Some(Instant::now() + BATCH));
        }
        if matches!(read, Ok(Read::TooLong)) {
            bytes += skip_rest(&mut stream).await;
        }
        let now = Instant::now();
        let wait = pace.pay(price(bytes), now.into_std());
        paid_at = (!wait.is_zero()).then(|| now + wait);
        // A stream that never pauses is told of in batches too.
        if ended || due.is_some_and(|due| Instant::now() >= due) {
            due = None;
            stderr.tell_rest();
        }
        if ended {
            break;
        }
    }
    stderr.ended.send_replace(true);
}

/// Passes over what is left of a line that was cut, but over no more than is paid for at once: the
/// rest counts as another line. How many bytes that were.
async fn skip_rest(stream: &mut (impl tokio::io::AsyncBufRead + Unpin)) -> usize {
    let (mut rest, mut bytes) = (Vec::new(), 0);
    while let Ok(Read::TooLong) = read_line(stream, &mut rest, LINE).await {
        bytes += rest.len();
        rest.clear();
        if bytes > SKIPPED {
            break;
        }
    }
    bytes
}

/// What it costs to read and keep a line.
fn price(bytes: usize) -> Duration {
    EACH + Duration::from_nanos(BYTE).saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX))
}

fn text(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    String::from_utf8_lossy(line).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConnectionError, During};
    use futures::future::BoxFuture;
    use protocol::{Form, FormResult, Sample, UrlAsk, UrlResult};

    #[derive(Default)]
    struct TestHandler(Mutex<Vec<String>>);

    impl ServerAsks for TestHandler {
        fn roots(&self, _during: Option<During>) -> BoxFuture<'_, policy::PermittedRoots> {
            Box::pin(async { policy::PermittedRoots::none() })
        }
        fn form(&self, _form: Form, _during: During) -> BoxFuture<'_, FormResult> {
            Box::pin(async { FormResult::Decline })
        }
        fn url(&self, _ask: UrlAsk, _during: During) -> BoxFuture<'_, UrlResult> {
            Box::pin(async { UrlResult::Decline })
        }
        fn sample(
            &self,
            _sample: Sample,
            _during: During,
        ) -> BoxFuture<'_, Option<serde_json::Map<String, serde_json::Value>>> {
            Box::pin(async { None })
        }
        fn wrote(&self, lines: Vec<String>) {
            self.0.lock().unwrap().extend(lines);
        }
        fn ended(&self, _why: ConnectionError) {}
    }

    async fn written(bytes: Vec<u8>) -> (StderrTail, Vec<String>) {
        let handler = Arc::new(TestHandler::default());
        let stderr = Stderr::of(std::io::Cursor::new(bytes), Budget::new(usize::MAX));
        stderr.tell(handler.clone());
        stderr.ended().await;
        let told = handler.0.lock().unwrap().clone();
        (stderr.tail(), told)
    }

    #[tokio::test]
    async fn who_comes_later_hears_what_was_written_before_and_nothing_twice() {
        let stderr = Stderr::of(
            std::io::Cursor::new(b"one\ntwo\n".to_vec()),
            Budget::new(usize::MAX),
        );
        stderr.ended().await;
        let handler = Arc::new(TestHandler::default());
        stderr.tell(handler.clone());
        stderr.tell_rest();
        assert_eq!(*handler.0.lock().unwrap(), ["one", "two"]);
    }

    #[tokio::test]
    async fn the_last_lines_are_kept_and_the_others_counted() {
        let (tail, _) = written(
            (0..1_500)
                .map(|n| format!("line {n}\n"))
                .collect::<String>()
                .into_bytes(),
        )
        .await;
        assert_eq!((tail.lines.len(), tail.dropped), (1_000, 500));
        assert_eq!(tail.lines.last().map(String::as_str), Some("line 1499"));
    }

    #[tokio::test]
    async fn a_long_line_is_cut_and_bytes_that_are_no_text_are_replaced() {
        let mut bytes = vec![b'x'; 100_000];
        bytes.extend_from_slice(b"\n\xff\xfe\r\nlast");
        let (tail, told) = written(bytes).await;
        assert_eq!(
            tail.lines.iter().map(String::len).collect::<Vec<_>>(),
            [LINE, "\u{fffd}\u{fffd}".len(), 4]
        );
        assert_eq!(told, tail.lines);
    }
}
