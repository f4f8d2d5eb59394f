//! Whom a program without a network reaches, and one with a list of hosts beside those: this
//! computer, others, and the kernel.

use super::call::Argument::{In, Number};
use super::call::call;
use super::targets::{SECRET, Targets, known};
use super::{Attempt, Contacts};
use std::io::{
    self,
    ErrorKind::{ConnectionRefused, TimedOut},
    Write,
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};
use std::time::Duration;

/// An address outside that belongs to nobody (RFC 5737).
const NOBODY: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
/// How long others may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// One of the ports that are listed.
pub(super) const LISTED_PORT: u16 = 443;
/// Where names are asked for.
const DNS: u16 = 53;
/// In a private network (RFC 1918); hardly anybody is there.
const PRIVATE: Ipv4Addr = Ipv4Addr::new(10, 255, 255, 1);
/// Where clouds tell their machines secrets.
const METADATA: Ipv4Addr = Ipv4Addr::new(169, 254, 169, 254);
/// Of a question, what comes before the name.
const HEAD_LENGTH: usize = 12;
/// Which address `example.com` has.
const QUESTION: &[u8] =
    b"\x4d\x4a\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03com\x00\x00\x01\x00\x01";

/// One of a program that may speak with everybody.
const fn online(name: &'static str, act: fn(&Targets) -> io::Result<String>) -> Attempt {
    Attempt {
        contacts: Contacts::Everybody,
        ..Attempt::anyone(name, act)
    }
}

/// One of a program that may speak with hosts that are listed.
const fn listed(name: &'static str, act: fn(&Targets) -> io::Result<String>) -> Attempt {
    Attempt {
        contacts: Contacts::Listed,
        ..Attempt::anyone(name, act)
    }
}

/// Likewise, where it depends on the computer's network whether it is possible.
const fn some_listed(name: &'static str, act: fn(&Targets) -> io::Result<String>) -> Attempt {
    Attempt {
        contacts: Contacts::Listed,
        ..Attempt::some(name, act)
    }
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::anyone("connects_to_this_computer", |to| {
        TcpStream::connect((Ipv4Addr::LOCALHOST, to.port)).map(|_| "connected".to_owned())
    }),
    Attempt::anyone("sends_a_datagram_to_this_computer", |to| {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.send_to(b"hello", (Ipv4Addr::LOCALHOST, to.datagram_port))?;
        // Where it arrives is seen outside.
        Err(io::Error::other("nobody has received it"))
    }),
    Attempt::some("connects_to_another_computer", |_| find_a_way(NOBODY)),
    Attempt::some("sends_a_datagram_to_another_computer", |_| {
        send_away(NOBODY, LISTED_PORT, b"hello")
    }),
    Attempt::some("asks_for_the_address_of_a_name", |to| {
        let answer = ask(known(to.resolver)?, QUESTION)?;
        Ok(format!("an answer of {} bytes", answer.len()))
    }),
    listed("connects_to_this_computer_with_hosts_listed", |to| {
        TcpStream::connect((Ipv4Addr::LOCALHOST, to.port)).map(|_| "connected".to_owned())
    }),
    listed("asks_another_resolver_by_tcp", |to| {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, to.port))?;
        let length = u16::try_from(QUESTION.len()).map_err(io::Error::other)?;
        stream.write_all(&length.to_be_bytes())?;
        stream.write_all(QUESTION).map(|()| "asked".to_owned())
    }),
    listed("asks_another_resolver_by_datagram", |to| {
        ask_outside(to, QUESTION.to_vec())
    }),
    listed("carries_a_secret_out_in_a_question_for_a_name", |to| {
        ask_outside(to, tunnel(SECRET)?)
    }),
    some_listed("asks_the_computers_resolver_by_datagram", |to| {
        let answer = ask(known(to.resolver)?, &tunnel(SECRET)?)?;
        Ok(format!("an answer of {} bytes", answer.len()))
    }),
    some_listed("asks_the_computers_resolver_by_tcp", |to| {
        let address = (known(to.resolver)?, DNS).into();
        TcpStream::connect_timeout(&address, ANSWER_TIMEOUT).map(|_| "connected".to_owned())
    }),
    // Whom it finds in the settings that it sees.
    some_listed("looks_up_a_name_that_is_not_listed", |_| {
        let answer = ask(known(super::computer::resolver())?, QUESTION)?;
        match answer[..] {
            // No problem, and answers.
            [_, _, _, outcome, _, _, high, low, ..] if outcome & 0xf == 0 && high | low > 0 => {
                Ok("it has an address".to_owned())
            }
            _ => Err(io::Error::other("it has no address")),
        }
    }),
    some_listed("connects_to_a_host_that_is_not_listed", |_| {
        find_a_way(NOBODY)
    }),
    some_listed("connects_to_a_private_address", |_| find_a_way(PRIVATE)),
    some_listed("connects_to_a_clouds_metadata_service", |_| {
        find_a_way(METADATA)
    }),
    some_listed("sends_a_datagram_to_a_private_address", |_| {
        send_away(PRIVATE, DNS, b"hello")
    }),
    Attempt::anyone("connects_to_a_socket_outside", connect),
    Attempt::anyone("connects_to_a_socket_in_a_folder_that_it_may_read", |to| {
        UnixStream::connect(to.given.join("stream")).map(|_| "connected".to_owned())
    }),
    Attempt::anyone("sends_a_datagram_to_a_socket_outside", send),
    // A socket of a pair can speak with others, too, if it is for datagrams.
    Attempt::anyone(
        "sends_a_datagram_to_a_socket_outside_by_a_pair",
        send_by_pair,
    ),
    Attempt::anyone("connects_to_a_socket_without_a_path", connect_unnamed),
    Attempt::anyone("sends_a_datagram_to_a_socket_without_a_path", send_unnamed),
    Attempt::anyone(
        "sends_a_datagram_to_such_a_socket_by_a_pair",
        send_unnamed_by_pair,
    ),
    online("connects_to_a_socket_outside_while_online", connect),
    online("sends_a_datagram_to_a_socket_outside_while_online", send),
    online(
        "sends_a_datagram_to_a_socket_outside_by_a_pair_while_online",
        send_by_pair,
    ),
    online(
        "connects_to_a_socket_without_a_path_while_online",
        connect_unnamed,
    ),
    online(
        "sends_a_datagram_to_a_socket_without_a_path_while_online",
        send_unnamed,
    ),
    online(
        "sends_a_datagram_to_such_a_socket_by_a_pair_while_online",
        send_unnamed_by_pair,
    ),
    online(
        "looks_at_the_sockets_of_others_while_online",
        look_at_sockets,
    ),
    online("sees_another_process_while_online", |to| {
        super::processes::pid(to.bystander.pid)
            .and_then(|pid| Ok(rustix::process::test_kill_process(pid)?))
            .map(|()| "it is there".to_owned())
    }),
    Attempt::root("opens_a_raw_socket", |_| {
        socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP)
    }),
    Attempt::root("opens_a_packet_socket", |_| {
        socket(libc::AF_PACKET, libc::SOCK_RAW, 0)
    }),
    Attempt::some("opens_a_socket_to_the_machine_around_this_one", |_| {
        socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0)
    }),
    Attempt::some("hears_of_devices_by_a_socket", |_| {
        socket(
            libc::AF_NETLINK,
            libc::SOCK_RAW,
            libc::NETLINK_KOBJECT_UEVENT,
        )
    }),
    Attempt::some("looks_at_the_sockets_of_others", look_at_sockets),
    Attempt::some("speaks_with_drivers_by_a_socket", |_| {
        socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_GENERIC)
    }),
    Attempt::some("opens_a_socket_to_the_kernels_ciphers", |_| {
        socket(libc::AF_ALG, libc::SOCK_SEQPACKET, 0)
    }),
    Attempt::some("opens_a_socket_of_a_rare_protocol", |_| {
        socket(libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_SCTP)
    }),
    Attempt::some("opens_a_pair_of_sockets_of_a_rare_family", |_| {
        let mut pair = [0; 8];
        let arguments = [
            libc::AF_TIPC.into(),
            libc::SOCK_STREAM.into(),
            Number(0),
            super::call::Argument::Out(&mut pair),
        ];
        call(libc::SYS_socketpair, arguments).map(|_| "opened".to_owned())
    }),
    Attempt::root("changes_how_the_network_is_set_up", |_| {
        // `lo` is to be as it is.
        let mut request = [0; 40];
        request[..2].copy_from_slice(b"lo");
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let descriptor = std::os::fd::AsRawFd::as_raw_fd(&socket);
        let flags = (libc::IFF_UP | libc::IFF_RUNNING | libc::IFF_LOOPBACK) as u16;
        request[16..18].copy_from_slice(&flags.to_ne_bytes());
        let arguments = [
            descriptor.into(),
            Number(libc::SIOCSIFFLAGS as i64),
            In(&request),
        ];
        call(libc::SYS_ioctl, arguments).map(|_| "changed".to_owned())
    }),
];

/// Whether there is a way to an address.
fn find_a_way(to: Ipv4Addr) -> io::Result<String> {
    let address = (to, LISTED_PORT).into();
    match TcpStream::connect_timeout(&address, Duration::from_millis(50)) {
        Ok(_) => Ok("connected".to_owned()),
        // Whoever answers, and be it with a no, was reached; who does not may still be.
        Err(error) if matches!(error.kind(), ConnectionRefused | TimedOut) => {
            Ok("there is a way".to_owned())
        }
        Err(error) => Err(error),
    }
}

fn send_away(to: Ipv4Addr, port: u16, what: &[u8]) -> io::Result<String> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.connect((to, port))?;
    socket.send(what).map(|_| "there is a way".to_owned())
}

/// Asks a resolver by a datagram, and waits for its answer.
fn ask(resolver: IpAddr, question: &[u8]) -> io::Result<Vec<u8>> {
    let socket = UdpSocket::bind(anywhere(resolver))?;
    socket.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    socket.connect((resolver, DNS))?;
    socket.send(question)?;
    let mut answer = vec![0; 512];
    let length = socket.recv(&mut answer)?;
    answer.truncate(length);
    Ok(answer)
}

/// Asks somebody who waits for questions on this computer.
fn ask_outside(to: &Targets, question: Vec<u8>) -> io::Result<String> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.send_to(&question, (Ipv4Addr::LOCALHOST, to.datagram_port))?;
    // Where it arrives is seen outside.
    Err(io::Error::other("nobody has received it"))
}

/// Any address of this computer's, of the kind of another one.
fn anywhere(to: IpAddr) -> (IpAddr, u16) {
    match to {
        IpAddr::V4(_) => (Ipv4Addr::UNSPECIFIED.into(), 0),
        IpAddr::V6(_) => (Ipv6Addr::UNSPECIFIED.into(), 0),
    }
}

/// A question for a name in which something is said to whoever has to answer it.
fn tunnel(said: &str) -> io::Result<Vec<u8>> {
    let (head, rest) = QUESTION.split_at(HEAD_LENGTH);
    let length = u8::try_from(said.len()).map_err(io::Error::other)?;
    Ok([head, &[length], said.as_bytes(), rest].concat())
}

fn connect(to: &Targets) -> io::Result<String> {
    UnixStream::connect(&to.stream).map(|_| "connected".to_owned())
}

fn send(to: &Targets) -> io::Result<String> {
    UnixDatagram::unbound()?.send_to(b"hello", &to.datagram)?;
    Ok("sent".to_owned())
}

fn send_by_pair(to: &Targets) -> io::Result<String> {
    UnixDatagram::pair()?.0.send_to(b"hello", &to.datagram)?;
    Ok("sent".to_owned())
}

fn connect_unnamed(to: &Targets) -> io::Result<String> {
    UnixStream::connect_addr(&unnamed(&to.unnamed[0])?).map(|_| "connected".to_owned())
}

fn send_unnamed(to: &Targets) -> io::Result<String> {
    let address = unnamed(&to.unnamed[1])?;
    UnixDatagram::unbound()?.send_to_addr(b"hello", &address)?;
    Ok("sent".to_owned())
}

fn send_unnamed_by_pair(to: &Targets) -> io::Result<String> {
    let address = unnamed(&to.unnamed[1])?;
    UnixDatagram::pair()?.0.send_to_addr(b"hello", &address)?;
    Ok("sent".to_owned())
}

fn look_at_sockets(_: &Targets) -> io::Result<String> {
    socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_SOCK_DIAG)
}

fn socket(family: i32, kind: i32, protocol: i32) -> io::Result<String> {
    let arguments = [family.into(), kind.into(), protocol.into()];
    call(libc::SYS_socket, arguments).map(|_| "opened".to_owned())
}

/// The address of a socket that lies in no folder.
pub(super) fn unnamed(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}
