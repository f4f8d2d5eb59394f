//! The host, as far as an attempt needs one: it hears what the jail says of the start, and answers on
//! the network of the program inside that no name is there. Connections are never accepted.

use crate::lifeline::{Report, SOCKETS, receive};
use std::io;
use std::net::UdpSocket;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How soon it is noticed that nothing is to be answered any more.
const PACE: Duration = Duration::from_millis(50);
/// Of an answer: that it is one, and that there is no such name (RFC 1035, section 4.1.1).
const ANSWER: u8 = 0x80;
const NO_SUCH_NAME: u8 = 3;

/// Answers until it is dropped.
pub(super) struct Host {
    is_over: Arc<AtomicBool>,
    /// As long as they are open, somebody listens.
    _listeners: Vec<OwnedFd>,
}

impl Host {
    /// Reads what the jail says of the start, and answers on the sockets that come with it.
    pub(super) fn hear(lifeline: &UnixStream) -> io::Result<(Self, Option<Report>)> {
        let (mut text, mut sockets) = (Vec::new(), Vec::new());
        let report = loop {
            let read = receive(lifeline, &mut text, &mut sockets)?;
            let said = text.strip_prefix(SOCKETS.as_bytes()).unwrap_or(&text);
            if read == 0 || said.ends_with(b"\n") {
                break Report::from_line(&String::from_utf8_lossy(said));
            }
        };
        let is_over = Arc::new(AtomicBool::new(false));
        let mut sockets = sockets.into_iter();
        if let Some(names) = sockets.next() {
            let names = UdpSocket::from(names);
            names.set_read_timeout(Some(PACE))?;
            let is_over = Arc::clone(&is_over);
            thread::spawn(move || know_no_names(&names, &is_over));
        }
        let host = Self {
            is_over,
            _listeners: sockets.collect(),
        };
        Ok((host, report))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn know_no_names(socket: &UdpSocket, is_over: &AtomicBool) {
    let mut bytes = [0; 512];
    while !is_over.load(Ordering::Relaxed) {
        let Ok((length, from)) = socket.recv_from(&mut bytes) else {
            continue;
        };
        if let [_, _, kind, outcome, ..] = &mut bytes[..length] {
            *kind |= ANSWER;
            *outcome = NO_SUCH_NAME;
            // Whoever asked may have gone.
            let _ = socket.send_to(&bytes[..length], from);
        }
    }
}
