//! Sends a request: look at the address, resolve it, check where it is, pin it, send, and follow
//! only what may be followed.

use crate::clients::{CONNECT, Clients, Route};
use crate::failure::failure;
use crate::gate::Gate;
use crate::proxy::Ways;
use crate::tls::Tls;
use crate::{Consent, EgressError, Reach, Request, Response, Settings};
use std::sync::Arc;
use url::Url;

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

    async fn follow(&self, request: Request) -> Result<Response, EgressError> {
        request.check_headers()?;
        if let Some(consent) = &self.0.consent {
            let host = || request.url.host_str().unwrap_or_default().to_owned();
            consent(&request.url).map_err(|why| EgressError::Forbidden { host: host(), why })?;
        }
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
