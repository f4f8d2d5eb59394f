//! Signs in as a program with credentials of its own (RFC 6749, section 4.4): a secret, or a key.

use crate::{
    Client, Credentials, Discovery, GrantType, OAuthError,
    token::{TokenEndpoint, TokenResponse},
};
use egress::{Egress, Reach};
use protocol::Timestamp;

/// Signs in. `scopes` may be empty: then none is named.
pub async fn client_credentials(
    egress: &Egress,
    discovery: &Discovery,
    client: &Client,
    scopes: Vec<String>,
    now: Timestamp,
) -> Result<Credentials, OAuthError> {
    client.belongs_to(&discovery.issuer)?;
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
    let tokens = ask(&endpoint, &discovery.resource, &scopes)
        .await?
        .tokens(&scopes, endpoint.now)?;
    Ok(Credentials::new(
        discovery,
        client.clone(),
        tokens,
        scopes,
        GrantType::ClientCredentials,
    ))
}

pub(crate) async fn ask(
    endpoint: &TokenEndpoint<'_>,
    resource: &str,
    scopes: &[String],
) -> Result<TokenResponse, OAuthError> {
    let scope = scopes.join(" ");
    let mut form = vec![("grant_type", "client_credentials"), ("resource", resource)];
    if !scope.is_empty() {
        form.push(("scope", scope.as_str()));
    }
    endpoint.ask(&form).await
}
