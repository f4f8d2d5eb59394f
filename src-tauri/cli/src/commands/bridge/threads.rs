//! A line that two threads carry.

use super::Gone;
use api::HostError;
use loopback::{Client, END_OF_INPUT};
use protocol::{CallerId, ServerId};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::oneshot;

/// How much is read at once.
const READ: usize = 64 * 1024;

/// A line to the host that is still to be carried.
pub(super) struct Line {
    stream: UnixStream,
    /// What has come already.
    came: Box<[u8]>,
}

impl Line {
    pub(super) async fn to(
        host: &Client,
        client: &CallerId,
        server: Option<&ServerId>,
    ) -> Result<Self, HostError> {
        let (stream, came) = host.blocking_bridge(client, server).await?;
        let came = came.to_vec().into();
        Ok(Self { stream, came })
    }

    /// Passes on what is said, until the host ends, or the application says nothing more and has its
    /// answers. A thread that still waits for the other one ends with the program.
    #[expect(
        clippy::disallowed_methods,
        reason = "the protocol comes by standard input, and no person types here"
    )]
    pub(super) async fn carry(self) -> Gone {
        let Self { stream, came } = self;
        let (tell_said, said) = oneshot::channel();
        let (tell_answered, mut answered) = oneshot::channel();
        let input_ended = Arc::new(AtomicBool::new(false));
        let begun = || -> io::Result<()> {
            let (input, mut output) = (file(io::stdin())?, file(io::stdout())?);
            let to_host = stream.try_clone()?;
            output.write_all(&came)?;
            let thread = || std::thread::Builder::new().name("bridge".to_owned());
            let ended = Arc::clone(&input_ended);
            thread().spawn(move || _ = tell_said.send(say(input, to_host, &ended)))?;
            thread().spawn(move || _ = tell_answered.send(pass(stream, &mut output)))?;
            Ok(())
        };
        if begun().is_err() {
            // Nothing can be read or written here.
            return Gone::Application;
        }
        let gone = tokio::select! {
            said = said => match said {
                Ok(Ok(())) => Gone::Application,
                Ok(Err(_)) | Err(_) => Gone::Host,
            },
            _ = &mut answered => return Gone::after(&input_ended),
        };
        // What the host has answered before it went is passed on, too.
        tokio::select! {
            _ = answered => {}
            () = unread() => {}
        }
        gone
    }
}

/// Passes on what the application says, and that it says nothing more, which is noted before. Fails
/// where the host takes nothing.
fn say(input: impl Read, mut line: impl Write, ended: &AtomicBool) -> io::Result<()> {
    // An input that cannot be read has ended; a host that takes nothing will not take that either.
    if pass(input, &mut line).is_ok() {
        ended.store(true, Ordering::Release);
    }
    // Its last line may have no end.
    line.write_all(format!("\n{END_OF_INPUT}\n").as_bytes())
}

/// Waits until nobody reads what is written to standard output: an application that has closed its
/// input, and is gone, closes that, too.
async fn unread() {
    let (tell, told) = oneshot::channel();
    // A thread of its own: it ends with the program, and holds up nobody.
    std::thread::spawn(move || {
        let output = rustix::stdio::stdout();
        let mut closed = [PollFd::new(&output, PollFlags::HUP)];
        let _ = retry_on_intr(|| poll(&mut closed, None));
        let _ = tell.send(());
    });
    let _ = told.await;
}

/// The same without what is kept of it in between.
fn file(stream: impl AsFd) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

/// Passes on what is read until there is no more; fails where it cannot be read, or nobody takes it.
fn pass(mut from: impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0; READ];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => to.write_all(&buffer[..length])?,
            Err(problem) if problem.kind() == ErrorKind::Interrupted => {}
            Err(problem) => return Err(problem),
        }
    }
}
