//! Sends a request: look at the address, resolve it, check where it is, pin it, send, and follow
//! only what may be followed.

use crate::clients::{CONNECT, Clients, Route};
use crate::failure::failure;
use crate::gate::Gate;
use crate::proxy::Ways;
use crate::tls::Tls;
use crate::{Consent, EgressError, Reach, Request, Response, Settings, Stream, connect};
use std::net::Ipv6Addr;
use std::sync::Arc;
use url::{Host, Url};

/// The way out. Clones are the same way, and share its connections.
#[derive(Clone)]
pub struct Egress(Arc<Inner>);

struct Inner {
    ways: Ways,
    consent: Option<Consent>,
    gate: Gate,
    tls: Tls,
    clients: Clients,
}

impl Egress {
    /// Reads the settings. Nothing is sent.
    ///
    /// # Errors
    /// [`EgressError::BadAuthority`], [`EgressError::BadIdentity`] and [`EgressError::ProxyFailed`]
    /// for a setting that cannot be used, [`EgressError::Tls`] if the system trusts nobody.
    pub fn new(settings: Settings) -> Result<Self, EgressError> {
        Ok(Self(Arc::new(Inner {
            ways: Ways::new(&settings.proxy)?,
            tls: Tls::new(&settings.authorities, settings.identity.as_ref())?,
            gate: Gate::new(settings.resolver),
            consent: settings.consent,
            clients: Clients::default(),
        })))
    }

    /// Sends one request, and answers when the head of the answer is there. Any status is an
    /// answer.
    ///
    /// # Errors
    /// Before anything connects: [`EgressError::BadUrl`], [`EgressError::BadHeader`],
    /// [`EgressError::Forbidden`]. Then whatever the network has; see [`EgressError`].
    pub async fn send(&self, request: Request) -> Result<Response, EgressError> {
        let after = request.wait;
        tokio::time::timeout(after, self.follow(request))
            .await
            .unwrap_or(Err(EgressError::TimedOut { after }))
    }

    /// Opens a connection to a port of a host, which is a name or an address. What is said on it is
    /// the caller's.
    ///
    /// # Errors
    /// As with [`Egress::send`], before anything connects: [`EgressError::BadUrl`] and
    /// [`EgressError::Forbidden`]; then [`EgressError::Unreachable`], [`EgressError::ProxyFailed`],
    /// or [`EgressError::TimedOut`] after 10 s.
    pub async fn connect(
        &self,
        host: &str,
        port: u16,
        reach: &Reach,
    ) -> Result<Stream, EgressError> {
        let url = address_of(host, port)?;
        self.ask_consent(&url)?;
        let opening = async {
            let route = self.route(&url, reach).await?;
            connect::open(&route, port, || self.0.tls.config(false)).await
        };
        tokio::time::timeout(CONNECT, opening)
            .await
            .unwrap_or(Err(EgressError::TimedOut { after: CONNECT }))
    }

    fn ask_consent(&self, url: &Url) -> Result<(), EgressError> {
        let Some(consent) = &self.0.consent else {
            return Ok(());
        };
        consent(url).map_err(|why| EgressError::Forbidden {
            host: url.host_str().unwrap_or_default().to_owned(),
            why,
        })
    }

    async fn follow(&self, request: Request) -> Result<Response, EgressError> {
        request.check_headers()?;
        self.ask_consent(&request.url)?;
        // Once for all hops, which stay at this origin: a name is not asked again in the middle of
        // a request.
        let route = self.route(&request.url, &request.reach).await?;
        let proxied = route.proxy.is_some();
        let identified = route.identified;
        let client = self
            .0
            .clients
            .get(route, || self.0.tls.config(identified))?;
        let mut url = request.url;
        for hop in 0..=u8::MAX {
            let mut sent = client
                .request(request.method.clone(), url.clone())
                .headers(request.headers.clone());
            if let Some(body) = &request.body {
                sent = sent.body(body.clone());
            }
            let answer = sent
                .send()
                .await
                .map_err(|error| failure(&error, proxied, CONNECT))?;
            match request.redirects.next(
                &request.method,
                &url,
                answer.status(),
                answer.headers(),
                hop,
            )? {
                Some(next) => url = next,
                None => return Ok(Response::new(url, answer)),
            }
        }
        Err(EgressError::TooManyRedirects { hops: u8::MAX })
    }

    /// The checked way to an address.
    async fn route(&self, url: &Url, reach: &Reach) -> Result<Route, EgressError> {
        let Inner {
            ways, gate, tls, ..
        } = &*self.0;
        let proxy = ways.to(url)?;
        let addresses = gate.admit(url, reach, proxy.is_some()).await?;
        let proxy = match proxy {
            Some(proxy) if !addresses.is_loopback() => {
                let unknown = |_| EgressError::ProxyFailed {
                    problem: "nobody knows its address".to_owned(),
                };
                let addresses = gate.addresses(&proxy).await.map_err(unknown)?;
                Some((proxy, addresses))
            }
            _ => None,
        };
        let identified = tls.has_identity() && reach.shows_identity(url);
        Ok(Route {
            host: url.host_str().unwrap_or_default().to_owned(),
            addresses,
            proxy,
            identified,
        })
    }
}

/// The address of a port of a host, which is nothing but a name or an address: one that holds parts
/// of an address beside it, such as a path or a user, would lead to another one.
fn address_of(host: &str, port: u16) -> Result<Url, EgressError> {
    let bad = || EgressError::BadUrl {
        problem: "it names no host".to_owned(),
    };
    let host = match host.parse::<Ipv6Addr>() {
        Ok(address) => Host::Ipv6(address),
        // Of what stands in brackets, too, it makes an address or nothing.
        Err(_) => Host::parse(host).map_err(|_| bad())?,
    };
    // An address of version 6 is written in brackets.
    Url::parse(&format!("https://{host}:{port}/")).map_err(|_| bad())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_an_address_and_nothing_else() {
        for (host, address) in [
            ("api.example", "https://api.example:25/"),
            ("API.example", "https://api.example:25/"),
            ("192.0.2.1", "https://192.0.2.1:25/"),
            ("2001:db8::1", "https://[2001:db8::1]:25/"),
            ("[2001:db8::1]", "https://[2001:db8::1]:25/"),
        ] {
            assert_eq!(address_of(host, 25).unwrap().as_str(), address, "{host}");
        }
        for host in [
            "",
            "evil.example/",
            "evil.example:80/",
            "evil.example?",
            "evil.example#",
            "me@evil.example",
            "me:hunter2@evil.example",
            "evil.example\\",
            "evil .example",
            " evil.example",
            "evil.example\n",
            "evil\t.example",
            "evil%2f.example",
            "2001:db8::1%1",
            "api.example:80",
        ] {
            let refused = address_of(host, 25);
            assert!(
                matches!(refused, Err(EgressError::BadUrl { .. })),
                "{host:?}"
            );
        }
    }
}
