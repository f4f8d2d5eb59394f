//! Which address of a server's own network stands for which name.
//!
//! Always true here:
//! - an address stands for one name, and goes on standing for it;
//! - only names that are listed have one.

use protocol::ListedHost;
use std::collections::HashMap;
use std::net::Ipv4Addr;

/// So many names of one server have an address. A `*` in a list may cover as many as a server likes
/// to ask for.
const MOST: usize = 4096;
/// The first of the addresses that stand for names, 127.64.0.1. Programs that serve themselves take
/// lower ones.
const FIRST: u32 = u32::from_be_bytes([127, 64, 0, 1]);
const LOCALHOST: &str = "localhost";

/// The names of one server.
#[derive(Debug)]
pub(super) struct Names {
    listed: Vec<ListedHost>,
    addresses: HashMap<String, Ipv4Addr>,
    names: HashMap<Ipv4Addr, String>,
}

/// What a name leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// This address.
    At(Ipv4Addr),
    /// It is not listed.
    NotListed,
    /// It is listed, and there are too many.
    TooMany,
}

impl Names {
    pub(super) fn new(listed: Vec<ListedHost>) -> Self {
        Self {
            listed,
            addresses: HashMap::new(),
            names: HashMap::new(),
        }
    }

    /// Looks a name up, in lower case and without a dot at its end.
    pub(super) fn look_up(&mut self, name: &str) -> Found {
        if name == LOCALHOST {
            // The server itself is there as well.
            return Found::At(Ipv4Addr::LOCALHOST);
        }
        if let Some(address) = self.addresses.get(name) {
            return Found::At(*address);
        }
        if !self.listed.iter().any(|host| host.covers_name(name)) {
            return Found::NotListed;
        }
        if self.names.len() >= MOST {
            return Found::TooMany;
        }
        let Some(address) = self.free_address() else {
            return Found::TooMany;
        };
        self.addresses.insert(name.to_owned(), address);
        self.names.insert(address, name.to_owned());
        Found::At(address)
    }

    /// The host for which an address stands, whether it is listed or not.
    pub(super) fn host_at(&self, address: Ipv4Addr, port: u16) -> String {
        let text = address.to_string();
        let is_localhost = address == Ipv4Addr::LOCALHOST && !self.is_listed(&text, port);
        match self.names.get(&address) {
            Some(name) => name.clone(),
            None if is_localhost => LOCALHOST.to_owned(),
            None => text,
        }
    }

    /// Whether a host is listed with a port.
    pub(super) fn is_listed(&self, host: &str, port: u16) -> bool {
        self.listed.iter().any(|listed| listed.covers(host, port))
    }

    /// The addresses that are listed with a port.
    pub(super) fn addresses(&self, port: u16) -> Vec<Ipv4Addr> {
        let with_port = self
            .listed
            .iter()
            .filter(|host| host.ports().contains(&port));
        with_port.filter_map(ListedHost::address).collect()
    }

    /// The next address, other than one that is listed itself.
    fn free_address(&self) -> Option<Ipv4Addr> {
        let is_listed = |address| {
            self.listed
                .iter()
                .any(|host| host.address() == Some(address))
        };
        let after_the_last = FIRST + u32::try_from(self.names.len()).ok()?;
        (after_the_last..)
            .map(Ipv4Addr::from)
            .find(|address| !is_listed(*address) && !self.names.contains_key(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(listed: &[&str]) -> Names {
        let listed = listed.iter().map(|text| ListedHost::parse(text).unwrap());
        Names::new(listed.collect())
    }

    #[test]
    fn each_name_has_an_address_of_its_own_and_keeps_it() {
        let mut names = names(&["a.example", "*.b.example:5432", "127.64.0.2:5432"]);
        let mut at = |name: &str| names.look_up(name);
        assert_eq!(at("a.example"), Found::At([127, 64, 0, 1].into()));
        assert_eq!(at("x.b.example"), Found::At([127, 64, 0, 3].into()));
        assert_eq!(at("y.b.example"), Found::At([127, 64, 0, 4].into()));
        assert_eq!(at("a.example"), Found::At([127, 64, 0, 1].into()));
        assert_eq!(at("b.example"), Found::NotListed);
        let at = |address: [u8; 4]| names.host_at(address.into(), 5432);
        assert_eq!(at([127, 64, 0, 3]), "x.b.example");
        assert_eq!(at([127, 64, 0, 2]), "127.64.0.2");
        assert_eq!(at([10, 0, 0, 1]), "10.0.0.1");
    }

    #[test]
    fn the_computer_itself_has_one_address_by_name_and_by_number() {
        let mut names = names(&["localhost:5432", "127.0.0.1:80"]);
        assert_eq!(names.look_up("localhost"), Found::At(Ipv4Addr::LOCALHOST));
        let host = |port| names.host_at(Ipv4Addr::LOCALHOST, port);
        assert_eq!(
            (host(5432).as_str(), host(80).as_str()),
            ("localhost", "127.0.0.1")
        );
        assert!(names.is_listed("localhost", 5432) && !names.is_listed("localhost", 80));
    }

    #[test]
    fn a_port_is_listed_with_its_host() {
        let names = names(&["a.example:1", "10.0.0.1:2", "10.0.0.2:1"]);
        assert!(names.is_listed("a.example", 1) && !names.is_listed("a.example", 2));
        assert_eq!(names.addresses(2), [Ipv4Addr::new(10, 0, 0, 1)]);
    }

    #[test]
    fn more_names_than_anybody_needs_have_no_address() {
        let mut names = names(&["*.a.example"]);
        for number in 0..MOST {
            let found = names.look_up(&format!("{number}.a.example"));
            assert!(matches!(found, Found::At(_)), "{number}");
        }
        assert_eq!(names.look_up("more.a.example"), Found::TooMany);
        assert_eq!(names.look_up("0.a.example"), Found::At(FIRST.into()));
    }
}
