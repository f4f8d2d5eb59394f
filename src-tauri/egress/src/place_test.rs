//! Every special block by its borders, and whatever is true of all addresses.

use super::Place;
use proptest::prelude::*;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

fn check(place: Place, addresses: &[&str]) {
    for address in addresses {
        assert_eq!(Place::of(address.parse().unwrap()), place, "{address}");
    }
}

#[test]
fn every_block_of_ipv4_ends_where_it_ends() {
    check(
        Place::Public,
        &[
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
        ],
    );
    check(
        Place::Public,
        &[
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "192.169.0.0",
        ],
    );
    check(
        Place::Public,
        &[
            "192.0.1.0",
            "192.0.3.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "168.63.129.17",
        ],
    );
    check(
        Place::Private,
        &[
            "10.0.0.0",
            "10.255.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.168.0.0",
            "192.168.255.255",
        ],
    );
    check(Place::Private, &["100.64.0.0", "100.127.255.255"]);
    check(
        Place::Loopback,
        &["127.0.0.0", "127.0.0.1", "127.255.255.255"],
    );
    check(
        Place::LinkLocal,
        &["169.254.0.0", "169.254.255.255", "169.254.169.253"],
    );
    check(
        Place::Metadata,
        &[
            "169.254.169.254",
            "169.254.170.2",
            "100.100.100.200",
            "168.63.129.16",
        ],
    );
    check(Place::Multicast, &["224.0.0.0", "239.255.255.255"]);
    check(Place::Unspecified, &["0.0.0.0"]);
    check(
        Place::Reserved,
        &[
            "0.0.0.1",
            "0.255.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "198.51.100.1",
            "203.0.113.1",
            "192.88.99.1",
        ],
    );
    check(
        Place::Reserved,
        &[
            "198.18.0.0",
            "198.19.255.255",
            "240.0.0.0",
            "255.255.255.255",
        ],
    );
}

#[test]
fn every_block_of_ipv6_ends_where_it_ends() {
    check(
        Place::Public,
        &[
            "2606:4700::1111",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2001:db7:ffff::",
            "2001:db9::",
            "3fff:1000::",
        ],
    );
    check(Place::Private, &["fc00::", "fdff:ffff::1"]);
    check(Place::Loopback, &["::1"]);
    check(Place::LinkLocal, &["fe80::1", "febf:ffff::1"]);
    check(Place::Metadata, &["fd00:ec2::254", "fd20:ce::254"]);
    check(Place::Multicast, &["ff02::1", "ffff::"]);
    check(Place::Unspecified, &["::"]);
    check(
        Place::Reserved,
        &[
            "100::1",
            "2001:2::1",
            "2001:1ff::1",
            "2001:db8::1",
            "3fff::1",
            "fec0::1",
            "4000::1",
            "1fff::1",
            "64:ff9a::1",
        ],
    );
}

#[test]
fn an_address_in_the_clothes_of_another_is_known_by_what_it_wears_them_over() {
    check(Place::Loopback, &["::ffff:127.0.0.1"]);
    check(Place::Private, &["::ffff:10.0.0.1", "::ffff:100.64.0.1"]);
    check(
        Place::Metadata,
        &[
            "::ffff:169.254.169.254",
            "::169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "2002:a9fe:a9fe::1",
        ],
    );
    check(
        Place::Metadata,
        &[
            "64:ff9b:1::a9fe:a9fe",
            "64:ff9b:1:a9fe:00a9:fe00::",
            "::ffff:0:169.254.169.254",
        ],
    );
    check(
        Place::Reserved,
        &[
            "64:ff9b::7f00:1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::10.0.0.1",
            "64:ff9b:1:0a00:0000:0100::",
        ],
    );
    check(
        Place::Reserved,
        &[
            "::127.0.0.1",
            "::ffff:0:127.0.0.1",
            "2002:7f00:1::",
            "2002:c0a8:101::1",
            "2606:4700::5efe:10.0.0.1",
        ],
    );
    check(
        Place::Public,
        &[
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "64:ff9b:1::1.1.1.1",
            "2002:101:101::1",
        ],
    );
    // Teredo: server 1.1.1.1, client 127.0.0.1; then the other way round; then both public.
    check(
        Place::Reserved,
        &["2001:0:101:101::80ff:fffe", "2001:0:7f00:1::fefe:fefe"],
    );
    check(Place::Public, &["2001:0:101:101::fefe:fefe"]);
}

/// Every way to wear an IPv4 address.
fn clothes(inner: Ipv4Addr) -> Vec<Ipv6Addr> {
    let bits = u128::from(u32::from(inner));
    let prefixes = [
        "::",
        "::ffff:0:0",
        "::ffff:0:0:0",
        "64:ff9b::",
        "64:ff9b:1::",
        "64:ff9b:1:ffff::",
        "2606:4700::5efe:0:0",
    ];
    let mut all: Vec<Ipv6Addr> = prefixes
        .iter()
        .map(|prefix| Ipv6Addr::from(u128::from(prefix.parse::<Ipv6Addr>().unwrap()) | bits))
        .collect();
    let six_to_four = u128::from("2002::1".parse::<Ipv6Addr>().unwrap()) | bits << 80;
    let teredo_client =
        u128::from("2001:0:101:101::".parse::<Ipv6Addr>().unwrap()) | u128::from(!u32::from(inner));
    let teredo_server =
        u128::from("2001:0:0:0::fefe:fefe".parse::<Ipv6Addr>().unwrap()) | bits << 64;
    all.extend([six_to_four, teredo_client, teredo_server].map(Ipv6Addr::from));
    all
}

proptest! {
    #[test]
    fn no_clothes_make_an_address_public_that_is_not(bits: u32) {
        let inner = Ipv4Addr::from(bits);
        for dressed in clothes(inner) {
            if Place::of(dressed.into()) == Place::Public {
                prop_assert_eq!(Place::of(inner.into()), Place::Public, "{} in {}", inner, dressed);
            }
        }
    }

    #[test]
    fn no_address_is_public_that_the_standard_library_knows_to_be_special(bits: u32, wide: u128) {
        let four = Ipv4Addr::from(bits);
        if four.is_private() || four.is_loopback() || four.is_link_local() || four.is_multicast() || four.is_unspecified()
            || four.is_broadcast() || four.is_documentation() {
            prop_assert_ne!(Place::of(IpAddr::V4(four)), Place::Public);
        }
        let six = Ipv6Addr::from(wide);
        if six.is_loopback() || six.is_multicast() || six.is_unique_local() || six.is_unicast_link_local() {
            prop_assert_ne!(Place::of(IpAddr::V6(six)), Place::Public);
        }
    }

    #[test]
    fn only_what_has_been_given_out_is_public(wide: u128) {
        let six = Ipv6Addr::from(wide);
        let given_out = wide >> 125 == 0b001 || six.to_ipv4_mapped().is_some() || wide >> 96 == 0x64_ff9b || wide >> 64 == 0;
        prop_assert!(given_out || Place::of(six.into()) != Place::Public, "{}", six);
    }

    #[test]
    fn an_address_in_its_mapped_form_is_in_the_same_place(bits: u32) {
        let four = Ipv4Addr::from(bits);
        prop_assert_eq!(Place::of(four.into()), Place::of(four.to_ipv6_mapped().into()));
    }
}
