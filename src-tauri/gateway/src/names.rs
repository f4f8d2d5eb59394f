//! By which name a client knows what a server offers: at the endpoint of one server by its own, at
//! the joint one by that of the server and its own.
//!
//! Always true here: two things that a client can be shown have two names, and a name says which
//! server is meant.

use crate::endpoint::Endpoint;
use protocol::ServerId;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Stands between the name of the server and the other one.
const BETWEEN: &str = "__";
/// The longest name, in bytes. Clients put a prefix of their own before it, and some models take no
/// more than 64.
const LONGEST: usize = 48;
/// How many digits of a hash tell names apart that had to be changed, and how many bytes they take.
const DIGITS: usize = 8;
const MARK: usize = DIGITS + 1;

/// By which name a thing of a server is known at an endpoint.
pub(crate) fn shown(endpoint: &Endpoint, server: &ServerId, name: &str) -> String {
    match endpoint {
        Endpoint::Of(_) => name.to_owned(),
        Endpoint::All => joint(server, name),
    }
}

/// What a name may mean at an endpoint.
pub(crate) enum Meant<'a> {
    /// This of this server.
    One(ServerId, &'a str),
    /// One of those whose names had to be changed: it is found by comparing.
    Changed,
    /// Nothing.
    Nothing,
}

/// What a client means by a name.
pub(crate) fn meant<'a>(endpoint: &Endpoint, shown: &'a str) -> Meant<'a> {
    if let Endpoint::Of(server) = endpoint {
        return Meant::One(server.clone(), shown);
    }
    if is_marked(shown) {
        return Meant::Changed;
    }
    let Some((server, name)) = shown.split_once(BETWEEN) else {
        return Meant::Nothing;
    };
    match ServerId::parse(server) {
        Ok(server) if joint(&server, name) == shown => Meant::One(server, name),
        _ => Meant::Nothing,
    }
}

fn joint(server: &ServerId, name: &str) -> String {
    let whole = format!("{server}{BETWEEN}{name}");
    let is_as_it_is = whole.bytes().all(is_plain)
        && whole.len() <= LONGEST
        && !server.as_str().contains(BETWEEN)
        && !server.as_str().ends_with('_')
        && !is_marked(&whole);
    if is_as_it_is {
        return whole;
    }
    let digest = Sha256::new()
        .chain_update(server.as_str())
        .chain_update([0])
        .chain_update(name)
        .finalize();
    let plain = |c: char| match u8::try_from(c) {
        Ok(byte) if is_plain(byte) => c,
        _ => '_',
    };
    let mut changed: String = whole.chars().map(plain).take(LONGEST - MARK).collect();
    changed.push('_');
    for byte in digest.iter().take(DIGITS / 2) {
        // Writing to a String cannot fail.
        let _ = write!(changed, "{byte:02x}");
    }
    changed
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Whether a name ends like one that had to be changed.
fn is_marked(name: &str) -> bool {
    let Some(mark) = name.len().checked_sub(MARK).and_then(|at| name.get(at..)) else {
        return false;
    };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    mark.starts_with('_') && mark.bytes().skip(1).all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn server(name: &str) -> ServerId {
        ServerId::parse(name).unwrap()
    }

    #[test]
    fn a_name_that_every_client_takes_is_those_of_the_server_and_of_the_tool() {
        assert_eq!(joint(&server("files"), "read_text"), "files__read_text");
        assert_eq!(joint(&server("a"), "_b"), "a___b");
        for (one, name) in [
            ("a.b", "c"),
            ("a_", "b"),
            ("a__b", "c"),
            ("a", "b/c"),
            ("a", "b_0123abcd"),
        ] {
            let shown = joint(&server(one), name);
            assert!(is_marked(&shown), "{shown}");
        }
        let long = joint(&server("files"), &"x".repeat(200));
        assert!(long.len() == LONGEST && is_marked(&long), "{long}");
    }

    #[test]
    fn at_the_endpoint_of_one_server_names_are_its_own() {
        let one = Endpoint::Of(server("files"));
        assert_eq!(
            shown(&one, &server("files"), "read.text 文"),
            "read.text 文"
        );
        assert!(matches!(
            meant(&one, "read.text 文"),
            Meant::One(_, "read.text 文")
        ));
    }

    proptest! {
        #[test]
        fn a_name_means_what_it_was_made_of(
            one in "[A-Za-z0-9][A-Za-z0-9._-]{0,20}", name in "[ -~é]{0,60}",
            another in "[A-Za-z0-9][A-Za-z0-9._-]{0,20}", other in "[ -~é]{0,60}",
        ) {
            let shown = joint(&server(&one), &name);
            prop_assert!(shown.len() <= LONGEST && shown.bytes().all(is_plain));
            match meant(&Endpoint::All, &shown) {
                Meant::One(found, rest) => prop_assert!(found.as_str() == one && rest == name),
                Meant::Changed => prop_assert!(is_marked(&shown)),
                Meant::Nothing => prop_assert!(false, "{shown} means nothing"),
            }
            if (&one, &name) != (&another, &other) {
                prop_assert_ne!(shown, joint(&server(&another), &other));
            }
        }
    }
}
