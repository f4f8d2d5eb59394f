//! A line that tasks carry.

use super::Gone;
use api::HostError;
use loopback::{Client, END_OF_INPUT};
use protocol::{CallerId, ServerId};
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, copy, split, stdin, stdout};
use tokio::time::timeout;

/// How long the answers to an application that says nothing more are waited for.
const UNREAD_TIMEOUT: Duration = Duration::from_secs(10);

/// A line to the host that is still to be carried.
pub(super) struct Line(Box<dyn Stream>);

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Line {
    pub(super) async fn to(
        host: &Client,
        client: &CallerId,
        server: Option<&ServerId>,
    ) -> Result<Self, HostError> {
        let stream = host.bridge(client, server).await?;
        Ok(Self(Box::new(stream)))
    }

    /// Passes on what is said, until the host ends, or the application says nothing more and has its
    /// answers.
    pub(super) async fn carry(self) -> Gone {
        let (mut reading, mut writing) = split(self.0);
        let (mut input, mut output) = (stdin(), stdout());
        let mut answers = pin!(copy(&mut reading, &mut output));
        let input_ended = AtomicBool::new(false);
        let gone = tokio::select! {
            said = say(&mut input, &mut writing, &input_ended) => match said {
                Ok(()) => Gone::Application,
                Err(_) => Gone::Host,
            },
            _ = &mut answers => return Gone::after(&input_ended),
        };
        // What the host has answered before it went is passed on, too. Windows does not tell whether
        // somebody still reads a pipe.
        let _ = timeout(UNREAD_TIMEOUT, answers).await;
        gone
    }
}

/// Passes on what the application says, and that it says nothing more, which is noted before. Fails
/// where the host takes nothing.
async fn say(
    input: &mut (impl AsyncRead + Unpin),
    line: &mut (impl AsyncWrite + Unpin),
    ended: &AtomicBool,
) -> io::Result<()> {
    // An input that cannot be read has ended; a host that takes nothing will not take that either.
    if copy(input, line).await.is_ok() {
        ended.store(true, Ordering::Release);
    }
    // Its last line may have no end.
    let end = format!("\n{END_OF_INPUT}\n");
    line.write_all(end.as_bytes()).await?;
    line.flush().await
}
