//! Whom we trust, and who we are.
//!
//! Always true here: certificates are checked against the system's authorities and those that were
//! given, never against nothing; our own certificate is in a configuration of its own, so that it
//! is shown on purpose only.

use crate::{EgressError, Identity, Pem, pem};
use rustls::client::WantsClientCert;
use rustls::crypto::ring;
use rustls::{ClientConfig, ConfigBuilder, Error, RootCertStore};
use rustls_platform_verifier::Verifier;
use std::sync::Arc;

/// The two ways to make a connection secure.
pub(crate) struct Tls {
    anonymous: ClientConfig,
    identified: Option<ClientConfig>,
}

impl Tls {
    pub(crate) fn new(
        authorities: &[Pem],
        identity: Option<&Identity>,
    ) -> Result<Self, EgressError> {
        let builder = trusting(authorities)?;
        let identified = identity
            .map(|identity| identified(builder.clone(), identity))
            .transpose()?;
        Ok(Self {
            anonymous: builder.with_no_client_auth(),
            identified,
        })
    }

    /// Whether there is a certificate of our own.
    pub(crate) fn has_identity(&self) -> bool {
        self.identified.is_some()
    }

    /// The configuration with or without our certificate. Without one, both are the same.
    pub(crate) fn config(&self, identified: bool) -> ClientConfig {
        self.identified
            .as_ref()
            .filter(|_| identified)
            .unwrap_or(&self.anonymous)
            .clone()
    }
}

fn trusting(
    authorities: &[Pem],
) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, EgressError> {
    let bad = |problem: String| EgressError::BadAuthority { problem };
    let mut extra = Vec::new();
    let mut usable = RootCertStore::empty();
    for authority in authorities {
        for certificate in pem::certificates(authority).map_err(bad)? {
            usable
                .add(certificate.clone())
                .map_err(|_| bad("it holds something that is not a certificate".to_owned()))?;
            extra.push(certificate);
        }
    }
    let provider = Arc::new(ring::default_provider());
    let unreadable = |_| EgressError::Tls {
        problem: "the system's certificate authorities cannot be read".to_owned(),
    };
    let verifier = Verifier::new_with_extra_roots(extra, provider.clone()).map_err(unreadable)?;
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(unreadable)?;
    // "Dangerous" is to bring a verifier at all; this one is the system's own.
    Ok(builder
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier)))
}

fn identified(
    builder: ConfigBuilder<ClientConfig, WantsClientCert>,
    identity: &Identity,
) -> Result<ClientConfig, EgressError> {
    let bad = |problem: String| EgressError::BadIdentity { problem };
    let certificates = pem::certificates(&identity.certificates).map_err(bad)?;
    let key = pem::key(&identity.key).map_err(bad)?;
    builder
        .with_client_auth_cert(certificates, key)
        .map_err(|error| {
            bad(match error {
                Error::InconsistentKeys(_) => "the key belongs to another certificate",
                Error::InvalidCertificate(_) => "it holds something that is not a certificate",
                _ => "this kind of key is not known",
            }
            .to_owned())
        })
}
