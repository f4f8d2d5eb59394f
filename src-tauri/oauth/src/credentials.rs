//! What a sign-in leaves behind: the record that the host keeps in the keyring, one for each
//! server, issuer and account.
//!
//! Always true here: it can be read and written as a [`Secret`] only, and a token is handed out for
//! its own server only.

use crate::{Client, Discovery, OAuthError, address};
use egress::HeaderValue;
use protocol::{Secret, Timestamp};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use url::Url;

/// A sign-in.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The server, as the person typed it.
    pub server: Url,
    /// What the tokens were asked for.
    pub resource: String,
    /// Who gave them out.
    pub issuer: String,
    /// Who we are there.
    pub client: Client,
    /// The tokens.
    pub tokens: Tokens,
    /// Every scope that was asked for so far; a step up asks for these and more.
    pub scopes: Vec<String>,
    /// Where tokens are given out.
    pub token_endpoint: Url,
    /// Where tokens are given back.
    pub revocation_endpoint: Option<Url>,
    /// How they were got, and so how new ones are.
    pub grant: GrantType,
}

/// The tokens of a sign-in.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// The access token.
    pub access: Secret,
    /// The refresh token, if there is one.
    pub refresh: Option<Secret>,
    /// The scopes that were granted.
    pub granted: Vec<String>,
    /// When they came.
    pub received_at: Timestamp,
    /// When the access token ends; unknown if it is not said.
    pub expires_at: Option<Timestamp>,
}

/// How tokens were got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantType {
    /// By a person with a browser.
    Code,
    /// By the client itself.
    ClientCredentials,
    /// By an enterprise's identity provider.
    #[cfg(feature = "enterprise")]
    Enterprise,
}

impl Credentials {
    pub(crate) fn new(
        discovery: &Discovery,
        mut client: Client,
        tokens: Tokens,
        scopes: Vec<String>,
        grant: GrantType,
    ) -> Self {
        client.issuer.clone_from(&discovery.issuer);
        Self {
            server: discovery.server.clone(),
            resource: discovery.resource.clone(),
            issuer: discovery.issuer.clone(),
            client,
            tokens,
            scopes,
            token_endpoint: discovery.token_endpoint.clone(),
            revocation_endpoint: discovery.revocation_endpoint.clone(),
            grant,
        }
    }

    /// The `Authorization` header for a request to this address: the server's own, or one below it
    /// or below what the server calls itself, and no other.
    pub fn header_for(&self, url: &Url) -> Result<HeaderValue, OAuthError> {
        let meant = address::covers(&self.server, url)
            || Url::parse(&self.resource).is_ok_and(|own| address::covers(&own, url));
        // Once more here: a record that was tampered with must not name a resource elsewhere.
        if !meant || !address::same_origin(&self.server, url) || address::check_server(url).is_err()
        {
            return Err(OAuthError::OtherServer);
        }
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.tokens.access.expose()))
            .map_err(|_| OAuthError::BadToken {
            problem: "it cannot be sent in a header",
        })?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Whether the access token ends within `early` from now. One without an end lasts until the
    /// server refuses it.
    pub fn expires_within(&self, early: Duration, now: Timestamp) -> bool {
        self.tokens
            .expires_at
            .is_some_and(|end| end <= now.plus(early))
    }

    /// Whether these are for the authorization server that was found now. If not they are never
    /// used again with it.
    pub fn belong_to(&self, discovery: &Discovery) -> bool {
        self.issuer == discovery.issuer && self.server == discovery.server
    }
}
