//! By which name a thing of a server is known where the things of many servers stand beside each
//! other: to applications, and to models.
//!
//! Always true here: a name is that of one server and one thing of it, as far as no hash of four
//! bytes is met twice, and it is one that every model and every application takes.

use crate::ServerId;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Stands between the name of the server and the thing's own name.
pub const SEPARATOR: &str = "__";
/// The longest name, in bytes. Clients put a prefix of their own before it, and some models take no
/// more than 64.
const LONGEST: usize = 48;
/// How many digits of a hash tell names apart that had to be changed, and how many bytes they take.
const DIGITS: usize = 8;
const MARK: usize = DIGITS + 1;

/// The server's name and the thing's own name, at most 48 of `A–Z a–z 0–9 _ -`; where they are not
/// made of these, changed and with a hash at the end.
pub fn joint_name(server: &ServerId, name: &str) -> String {
    let whole = format!("{server}{SEPARATOR}{name}");
    let is_as_it_is = whole.bytes().all(is_plain)
        && whole.len() <= LONGEST
        && !server.as_str().contains(SEPARATOR)
        && !server.as_str().ends_with('_')
        && !is_changed_name(&whole);
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
pub fn is_changed_name(name: &str) -> bool {
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
    fn a_name_that_everybody_takes_is_those_of_the_server_and_of_the_thing() {
        assert_eq!(
            joint_name(&server("files"), "read_text"),
            "files__read_text"
        );
        assert_eq!(joint_name(&server("a"), "_b"), "a___b");
        for (one, name) in [
            ("a.b", "c"),
            ("a_", "b"),
            ("a__b", "c"),
            ("a", "b/c"),
            ("a", "b_0123abcd"),
        ] {
            let shown = joint_name(&server(one), name);
            assert!(is_changed_name(&shown), "{shown}");
        }
        let long = joint_name(&server("files"), &"x".repeat(200));
        assert!(long.len() == LONGEST && is_changed_name(&long), "{long}");
    }

    proptest! {
        #[test]
        fn two_things_have_two_names_that_everybody_takes(
            one in "[A-Za-z0-9][A-Za-z0-9._-]{0,20}", name in "[ -~é]{0,60}",
            another in "[A-Za-z0-9][A-Za-z0-9._-]{0,20}", other in "[ -~é]{0,60}",
        ) {
            let shown = joint_name(&server(&one), &name);
            prop_assert!(shown.len() <= LONGEST && shown.bytes().all(is_plain));
            if (&one, &name) != (&another, &other) {
                prop_assert_ne!(shown, joint_name(&server(&another), &other));
            }
        }
    }
}
