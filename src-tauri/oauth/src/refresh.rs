//! Gets a new access token without the person.
//!
//! A refresh token may be good for once. So the caller holds a lock over all processes, reads the
//! record again under it, and asks for a refresh only if what it reads is still old; what comes
//! back is written before the lock is let go.

use crate::{Credentials, GrantType, OAuthError, client_credentials, token::TokenEndpoint};
use egress::{Egress, Reach};
use protocol::Timestamp;

/// New tokens for a sign-in. [`OAuthError::SignedOut`] means that the record is of no more use: the
/// person signs in again.
pub async fn refresh(
    egress: &Egress,
    credentials: &Credentials,
    now: Timestamp,
) -> Result<Credentials, OAuthError> {
    let endpoint = endpoint(egress, credentials, now)?;
    let answer = match (credentials.grant, &credentials.tokens.refresh) {
        (GrantType::ClientCredentials, _) => {
            client_credentials::ask(&endpoint, &credentials.resource, &credentials.scopes).await?
        }
        (_, Some(token)) => {
            let form = [
                ("grant_type", "refresh_token"),
                ("refresh_token", token.expose()),
                ("resource", credentials.resource.as_str()),
            ];
            endpoint.ask(&form).await.map_err(ended)?
        }
        (_, None) => return Err(OAuthError::SignedOut),
    };
    let mut tokens = answer.tokens(&credentials.tokens.granted, endpoint.now)?;
    // A server that gives out no new one lets the old one stand.
    tokens.refresh = tokens
        .refresh
        .or_else(|| credentials.tokens.refresh.clone());
    Ok(Credentials {
        tokens,
        ..credentials.clone()
    })
}

/// The endpoint of a kept sign-in, asked by the client that it was made with.
pub(crate) fn endpoint<'a>(
    egress: &'a Egress,
    kept: &'a Credentials,
    now: Timestamp,
) -> Result<TokenEndpoint<'a>, OAuthError> {
    kept.client.belongs_to(&kept.issuer)?;
    let reach = Reach::Told {
        typed: kept.server.clone(),
    };
    Ok(TokenEndpoint {
        egress,
        url: &kept.token_endpoint,
        reach,
        client: &kept.client,
        now,
    })
}

fn ended(error: OAuthError) -> OAuthError {
    match error {
        OAuthError::TokenRefused { error, .. } if error.as_str() == "invalid_grant" => {
            OAuthError::SignedOut
        }
        other => other,
    }
}
