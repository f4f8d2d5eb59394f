//! The way out to one server: the proxy of the system, the certificates that belong to that server,
//! and what the rules say.
//!
//! Always true here:
//! - a certificate that is named and cannot be used is an error; the server is never reached
//!   without it;
//! - the rules are asked before every request, as they are at that moment.

use crate::{Servers, error, rules};
use api::{ErrorCode, HostError};
use egress::{Consent, Egress, EgressError, Identity, Pem, Proxy, Settings};
use protocol::{HttpLaunch, PemPlace, Secret, ServerId};
use std::sync::Arc;
use tokio::io::AsyncReadExt as _;
use url::Url;

/// Longest file with certificates, in bytes.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Makes the way out to a server, if a rule does not forbid to go there.
pub(crate) async fn to(
    servers: &Servers,
    id: &ServerId,
    launch: &HttpLaunch,
) -> Result<Egress, HostError> {
    if let Some(to) = Url::parse(&launch.url)
        .ok()
        .as_ref()
        .and_then(Url::host_str)
    {
        rules::may_leave(servers, id, to)?;
    }
    let consent = Some(consent(servers, id));
    let mut settings = Settings {
        proxy: servers.proxy().clone(),
        consent,
        ..Settings::default()
    };
    if let Some(authority) = &launch.authority {
        settings
            .authorities
            .push(Pem::new(read(servers, authority).await?.expose()));
    }
    if let Some(identity) = &launch.identity {
        let certificates = Pem::new(read(servers, &identity.certificate).await?.expose());
        settings.identity = Some(Identity {
            certificates,
            key: read(servers, &identity.key).await?,
        });
    }
    Egress::new(settings).map_err(|problem| unusable(&problem))
}

/// The way out for what a confined program says to the hosts that are listed for it.
pub(crate) fn for_program(servers: &Servers, id: &ServerId) -> Result<Egress, HostError> {
    let settings = Settings {
        proxy: servers.proxy().clone(),
        consent: Some(consent(servers, id)),
        ..Settings::default()
    };
    Egress::new(settings).map_err(|problem| unusable(&problem))
}

/// Asks the rules about an address that something is about to leave for.
fn consent(servers: &Servers, id: &ServerId) -> Consent {
    let (servers, id) = (servers.weak(), id.clone());
    Arc::new(move |url: &Url| {
        let Some(servers) = servers.upgrade() else {
            return Err("Majordomo is shutting down".to_owned());
        };
        let to = url.host_str().unwrap_or_default();
        rules::forbids_leaving(&servers, &id, to).map_or(Ok(()), |refusal| Err(refusal.to_string()))
    })
}

/// Says whether certificates can be used. Nothing is sent.
pub fn check(authority: Option<Pem>, identity: Option<Identity>) -> Result<(), HostError> {
    if authority.is_none() && identity.is_none() {
        return Ok(());
    }
    let settings = Settings {
        proxy: Proxy::None,
        authorities: authority.into_iter().collect(),
        identity,
        ..Settings::default()
    };
    Egress::new(settings)
        .map(drop)
        .map_err(|problem| unusable(&problem))
}

async fn read(servers: &Servers, place: &PemPlace) -> Result<Secret, HostError> {
    match place {
        PemPlace::Secret { secret } => {
            let value = servers.store().vault().get(secret).await?;
            servers.secrets().hold(secret.clone(), value.clone());
            Ok(value)
        }
        PemPlace::File { path } => {
            let bad = |problem: String| {
                error::host(
                    ErrorCode::BadCertificate,
                    format!("{path} cannot be used: {problem}"),
                )
            };
            let file = tokio::fs::File::open(path)
                .await
                .map_err(|problem| bad(problem.to_string()))?;
            // A pipe or a device would never end.
            if !file.metadata().await.is_ok_and(|about| about.is_file()) {
                return Err(bad("it is not a file".to_owned()));
            }
            let mut text = String::new();
            match file.take(LONGEST + 1).read_to_string(&mut text).await {
                Ok(length) if length as u64 > LONGEST => Err(bad("it is too long".to_owned())),
                Ok(_) => Ok(Secret::new(text)),
                Err(problem) => Err(bad(problem.to_string())),
            }
        }
    }
}

fn unusable(problem: &EgressError) -> HostError {
    let code = match problem {
        EgressError::ProxyFailed { .. } => ErrorCode::ProxyFailed,
        _ => ErrorCode::BadCertificate,
    };
    error::host(code, problem.to_string())
}
