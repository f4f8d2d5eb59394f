//! By which name a client knows what a server offers: at the endpoint of one server by its own, at
//! the joint one by that of the server and its own.
//!
//! Always true here: two things that a client can be shown have two names, and a name says which
//! server is meant.

use crate::endpoint::Endpoint;
use protocol::{SEPARATOR, ServerId, is_changed_name, joint_name};

/// By which name a thing of a server is known at an endpoint.
pub(crate) fn shown(endpoint: &Endpoint, server: &ServerId, name: &str) -> String {
    match endpoint {
        Endpoint::Of(_) => name.to_owned(),
        Endpoint::All => joint_name(server, name),
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
    if is_changed_name(shown) {
        return Meant::Changed;
    }
    let Some((server, name)) = shown.split_once(SEPARATOR) else {
        return Meant::Nothing;
    };
    match ServerId::parse(server) {
        Ok(server) if joint_name(&server, name) == shown => Meant::One(server, name),
        _ => Meant::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn server(name: &str) -> ServerId {
        ServerId::parse(name).unwrap()
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
        ) {
            let shown = joint_name(&server(&one), &name);
            match meant(&Endpoint::All, &shown) {
                Meant::One(found, rest) => prop_assert!(found.as_str() == one && rest == name),
                Meant::Changed => prop_assert!(is_changed_name(&shown)),
                Meant::Nothing => prop_assert!(false, "{shown} means nothing"),
            }
        }
    }
}
