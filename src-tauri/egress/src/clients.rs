//! Clients, one per route, kept so that connections are used again.
//!
//! Always true here: a client can reach the addresses of its route and no other, for it knows no
//! other. A connection is therefore only used again by a request whose name was just resolved to
//! the very same checked addresses.

use crate::EgressError;
use crate::gate::Checked;
use crate::resolve::Pinned;
use reqwest::redirect::Policy;
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use url::Url;

/// How long a connection may take: to the proxy, through it, and the handshake.
pub(crate) const CONNECT: Duration = Duration::from_secs(10);
/// How long an unused connection is kept.
const IDLE: Duration = Duration::from_secs(60);
/// How many unused connections are kept per route, and how many routes.
const CONNECTIONS: usize = 4;
const ROUTES: usize = 32;

/// Who is reached, by which way, and as whom.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Route {
    /// The name, as it stands in the address.
    pub(crate) host: String,
    /// Where it may be reached.
    pub(crate) addresses: Checked,
    /// The proxy, and where that is.
    pub(crate) proxy: Option<(Url, Vec<IpAddr>)>,
    /// Whether our certificate is shown.
    pub(crate) identified: bool,
}

/// The clients of the last routes, the latest at the back.
#[derive(Default)]
pub(crate) struct Clients(Mutex<VecDeque<(Route, reqwest::Client)>>);

impl Clients {
    /// The client of a route, made with this configuration if there is none.
    pub(crate) fn get(
        &self,
        route: Route,
        tls: impl FnOnce() -> rustls::ClientConfig,
    ) -> Result<reqwest::Client, EgressError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept
            .iter()
            .position(|(known, _)| *known == route)
            .and_then(|index| kept.remove(index));
        let (route, client) = match found {
            Some(found) => found,
            None => {
                let client = client(&route, tls())?;
                (route, client)
            }
        };
        if kept.len() >= ROUTES {
            kept.pop_front();
        }
        kept.push_back((route, client.clone()));
        Ok(client)
    }
}

fn client(route: &Route, tls: rustls::ClientConfig) -> Result<reqwest::Client, EgressError> {
    let target = (route.host.clone(), route.addresses.addresses().to_vec());
    let proxy = route.proxy.as_ref().map(|(proxy, addresses)| {
        (
            proxy.host_str().unwrap_or_default().to_owned(),
            addresses.clone(),
        )
    });
    let mut builder = reqwest::Client::builder()
        .no_proxy()
        .tls_backend_preconfigured(tls)
        // The target comes last: a proxy of the same name must not bring it addresses that were not
        // checked.
        .dns_resolver(Arc::new(Pinned::new(proxy.into_iter().chain([target]))))
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .user_agent(concat!("majordomo/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(CONNECTIONS);
    if let Some((proxy, _)) = &route.proxy {
        let failed = |_| EgressError::ProxyFailed {
            problem: "its address cannot be used".to_owned(),
        };
        builder = builder.proxy(reqwest::Proxy::all(proxy.clone()).map_err(failed)?);
    }
    builder.build().map_err(|_| EgressError::Tls {
        problem: "no secure connections can be made".to_owned(),
    })
}
