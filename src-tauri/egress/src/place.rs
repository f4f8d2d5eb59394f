//! Where an address is: out in the world, in a private network, on this computer, or where no
//! server can be.
//!
//! Always true here:
//! - nothing but arithmetic: no clock, no network, no name;
//! - every address has one place, and what is not known to be public is not public;
//! - an address that wraps another one is never nearer than it looks, and never more public than
//!   what it wraps.
//!
//! Sources: the IANA registries of special-purpose IPv4 and IPv6 addresses (RFC 6890), RFC 4291,
//! 6052, 8215, 3056, 4380, 5214.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where an address is, as seen from this computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Out in the world.
    Public,
    /// In a private network: RFC 1918, unique local, or shared by a provider's customers
    /// (100.64.0.0/10).
    Private,
    /// This computer.
    Loopback,
    /// The cable or the radio network that this computer is on.
    LinkLocal,
    /// Where clouds hand out the credentials of a machine.
    Metadata,
    /// Many computers at once.
    Multicast,
    /// No address: `0.0.0.0` or `::`.
    Unspecified,
    /// For documentation, benchmarks, protocols or the future; or a private address in the clothes
    /// of a public one.
    Reserved,
}

/// Where the large clouds hand out credentials and settings, as far as they have addresses of their
/// own.
const METADATA_V4: &[Ipv4Addr] = &[
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];
const METADATA_V6: &[Ipv6Addr] = &[
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
];

impl Place {
    /// Where this address is.
    pub fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }

    /// How near it is to this computer: 0 for the world, 1 for a private network, 2 for this
    /// computer; nothing for the rest.
    pub(crate) fn nearness(self) -> Option<u8> {
        match self {
            Self::Public => Some(0),
            Self::Private => Some(1),
            Self::Loopback => Some(2),
            Self::LinkLocal
            | Self::Metadata
            | Self::Multicast
            | Self::Unspecified
            | Self::Reserved => None,
        }
    }

    /// The place in words, as the end of "it leads to ...".
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Public => "a public address",
            Self::Private => "a private network",
            Self::Loopback => "this computer",
            Self::LinkLocal => "a link-local address",
            Self::Metadata => "a cloud's metadata service",
            Self::Multicast => "a multicast address",
            Self::Unspecified => "no address at all",
            Self::Reserved => "a reserved address",
        }
    }
}

fn of_v4(address: Ipv4Addr) -> Place {
    if METADATA_V4.contains(&address) {
        return Place::Metadata;
    }
    match address.octets() {
        [0, 0, 0, 0] => Place::Unspecified,
        [127, ..] => Place::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => Place::Private,
        [169, 254, ..] => Place::LinkLocal,
        [224..=239, ..] => Place::Multicast,
        // "This network", protocol assignments, three for documentation, 6to4 relays, benchmarks,
        // and the future with broadcast.
        [0, ..]
        | [192, 0, 0 | 2, _]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [192, 88, 99, _]
        | [198, 18..=19, ..]
        | [240..=255, ..] => Place::Reserved,
        _ => Place::Public,
    }
}

fn of_v6(address: Ipv6Addr) -> Place {
    if let Some(address) = address.to_ipv4_mapped() {
        // Not a wrapping: the system connects to the IPv4 address itself.
        return of_v4(address);
    }
    if address.is_unspecified() {
        return Place::Unspecified;
    }
    if address.is_loopback() {
        return Place::Loopback;
    }
    if METADATA_V6.contains(&address) {
        return Place::Metadata;
    }
    match address.segments() {
        [0xff00..=0xffff, ..] => Place::Multicast,
        [0xfe80..=0xfebf, ..] => Place::LinkLocal,
        [0xfc00..=0xfdff, ..] => Place::Private,
        _ => match wrapped(address) {
            Some(inner) => of_wrapped(inner),
            None => of_unwrapped(address),
        },
    }
}

/// An IPv6 address that holds no other one.
fn of_unwrapped(address: Ipv6Addr) -> Place {
    match address.segments() {
        // Protocol assignments with benchmarks and overlay identifiers, and two for documentation.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Place::Reserved,
        [0x2000..=0x3fff, ..] => Place::Public,
        // Only 2000::/3 has been given out.
        _ => Place::Reserved,
    }
}

/// What a wrapping address is: public only if all it wraps is, and never near, because the way
/// there leads through others.
fn of_wrapped(inner: [Ipv4Addr; 2]) -> Place {
    let worst = inner
        .map(of_v4)
        .into_iter()
        .find(|place| *place != Place::Public);
    match worst {
        None => Place::Public,
        Some(Place::Private | Place::Loopback) => Place::Reserved,
        Some(place) => place,
    }
}

/// The IPv4 addresses in an IPv6 address, twice the same where there is one.
fn wrapped(address: Ipv6Addr) -> Option<[Ipv4Addr; 2]> {
    let o = address.octets();
    let at = |index: usize| Ipv4Addr::new(o[index], o[index + 1], o[index + 2], o[index + 3]);
    let one = |address: Ipv4Addr| Some([address, address]);
    match address.segments() {
        // IPv4-compatible, IPv4-translated, and the well-known prefix of NAT64.
        [0, 0, 0, 0, 0, 0, ..] | [0, 0, 0, 0, 0xffff, 0, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            one(at(12))
        }
        // NAT64's local prefix: the /48 form splits the address around a zero octet and ends in
        // zeros, else it is the /96 form.
        [0x64, 0xff9b, 1, ..] if o[11..] == [0; 5] => one(Ipv4Addr::new(o[6], o[7], o[9], o[10])),
        [0x64, 0xff9b, 1, ..] => one(at(12)),
        // 6to4.
        [0x2002, ..] => one(at(2)),
        // Teredo: the server, and the client with every bit turned.
        [0x2001, 0, ..] => Some([at(4), Ipv4Addr::from(!u32::from(at(12)))]),
        // ISATAP under any prefix.
        [.., 0 | 0x200, 0x5efe, _, _] => one(at(12)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "place_test.rs"]
mod tests;
