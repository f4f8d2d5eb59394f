//! A stream that ends where nobody takes what is written to it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long the other end may take nothing that is written to it.
pub(crate) const TAKE_TIMEOUT: Duration = Duration::from_secs(30);

/// Such a stream.
pub(crate) struct Taken<S> {
    stream: S,
    /// Ends the wait for the other end, while there is one.
    patience: Option<Pin<Box<Sleep>>>,
}

impl<S> Taken<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self {
            stream,
            patience: None,
        }
    }

    /// What came of writing, or that nothing was taken for too long.
    fn in_time<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.patience = None;
            return written;
        }
        let patience = self
            .patience
            .get_or_insert_with(|| Box::pin(sleep(TAKE_TIMEOUT)));
        let is_over = patience.as_mut().poll(context);
        is_over.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Taken<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        read: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, read)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Taken<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.in_time(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_for_a_while_is_let_go_of_and_who_takes_little_is_not() {
        let (ours, mut theirs) = duplex(4);
        let mut ours = Taken::new(ours);
        let slowly = tokio::spawn(async move {
            for _ in 0..4 {
                sleep(TAKE_TIMEOUT / 2).await;
                theirs.read_u8().await.unwrap();
            }
            theirs
        });
        ours.write_all(&[0; 8]).await.unwrap();
        let _theirs = slowly.await.unwrap();
        let problem = ours.write_all(&[0; 8]).await.unwrap_err();
        assert_eq!(problem.kind(), io::ErrorKind::TimedOut);
    }
}
