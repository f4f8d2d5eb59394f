//! Those who wait outside for somebody to come.

use super::network::unnamed;
use std::io;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::Path;

/// All of them; none waits for long.
pub(super) struct Listeners {
    tcp: TcpListener,
    udp: UdpSocket,
    streams: [UnixListener; 3],
    datagrams: [UnixDatagram; 2],
}

impl Listeners {
    /// Opens them: in the folder outside, in the one that is given, and without a folder.
    pub(super) fn open(
        outside: &Path,
        given: &Path,
        [stream, datagram]: &[String; 2],
    ) -> io::Result<Self> {
        let all = Self {
            tcp: TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?,
            udp: UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?,
            streams: [
                UnixListener::bind(outside.join("stream"))?,
                UnixListener::bind(given.join("stream"))?,
                UnixListener::bind_addr(&unnamed(stream)?)?,
            ],
            datagrams: [
                UnixDatagram::bind(outside.join("datagram"))?,
                UnixDatagram::bind_addr(&unnamed(datagram)?)?,
            ],
        };
        all.tcp.set_nonblocking(true)?;
        all.udp.set_nonblocking(true)?;
        for stream in &all.streams {
            stream.set_nonblocking(true)?;
        }
        for datagram in &all.datagrams {
            datagram.set_nonblocking(true)?;
        }
        Ok(all)
    }

    pub(super) fn port(&self) -> io::Result<u16> {
        self.tcp.local_addr().map(|address| address.port())
    }

    pub(super) fn datagram_port(&self) -> io::Result<u16> {
        self.udp.local_addr().map(|address| address.port())
    }

    pub(super) fn reached(&self) -> Option<String> {
        let connected =
            self.tcp.accept().is_ok() || self.streams.iter().any(|socket| socket.accept().is_ok());
        let sent = self.udp.recv(&mut [0; 8]).is_ok()
            || self
                .datagrams
                .iter()
                .any(|socket| socket.recv(&mut [0; 8]).is_ok());
        match (connected, sent) {
            (true, _) => Some("somebody has connected".to_owned()),
            (_, true) => Some("a datagram has arrived".to_owned()),
            _ => None,
        }
    }
}
