//! Where connections come in.

use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// How long nobody is let in when that failed: most often no file is free.
const PAUSE: Duration = Duration::from_millis(200);

/// Where connections come in; whoever waits for the next one may stop waiting.
pub(crate) trait Listener: Send + 'static {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// The next who comes. What goes wrong with one of them keeps no other out.
    fn next(&mut self) -> impl Future<Output = Self::Stream> + Send;
}

impl Listener for TcpListener {
    type Stream = TcpStream;

    async fn next(&mut self) -> TcpStream {
        loop {
            match self.accept().await {
                Ok((stream, _)) => {
                    // An answer is written whole; without this the rest of it may wait.
                    let _ = stream.set_nodelay(true);
                    return stream;
                }
                Err(problem) => failed(problem).await,
            }
        }
    }
}

#[cfg(unix)]
impl Listener for tokio::net::UnixListener {
    type Stream = tokio::net::UnixStream;

    async fn next(&mut self) -> tokio::net::UnixStream {
        loop {
            match self.accept().await {
                Ok((stream, _)) if is_ours(&stream) => return stream,
                Ok(_) => tracing::warn!("somebody else on this computer was turned away"),
                Err(problem) => failed(problem).await,
            }
        }
    }
}

/// Whether this user is at the other end: the system says so, whatever became of the file.
#[cfg(unix)]
fn is_ours(stream: &tokio::net::UnixStream) -> bool {
    let own = rustix::process::geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == own)
}

/// Waits where waiting may help.
pub(crate) async fn failed(problem: io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        problem.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        tracing::warn!(%problem, "a connection could not be let in");
        sleep(PAUSE).await;
    }
}
