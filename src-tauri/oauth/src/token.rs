//! Asks a token endpoint, for every kind of grant.
//!
//! Always true here: nothing is sent again to another place, and an answer is a whole Bearer token
//! or an error.

use crate::{Client, ClientAuth, OAuthError, ServerText, Tokens, fetch, scopes};
use base64::{Engine, engine::general_purpose::STANDARD};
use egress::{
    Egress, HeaderMap, HeaderValue, Method, Reach, Redirects, Request, StatusCode, header,
};
use protocol::{Secret, Timestamp};
use serde::Deserialize;
use std::time::Duration;
use url::{Url, form_urlencoded};

/// Longest token, in bytes.
const LONGEST_TOKEN: usize = 32 * 1024;
/// Longest time that a token is believed to be good for: ten years.
const LONGEST_LIFE: u64 = 10 * 365 * 24 * 3600;

/// A token endpoint and who asks it.
pub(crate) struct TokenEndpoint<'a> {
    pub(crate) egress: &'a Egress,
    pub(crate) url: &'a Url,
    pub(crate) reach: Reach,
    pub(crate) client: &'a Client,
    pub(crate) now: Timestamp,
}

/// What a token endpoint answers (RFC 6749, section 5.1; RFC 8693, section 2.2.1).
#[derive(Debug, Deserialize)]
pub(crate) struct TokenResponse {
    access_token: Secret,
    token_type: String,
    #[serde(default)]
    expires_in: Option<Seconds>,
    #[serde(default)]
    refresh_token: Option<Secret>,
    #[serde(default)]
    scope: Option<String>,
    #[cfg(feature = "enterprise")]
    #[serde(default)]
    pub(crate) issued_token_type: Option<String>,
}

/// A number, or one that is written as text as some servers do.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Seconds {
    Number(f64),
    Text(String),
}

#[derive(Deserialize)]
pub(crate) struct Refusal {
    pub(crate) error: String,
    #[serde(default)]
    pub(crate) error_description: Option<String>,
}

impl TokenEndpoint<'_> {
    /// Sends a form. The client's proof is added.
    pub(crate) async fn ask(&self, form: &[(&str, &str)]) -> Result<TokenResponse, OAuthError> {
        let (status, body) = self.post(form).await?;
        if let Ok(refusal) = serde_json::from_slice::<Refusal>(&body) {
            return Err(refusal.into());
        }
        if !status.is_success() {
            return Err(OAuthError::TokenRefused {
                error: ServerText::new(&format!("status {}", status.as_u16())),
                description: None,
            });
        }
        serde_json::from_slice(&body).map_err(|_| OAuthError::BadToken {
            problem: "it is not the document that is expected",
        })
    }

    /// Sends a form and reads whatever comes back.
    pub(crate) async fn post(
        &self,
        form: &[(&str, &str)],
    ) -> Result<(StatusCode, egress::Bytes), OAuthError> {
        let (body, proof) = self.proven(form)?;
        let mut headers = HeaderMap::from_iter([
            (header::ACCEPT, HeaderValue::from_static("application/json")),
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/x-www-form-urlencoded"),
            ),
        ]);
        if let Some(proof) = proof {
            headers.insert(header::AUTHORIZATION, proof);
        }
        let request = Request {
            method: Method::POST,
            url: self.url.clone(),
            headers,
            body: Some(body.into()),
            reach: self.reach.clone(),
            redirects: Redirects::None,
            wait: fetch::WAIT,
        };
        let answer = self.egress.send(request).await?;
        let status = answer.status;
        if status.is_redirection() {
            return Err(OAuthError::TokenRedirected);
        }
        let body = tokio::time::timeout(fetch::WAIT, answer.bytes(fetch::LONGEST))
            .await
            .map_err(|_| egress::EgressError::TimedOut { after: fetch::WAIT })??;
        Ok((status, body))
    }

    /// The form with what proves the client, and the header that does.
    fn proven(&self, form: &[(&str, &str)]) -> Result<(String, Option<HeaderValue>), OAuthError> {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(form);
        let id = &self.client.id;
        let mut proof = None;
        match &self.client.auth {
            ClientAuth::None => {
                body.append_pair("client_id", id);
            }
            ClientAuth::Basic(secret) => proof = Some(basic(id, secret)?),
            ClientAuth::Post(secret) => {
                body.append_pair("client_id", id)
                    .append_pair("client_secret", secret.expose());
            }
            #[cfg(feature = "enterprise")]
            ClientAuth::PrivateKey(key) => {
                // The issuer, not the endpoint's address: an endpoint could be another server's,
                // and use it there.
                let assertion = key.assertion(id, &self.client.issuer, self.now)?;
                body.append_pair("client_id", id)
                    .append_pair(
                        "client_assertion_type",
                        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                    )
                    .append_pair("client_assertion", assertion.expose());
            }
        }
        Ok((body.finish(), proof))
    }
}

impl TokenResponse {
    /// The tokens, checked. What the answer leaves out is as it was asked for.
    pub(crate) fn tokens(self, asked: &[String], now: Timestamp) -> Result<Tokens, OAuthError> {
        let bad = |problem| OAuthError::BadToken { problem };
        if !self.token_type.eq_ignore_ascii_case("bearer") {
            return Err(bad("it is not a Bearer token"));
        }
        let usable = |token: &Secret| {
            let text = token.expose();
            !text.is_empty()
                && text.len() <= LONGEST_TOKEN
                && text.bytes().all(|b| b.is_ascii_graphic())
        };
        if !usable(&self.access_token)
            || self
                .refresh_token
                .as_ref()
                .is_some_and(|token| !usable(token))
        {
            return Err(bad("it cannot be sent in a header"));
        }
        let lifetime = self
            .expires_in
            .map(|seconds| seconds.read().ok_or(bad("its lifetime is not a number")))
            .transpose()?;
        Ok(Tokens {
            access: self.access_token,
            refresh: self.refresh_token,
            granted: self
                .scope
                .map_or_else(|| asked.to_vec(), |scope| scopes::split(&scope)),
            received_at: now,
            expires_at: lifetime.map(|lifetime| now.plus(lifetime)),
        })
    }

    /// What was given out in place of an access token.
    #[cfg(feature = "enterprise")]
    pub(crate) fn into_grant(self) -> Secret {
        self.access_token
    }
}

impl Seconds {
    fn read(self) -> Option<Duration> {
        let number = match self {
            Self::Number(number) => number,
            Self::Text(text) => text.trim().parse().ok()?,
        };
        (number.is_finite() && number >= 0.0)
            .then(|| Duration::from_secs((number as u64).min(LONGEST_LIFE)))
    }
}

impl From<Refusal> for OAuthError {
    fn from(refusal: Refusal) -> Self {
        if refusal.error == "invalid_client" {
            return Self::ClientRefused;
        }
        let description = refusal.error_description.as_deref().map(ServerText::new);
        Self::TokenRefused {
            error: ServerText::new(&refusal.error),
            description,
        }
    }
}

/// `Authorization: Basic` with both parts encoded as a form (RFC 6749, section 2.3.1).
fn basic(id: &str, secret: &Secret) -> Result<HeaderValue, OAuthError> {
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = Secret::new(format!("{}:{}", encode(id), encode(secret.expose())));
    let mut value = HeaderValue::from_str(&format!("Basic {}", STANDARD.encode(pair.expose())))
        .map_err(|_| OAuthError::BadToken {
            problem: "the client's secret cannot be sent in a header",
        })?;
    value.set_sensitive(true);
    Ok(value)
}
