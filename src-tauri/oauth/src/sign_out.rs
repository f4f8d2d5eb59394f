//! Gives tokens back (RFC 7009).

use crate::{Credentials, OAuthError, refresh, token::TokenEndpoint};
use egress::Egress;
use protocol::Timestamp;

/// Tells the authorization server that the tokens are not needed any more. `false` if it has no
/// place for that. The record is deleted by the caller in any case, also when this fails.
pub async fn sign_out(
    egress: &Egress,
    credentials: &Credentials,
    now: Timestamp,
) -> Result<bool, OAuthError> {
    let Some(url) = &credentials.revocation_endpoint else {
        return Ok(false);
    };
    let endpoint = TokenEndpoint {
        url,
        ..refresh::endpoint(egress, credentials, now)?
    };
    // The refresh token first: without it the access token soon ends by itself.
    let tokens = [
        credentials
            .tokens
            .refresh
            .as_ref()
            .map(|token| (token, "refresh_token")),
        Some((&credentials.tokens.access, "access_token")),
    ];
    let mut given_back = true;
    for (token, kind) in tokens.into_iter().flatten() {
        let (status, _) = endpoint
            .post(&[("token", token.expose()), ("token_type_hint", kind)])
            .await?;
        given_back &= status.is_success();
    }
    Ok(given_back)
}
