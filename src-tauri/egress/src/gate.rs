//! The gate: resolves a name once, and lets it through with the addresses that were checked, or not
//! at all.
//!
//! Always true here:
//! - one address that may not be reached is enough to refuse the name;
//! - how near a typed server is, is the farthest it was ever seen: a name server that changes its
//!   mind gains nothing;
//! - `localhost` is this computer, whatever a name server would say.

use crate::address::{is_localhost, names_this_computer};
use crate::place::Place;
use crate::reach::{check_listed, check_nearby, check_told, check_typed};
use crate::{EgressError, Reach, Resolver};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpSocket;
use url::{Host, Url};

/// More addresses of one name than this are not looked at, and not used.
const ADDRESSES: usize = 16;
/// More typed servers than this are not remembered; those beyond count as public ones.
const REMEMBERED: usize = 1024;

/// Checked addresses of one host. Empty only for a name that the person typed and only the proxy
/// can resolve.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Checked(Vec<IpAddr>);

impl Checked {
    /// The addresses, sorted.
    pub(crate) fn addresses(&self) -> &[IpAddr] {
        &self.0
    }

    /// Whether all of them are this computer's.
    pub(crate) fn is_loopback(&self) -> bool {
        !self.0.is_empty()
            && self
                .0
                .iter()
                .all(|address| Place::of(*address) == Place::Loopback)
    }
}

/// Who resolves, and how far away every typed server was seen.
pub(crate) struct Gate {
    resolver: Arc<dyn Resolver>,
    farthest: Mutex<HashMap<String, u8>>,
}

impl Gate {
    pub(crate) fn new(resolver: Arc<dyn Resolver>) -> Self {
        Self {
            resolver,
            farthest: Mutex::new(HashMap::new()),
        }
    }

    /// The addresses to which this request may go. `proxied` says that a proxy could resolve the
    /// name instead.
    pub(crate) async fn admit(
        &self,
        url: &Url,
        reach: &Reach,
        proxied: bool,
    ) -> Result<Checked, EgressError> {
        reach.check_address(url)?;
        let forbidden = |why: String| EgressError::Forbidden {
            host: url.host_str().unwrap_or_default().to_owned(),
            why,
        };
        reach.check_scheme(url).map_err(forbidden)?;
        let found = self.addresses(url).await;
        match reach {
            Reach::Typed | Reach::TypedNearby => {
                let addresses = if proxied {
                    found.unwrap_or_default()
                } else {
                    found?
                };
                self.note(url, &addresses);
                addresses
                    .iter()
                    .try_for_each(|address| check_typed(Place::of(*address)))
                    .map_err(forbidden)?;
                if url.scheme() == "http" && !names_this_computer(url) {
                    let places: Vec<Place> = addresses.iter().copied().map(Place::of).collect();
                    check_nearby(&places, proxied).map_err(forbidden)?;
                }
                Ok(Checked(addresses))
            }
            Reach::Listed { addresses: listed } => {
                let addresses = if proxied {
                    found.unwrap_or_default()
                } else {
                    found?
                };
                for address in &addresses {
                    let is_listed = listed.contains(address) || names_this_computer(url);
                    check_listed(actual(*address), is_listed)
                        .map_err(|why| forbidden(format!("{why} ({address})")))?;
                }
                Ok(Checked(addresses))
            }
            Reach::Told { typed } => {
                let addresses = found?;
                let nearness = self.nearness(typed).await;
                addresses
                    .iter()
                    .try_for_each(|address| check_told(actual(*address), nearness))
                    .map_err(forbidden)?;
                Ok(Checked(addresses))
            }
        }
    }

    /// The addresses of an address's host, sorted; at least one.
    pub(crate) async fn addresses(&self, url: &Url) -> Result<Vec<IpAddr>, EgressError> {
        let mut addresses = match url.host() {
            Some(Host::Ipv4(address)) => vec![address.into()],
            Some(Host::Ipv6(address)) => vec![address.into()],
            Some(Host::Domain(name)) if is_localhost(name) => {
                vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]
            }
            Some(Host::Domain(name)) => match name.parse() {
                // The host of a socks5: address is always called a name.
                Ok(address) => vec![address],
                Err(_) => {
                    let unknown = |_| EgressError::Unreachable {
                        problem: "nobody knows the address of this name".to_owned(),
                    };
                    self.resolver.resolve(name).await.map_err(unknown)?
                }
            },
            None => Vec::new(),
        };
        addresses.truncate(ADDRESSES);
        addresses.sort_unstable();
        addresses.dedup();
        if addresses.is_empty() {
            return Err(EgressError::Unreachable {
                problem: "this name has no address".to_owned(),
            });
        }
        Ok(addresses)
    }

    /// How near the typed server is, at the farthest. What cannot be found out is out in the world.
    async fn nearness(&self, typed: &Url) -> u8 {
        match self.addresses(typed).await {
            Ok(addresses) => self.note(typed, &addresses),
            Err(_) => 0,
        }
    }

    /// Remembers how far away a typed server was seen, and says how far away it ever was.
    fn note(&self, typed: &Url, addresses: &[IpAddr]) -> u8 {
        let now = farthest(addresses);
        let mut seen = self.farthest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = seen.get_mut(typed.host_str().unwrap_or_default()) {
            *before = now.min(*before);
            return *before;
        }
        if seen.len() >= REMEMBERED {
            return 0;
        }
        seen.insert(typed.host_str().unwrap_or_default().to_owned(), now);
        now
    }
}

/// How near the farthest of these is; none at all are out in the world.
fn farthest(addresses: &[IpAddr]) -> u8 {
    addresses
        .iter()
        .map(|address| actual(*address).nearness().unwrap_or(0))
        .min()
        .unwrap_or(0)
}

/// Where an address is, when this computer's own addresses count as this computer.
fn actual(address: IpAddr) -> Place {
    let place = Place::of(address);
    let is_own = matches!(place, Place::Public | Place::Private) && is_own(address);
    if is_own { Place::Loopback } else { place }
}

/// Only an address of this computer's own can be bound. Nothing listens and nothing is sent.
fn is_own(address: IpAddr) -> bool {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()
    } else {
        TcpSocket::new_v6()
    };
    socket.is_ok_and(|socket| socket.bind(SocketAddr::new(address, 0)).is_ok())
}

#[cfg(test)]
#[path = "gate_test.rs"]
mod tests;
