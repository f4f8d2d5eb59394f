//! The authority and the client certificate of a drafted server.

use super::Secrets;
use crate::{error, server_egress};
use api::{DraftPem, ErrorCode, HostError};
use egress::{Identity, Pem};
use protocol::{ClientIdentity, Launch, PemPlace, Secret};
use std::path::Path;

/// Longest text that may be pasted, in bytes.
const LONGEST: usize = 1024 * 1024;

/// What a draft says of certificates, checked; nothing is kept yet.
pub(super) struct Drafted {
    authority: Part,
    certificate: Part,
    key: Part,
}

/// One text in PEM form.
enum Part {
    None,
    Place(PemPlace),
    Pasted(Secret),
}

impl Drafted {
    pub(super) fn of(
        authority: Option<DraftPem>,
        certificate: Option<DraftPem>,
        key: Option<DraftPem>,
        before: Option<&Launch>,
    ) -> Result<Self, HostError> {
        let before = match before {
            Some(Launch::Http(call)) => Some(call),
            _ => None,
        };
        let identity = before.and_then(|call| call.identity.as_ref());
        let drafted = Self {
            authority: part(
                "the authority",
                authority,
                before.and_then(|call| call.authority.as_ref()),
            )?,
            certificate: part(
                "the client certificate",
                certificate,
                identity.map(|identity| &identity.certificate),
            )?,
            key: part(
                "the key of the client certificate",
                key,
                identity.map(|identity| &identity.key),
            )?,
        };
        if drafted.certificate.is_none() != drafted.key.is_none() {
            return Err(error::host(
                ErrorCode::BadSetting,
                "a client certificate and its key belong together",
            ));
        }
        drafted.check()?;
        Ok(drafted)
    }

    /// Reads what was pasted, so that a mistake is heard at once. Files are read with each start.
    fn check(&self) -> Result<(), HostError> {
        let authority = self.authority.pasted().map(|text| Pem::new(text.expose()));
        let identity = match (&self.certificate, &self.key) {
            (Part::Pasted(certificate), Part::Pasted(key)) => Some(Identity {
                certificates: Pem::new(certificate.expose()),
                key: key.clone(),
            }),
            _ => None,
        };
        server_egress::check(authority, identity)
    }

    /// Keeps what was pasted with the secrets.
    pub(super) async fn keep(
        self,
        secrets: &Secrets<'_>,
    ) -> Result<(Option<PemPlace>, Option<ClientIdentity>), HostError> {
        let mut put = Vec::new();
        match self.put_all(secrets, &mut put).await {
            Ok(kept) => Ok(kept),
            Err(error) => {
                secrets
                    .take_back(put.iter().filter_map(PemPlace::secret))
                    .await;
                Err(error)
            }
        }
    }

    async fn put_all(
        self,
        secrets: &Secrets<'_>,
        put: &mut Vec<PemPlace>,
    ) -> Result<(Option<PemPlace>, Option<ClientIdentity>), HostError> {
        let authority = self.authority.place(secrets, put).await?;
        let certificate = self.certificate.place(secrets, put).await?;
        let key = self.key.place(secrets, put).await?;
        Ok((
            authority,
            certificate
                .zip(key)
                .map(|(certificate, key)| ClientIdentity { certificate, key }),
        ))
    }
}

impl Part {
    fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    fn pasted(&self) -> Option<&Secret> {
        match self {
            Self::Pasted(text) => Some(text),
            Self::None | Self::Place(_) => None,
        }
    }

    async fn place(
        self,
        secrets: &Secrets<'_>,
        put: &mut Vec<PemPlace>,
    ) -> Result<Option<PemPlace>, HostError> {
        match self {
            Self::None => Ok(None),
            Self::Place(place) => Ok(Some(place)),
            Self::Pasted(text) => {
                let place = PemPlace::Secret {
                    secret: secrets.put(text).await?,
                };
                put.push(place.clone());
                Ok(Some(place))
            }
        }
    }
}

fn part(name: &str, draft: Option<DraftPem>, before: Option<&PemPlace>) -> Result<Part, HostError> {
    let bad = |problem: String| error::host(ErrorCode::BadSetting, problem);
    match draft {
        None => Ok(before.cloned().map_or(Part::None, Part::Place)),
        Some(DraftPem::None) => Ok(Part::None),
        Some(DraftPem::File { path }) if !Path::new(&path).is_absolute() => {
            Err(bad(format!("the path of {name} is not absolute: {path:?}")))
        }
        Some(DraftPem::File { path }) => Ok(Part::Place(PemPlace::File { path })),
        Some(DraftPem::Pasted { text })
            if text.expose().len() > LONGEST || !text.expose().contains("-----BEGIN") =>
        {
            Err(bad(format!(
                "{name} is not a text in PEM form; one begins with -----BEGIN"
            )))
        }
        Some(DraftPem::Pasted { text }) => Ok(Part::Pasted(text)),
    }
}
