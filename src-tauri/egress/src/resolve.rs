//! Names to addresses, and how those that were checked are pinned.
//!
//! Always true here: a connection is given addresses that were checked, or none; the system is not
//! asked a second time.

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};

/// Turns a name into addresses.
pub trait Resolver: Send + Sync + 'static {
    /// All addresses that this name has now. It is asked once per request, and never about
    /// `localhost`.
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The system's own way.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        async move {
            Ok(tokio::net::lookup_host((host, 0))
                .await?
                .map(|address| address.ip())
                .collect())
        }
        .boxed()
    }
}

/// What a client is given instead of a name server: the few names that were checked for it.
pub(crate) struct Pinned(HashMap<String, Vec<IpAddr>>);

impl Pinned {
    /// These names, and no other. A later one wins over an earlier one.
    pub(crate) fn new(names: impl IntoIterator<Item = (String, Vec<IpAddr>)>) -> Self {
        Self(names.into_iter().collect())
    }
}

impl Resolve for Pinned {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self
            .0
            .get(name.as_str())
            .filter(|addresses| !addresses.is_empty())
            .cloned();
        let found = found.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::AddrNotAvailable,
                "no address of this name was checked",
            )
        });
        // The port is the address's own; 0 says so.
        let pinned = found.map(|addresses| {
            Box::new(
                addresses
                    .into_iter()
                    .map(|address| SocketAddr::new(address, 0)),
            ) as Addrs
        });
        ready(pinned.map_err(Into::into)).boxed()
    }
}
