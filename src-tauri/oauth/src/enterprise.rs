//! Signs in by an enterprise's identity provider: what proves the person there is exchanged for a
//! grant (RFC 8693), and that for a token of the authorization server (RFC 7523). MCP extension
//! "Enterprise-Managed Authorization".

use crate::{
    Client, ClientAuth, Credentials, Discovery, GrantType, OAuthError, RegistrationKind, address,
    token::TokenEndpoint,
};
use egress::{Egress, Reach};
use protocol::{Secret, Timestamp};
use url::Url;

const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/// The enterprise's identity provider, as the enterprise set it up.
#[derive(Debug, Clone)]
pub struct IdentityProvider {
    /// Its name.
    pub issuer: String,
    /// Where it exchanges tokens.
    pub token_endpoint: Url,
    /// Who we are there.
    pub client_id: String,
    /// How we prove it.
    pub auth: ClientAuth,
}

/// What proves the person at the identity provider.
#[derive(Debug, Clone)]
pub enum Subject {
    /// An id token of a sign-in there.
    IdToken(Secret),
    /// A refresh token of a sign-in there.
    RefreshToken(Secret),
}

/// Signs in. The grant is asked for this authorization server and this server only, and is used at
/// once.
pub async fn enterprise(
    egress: &Egress,
    discovery: &Discovery,
    client: &Client,
    provider: &IdentityProvider,
    subject: &Subject,
    scopes: Vec<String>,
    now: Timestamp,
) -> Result<Credentials, OAuthError> {
    client.belongs_to(&discovery.issuer)?;
    let grant = exchange(egress, discovery, provider, subject, &scopes, now).await?;
    let scope = scopes.join(" ");
    let mut form = vec![
        ("grant_type", JWT_BEARER),
        ("assertion", grant.expose()),
        ("resource", discovery.resource.as_str()),
    ];
    if !scope.is_empty() {
        form.push(("scope", scope.as_str()));
    }
    let reach = Reach::Told {
        typed: discovery.server.clone(),
    };
    let endpoint = TokenEndpoint {
        egress,
        url: &discovery.token_endpoint,
        reach,
        client,
        now,
    };
    let tokens = endpoint.ask(&form).await?.tokens(&scopes, endpoint.now)?;
    Ok(Credentials::new(
        discovery,
        client.clone(),
        tokens,
        scopes,
        GrantType::Enterprise,
    ))
}

async fn exchange(
    egress: &Egress,
    discovery: &Discovery,
    provider: &IdentityProvider,
    subject: &Subject,
    scopes: &[String],
    now: Timestamp,
) -> Result<Secret, OAuthError> {
    address::check_server(&provider.token_endpoint).map_err(|why| OAuthError::BadAddress {
        field: "identity provider",
        why,
    })?;
    let (token, kind) = match subject {
        Subject::IdToken(token) => (token, "urn:ietf:params:oauth:token-type:id_token"),
        Subject::RefreshToken(token) => (token, "urn:ietf:params:oauth:token-type:refresh_token"),
    };
    let client = Client {
        id: provider.client_id.clone(),
        auth: provider.auth.clone(),
        kind: RegistrationKind::Preregistered,
        issuer: provider.issuer.clone(),
        redirect: None,
    };
    let scope = scopes.join(" ");
    let mut form = vec![
        ("grant_type", EXCHANGE),
        ("requested_token_type", ID_JAG),
        ("audience", discovery.issuer.as_str()),
        ("resource", discovery.resource.as_str()),
        ("subject_token", token.expose()),
        ("subject_token_type", kind),
    ];
    if !scope.is_empty() {
        form.push(("scope", scope.as_str()));
    }
    // The enterprise named it, not the server.
    let endpoint = TokenEndpoint {
        egress,
        url: &provider.token_endpoint,
        reach: Reach::Typed,
        client: &client,
        now,
    };
    let answer = endpoint.ask(&form).await?;
    if answer.issued_token_type.as_deref() != Some(ID_JAG) {
        return Err(OAuthError::BadToken {
            problem: "the identity provider gave out another kind of grant",
        });
    }
    Ok(answer.into_grant())
}
