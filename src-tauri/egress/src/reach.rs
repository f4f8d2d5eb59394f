//! How near to this computer a request may come: the rule itself.
//!
//! Always true here: nothing but the comparison. Who resolves, and what is remembered of it, is in
//! `gate`.

use crate::EgressError;
use crate::address::{self, names_this_computer};
use crate::place::Place;
use std::net::IpAddr;
use url::Url;

/// Who named the address. That decides how near it may be.
#[derive(Clone, Debug)]
pub enum Reach {
    /// The person typed it: `https:` anywhere that a server can be, `http:` on this computer only.
    /// Never metadata services, multicast or unspecified addresses.
    Typed,
    /// The person typed it, and chose for this address that plain `http:` may go to a private
    /// network, too, where others can read and change it. It goes there directly, never through a
    /// proxy; everything else is as with [`Reach::Typed`].
    TypedNearby,
    /// The person listed the host for a server that is confined, and that may say there whatever it
    /// likes. Names lead to public addresses only, for its maker may own the name; beside those, to
    /// the `addresses` that the person has listed, too. `localhost` is this computer.
    Listed {
        /// Addresses that the person has listed, with this port.
        addresses: Vec<IpAddr>,
    },
    /// A server named it. Allowed are only places at most as near as the server that the person
    /// typed: a public server may name public addresses only; one in a private network private and
    /// public ones; one on this computer all three. Never link-local, metadata, multicast,
    /// unspecified or reserved ones, and plain `http:` only if `typed` is on this computer.
    Told {
        /// The server that the person typed.
        typed: Url,
    },
}

impl Reach {
    /// Whether our client certificate may be shown there: to what the person typed, and to nobody
    /// that it names.
    pub(crate) fn shows_identity(&self, url: &Url) -> bool {
        match self {
            Self::Typed | Self::TypedNearby => true,
            Self::Listed { .. } => false,
            Self::Told { typed } => typed.origin() == url.origin(),
        }
    }

    /// Whether the address can be used at all, before anyone is asked where it is.
    pub(crate) fn check_address(&self, url: &Url) -> Result<(), EgressError> {
        match self {
            Self::TypedNearby => address::check_nearby(url),
            Self::Typed | Self::Listed { .. } | Self::Told { .. } => address::check(url),
        }
    }

    /// Whether this scheme may be used. Which addresses `http:` may have at all is checked before.
    pub(crate) fn check_scheme(&self, url: &Url) -> Result<(), String> {
        match self {
            Self::Told { typed } if url.scheme() != "https" && !names_this_computer(typed) => {
                Err("a server elsewhere may name https: addresses only".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// Whether an address that the person typed may be there.
pub(crate) fn check_typed(place: Place) -> Result<(), String> {
    match place {
        Place::Metadata | Place::Multicast | Place::Unspecified => {
            Err(format!("it leads to {}", place.words()))
        }
        Place::Public | Place::Private | Place::Loopback | Place::LinkLocal | Place::Reserved => {
            Ok(())
        }
    }
}

/// Whether plain `http:` that the person chose for a private network may go to all of these: none of
/// them is known if only the proxy can resolve the name.
pub(crate) fn check_nearby(places: &[Place], proxied: bool) -> Result<(), String> {
    if proxied {
        return Err(
            "plain http: is not sent through a proxy; make this address an exception (NO_PROXY)"
                .to_owned(),
        );
    }
    let is_near = |place: &Place| matches!(place, Place::Private | Place::Loopback);
    match places.iter().find(|place| !is_near(place)) {
        Some(place) => Err(format!(
            "plain http: is for a private network, and it leads to {}",
            place.words()
        )),
        None => Ok(()),
    }
}

/// Whether an address of a host that is listed may be there, if the address is listed itself, and
/// if not.
pub(crate) fn check_listed(place: Place, is_listed_itself: bool) -> Result<(), String> {
    match place {
        Place::Public => Ok(()),
        _ if is_listed_itself => check_typed(place),
        _ => Err(format!("it leads to {}", place.words())),
    }
}

/// Whether an address that a server of this nearness named may be there.
pub(crate) fn check_told(place: Place, typed: u8) -> Result<(), String> {
    match place.nearness() {
        Some(told) if told <= typed => Ok(()),
        _ => Err(format!(
            "a server elsewhere named it, and it leads to {}",
            place.words()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_names_nothing_nearer_than_itself() {
        let all = [Place::Public, Place::Private, Place::Loopback];
        for (nearness, allowed) in [(0, &all[..1]), (1, &all[..2]), (2, &all[..])] {
            for place in all {
                assert_eq!(
                    check_told(place, nearness).is_ok(),
                    allowed.contains(&place),
                    "{place:?} from {nearness}"
                );
            }
            for place in [
                Place::LinkLocal,
                Place::Metadata,
                Place::Multicast,
                Place::Unspecified,
                Place::Reserved,
            ] {
                assert!(
                    check_told(place, nearness).is_err(),
                    "{place:?} from {nearness}"
                );
            }
        }
    }

    #[test]
    fn a_certificate_is_shown_to_what_was_typed_only() {
        let url = |text: &str| Url::parse(text).unwrap();
        let told = Reach::Told {
            typed: url("https://a.example/mcp"),
        };
        assert!(Reach::Typed.shows_identity(&url("https://b.example/")));
        assert!(told.shows_identity(&url("https://a.example/token")));
        assert!(!told.shows_identity(&url("https://b.example/token")));
        assert!(!told.shows_identity(&url("https://a.example:444/token")));
    }
}
