//! Servers at an address, in the three ways in which they have been spoken to.
//!
//! Always true here: everything goes through the one way out (`egress`); headers of the person's
//! own and tokens go to the origin that the person typed, and to no other; no failure says more of
//! an address than its host.

mod address;
mod authorization;
mod events;
mod failure;
mod headers;
mod modern;
mod oldest;
mod session;

pub use authorization::Authorization;

use crate::carrier::Carrier;
use crate::conversation::Dispatcher;
use crate::ending::Ending;
use crate::{ConnectionError, HttpStart, opening};
use address::Address;
use std::sync::Arc;

/// The three ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Every request for itself: 2026-07-28.
    Modern,
    /// Streamable HTTP with a session: 2025-03-26 to 2025-11-25.
    Session,
    /// A stream of events and an address for requests: 2024-11-05.
    Oldest,
}

impl Way {
    /// Whether this failure says that the server is to be spoken to in an older way. An outage,
    /// silence or a missing sign-in says nothing about that.
    pub(crate) fn leads_on(self, error: &ConnectionError) -> bool {
        match (self, error) {
            (Self::Modern, error) if opening::is_modern(error) => false,
            // It is overloaded, or what stands before it cannot reach it.
            (
                Self::Modern,
                ConnectionError::HttpStatus {
                    status: 429 | 502..=504,
                },
            ) => false,
            (
                Self::Modern,
                ConnectionError::Server { .. }
                | ConnectionError::HttpStatus { .. }
                | ConnectionError::NotProtocol { .. }
                | ConnectionError::Unreadable { .. }
                | ConnectionError::SessionLost
                | ConnectionError::RevisionUnknown { .. }
                | ConnectionError::ConnectionLost { .. },
            ) => true,
            (
                Self::Session,
                ConnectionError::HttpStatus {
                    status: 400 | 404 | 405,
                },
            ) => true,
            _ => false,
        }
    }
}

/// A carrier to the address. Nothing is sent yet.
pub(crate) fn carrier(
    start: &HttpStart,
    way: Way,
    dispatcher: Arc<Dispatcher>,
    ending: Arc<Ending>,
) -> Result<Arc<dyn Carrier>, ConnectionError> {
    let address = Address::new(start, dispatcher)?;
    Ok(match way {
        Way::Modern => Arc::new(modern::Modern::new(address)),
        Way::Session => Arc::new(session::Session::new(address)),
        Way::Oldest => Arc::new(oldest::Oldest::new(address, ending)),
    })
}
