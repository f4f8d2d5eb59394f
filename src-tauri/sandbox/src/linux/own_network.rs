//! A network of a server's own, in which there is nobody else but the host, as far as it answers.
//!
//! Always true here:
//! - nothing leaves it: its only interface is `lo`;
//! - the host answers on sockets that are opened in it and served outside, by the host alone.

use crate::profile::Network;
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, listen, socket, socket_with};
use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::{AsRawFd, OwnedFd};

/// Where names are looked up (see `view`).
const RESOLVER: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 53);
/// An address that is nobody's (RFC 7600, section 4.8): where there is none but 127.0.0.1, libraries
/// that are asked only for addresses of use (`AI_ADDRCONFIG`) find none of any name.
const NOBODY: Ipv4Addr = Ipv4Addr::new(192, 0, 0, 8);
/// How many connections wait for the host at one port.
const BACKLOG: i32 = 128;

/// Lets the server speak with itself, on any port, and leads what it may reach to the host. In the
/// first process of the namespace, with its own `/proc`.
pub(super) fn set_up(network: &Network) -> io::Result<()> {
    // Otherwise root alone could open the ports below 1024, and there is no root in there.
    fs::write("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0")?;
    let socket = socket(AddressFamily::INET, SocketType::DGRAM, None)?;
    let up = libc::__c_anonymous_ifr_ifru {
        ifru_flags: (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short,
    };
    set(&socket, "lo", libc::SIOCSIFFLAGS, up)?;
    if let Network::Listed { addresses, .. } = network {
        // What begins with 127 leads here already.
        let others = addresses.iter().filter(|address| !address.is_loopback());
        for (number, address) in others.chain([&NOBODY]).enumerate() {
            let name = format!("lo:{number}");
            set(&socket, &name, libc::SIOCSIFADDR, request_address(*address))?;
            // Not with all that has the same beginning.
            let alone = request_address(Ipv4Addr::BROADCAST);
            set(&socket, &name, libc::SIOCSIFNETMASK, alone)?;
        }
    }
    Ok(())
}

/// Opens the sockets on which the host answers: first the one for names, which takes datagrams, then
/// one for each port.
pub(crate) fn open_sockets(network: &Network) -> io::Result<Vec<OwnedFd>> {
    let Network::Listed { ports, .. } = network else {
        return Ok(Vec::new());
    };
    if ports.len() > Network::MOST_PORTS {
        return Err(io::Error::other("too many ports are listed"));
    }
    let open = |kind, address: SocketAddrV4| -> io::Result<OwnedFd> {
        let socket = socket_with(AddressFamily::INET, kind, SocketFlags::CLOEXEC, None)?;
        bind(&socket, &address)?;
        if kind == SocketType::STREAM {
            listen(&socket, BACKLOG)?;
        }
        Ok(socket)
    };
    let names = open(SocketType::DGRAM, RESOLVER);
    let ports = ports.iter().map(|port| {
        let everywhere = SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, *port);
        open(SocketType::STREAM, everywhere)
    });
    [names].into_iter().chain(ports).collect()
}

/// Makes one request about an interface, or one more name of it.
fn set(
    socket: &OwnedFd,
    interface: &str,
    request: libc::c_ulong,
    value: libc::__c_anonymous_ifr_ifru,
) -> io::Result<()> {
    let mut name = [0; libc::IFNAMSIZ];
    // The last place stays the end.
    for (place, letter) in name[..libc::IFNAMSIZ - 1].iter_mut().zip(interface.bytes()) {
        *place = letter_of(letter);
    }
    let asked = libc::ifreq {
        ifr_name: name,
        ifr_ifru: value,
    };
    #[expect(unsafe_code, reason = "no library has these requests")]
    // SAFETY: the request lives as long as the call, and is of the form that these numbers want.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), request, &raw const asked) };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// An address as a request has it.
fn request_address(address: Ipv4Addr) -> libc::__c_anonymous_ifr_ifru {
    let [a, b, c, d] = address.octets().map(letter_of);
    libc::__c_anonymous_ifr_ifru {
        ifru_addr: libc::sockaddr {
            sa_family: libc::AF_INET as libc::sa_family_t,
            // A port, then the address.
            sa_data: [0, 0, a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0],
        },
    }
}

/// A byte as the C library has it: with a sign on some architectures, without one on others.
fn letter_of(byte: u8) -> libc::c_char {
    libc::c_char::from_ne_bytes([byte])
}
