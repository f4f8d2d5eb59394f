//! One sign-in of a person, from the address that the browser opens to the tokens.
//!
//! Always true here: `state` and the proof key are random and used once, and the issuer is the one
//! that was kept beforehand.

use crate::{
    Client, Code, Credentials, Discovery, GrantType, OAuthError, Reading, RegistrationKind,
    address, authorization_response, authorization_response::Expected, scopes::OFFLINE_ACCESS,
    token::TokenEndpoint,
};
use egress::{Egress, Reach};
use oauth2::{
    AuthUrl, ClientId, CsrfToken, PkceCodeChallenge, RedirectUrl, Scope, basic::BasicClient,
};
use protocol::{Secret, Timestamp};
use url::Url;

/// A sign-in that waits for the person to come back.
#[derive(Debug)]
pub struct Attempt {
    url: Url,
    expected: Expected,
    verifier: Secret,
    redirect: Url,
    discovery: Discovery,
    client: Client,
    scopes: Vec<String>,
}

impl Attempt {
    /// Prepares a sign-in. `scopes` is what [`crate::choose`] chose; an empty list names none.
    pub fn begin(
        discovery: &Discovery,
        client: &Client,
        redirect: &Url,
        scopes: Vec<String>,
    ) -> Result<Self, OAuthError> {
        client.belongs_to(&discovery.issuer)?;
        let page = discovery
            .authorization_endpoint
            .clone()
            .ok_or(OAuthError::NoPage)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let asking = BasicClient::new(ClientId::new(client.id.clone()))
            .set_auth_uri(AuthUrl::from_url(page))
            .set_redirect_uri(RedirectUrl::from_url(redirect.clone()));
        let mut request = asking
            .authorize_url(CsrfToken::new_random)
            .set_pkce_challenge(challenge)
            .add_scopes(scopes.iter().cloned().map(Scope::new))
            .add_extra_param("resource", discovery.resource.clone());
        // OpenID Connect Core, section 11: without consent there is no refresh token.
        if scopes.iter().any(|scope| scope == OFFLINE_ACCESS) {
            request = request.add_extra_param("prompt", "consent");
        }
        let (url, state) = request.url();
        // Once more and last, for this is what leaves for a browser.
        address::check_server(&url).map_err(|why| OAuthError::BadAddress {
            field: "authorization_endpoint",
            why,
        })?;
        Ok(Self {
            url,
            expected: Expected {
                state: Secret::new(state.into_secret()),
                issuer: discovery.issuer.clone(),
                iss_advertised: discovery.iss_advertised,
            },
            verifier: Secret::new(verifier.into_secret()),
            redirect: redirect.clone(),
            discovery: discovery.clone(),
            client: client.clone(),
            scopes,
        })
    }

    /// The address to open in the browser: `https:`, or `http:` on this computer. Never through a
    /// shell.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// What an address that the browser was sent to means for this sign-in.
    pub fn read(&self, back: &Url) -> Reading {
        authorization_response::read(back, &self.expected)
    }

    pub(crate) fn expected(&self) -> &Expected {
        &self.expected
    }

    /// Reads an address that the person copied out of the browser.
    pub fn pasted(&self, text: &str) -> Result<Code, OAuthError> {
        let back = Url::parse(text.trim()).map_err(|_| OAuthError::NotOurs)?;
        let home = (back.scheme(), back.host(), back.path())
            == (
                self.redirect.scheme(),
                self.redirect.host(),
                self.redirect.path(),
            );
        match self.read(&back) {
            Reading::Code(code) if home => Ok(code),
            Reading::Refused(error) if home => Err(error),
            _ => Err(OAuthError::NotOurs),
        }
    }

    /// Redeems the code. That ends the attempt: a code, a state and a proof key are good for once.
    pub async fn redeem(
        self,
        egress: &Egress,
        code: Code,
        now: Timestamp,
    ) -> Result<Credentials, OAuthError> {
        let Self {
            expected,
            redirect,
            discovery,
            client,
            scopes,
            verifier,
            ..
        } = self;
        let code = code.expose_for(&expected)?;
        let endpoint = TokenEndpoint {
            egress,
            url: &discovery.token_endpoint,
            reach: Reach::Told {
                typed: discovery.server.clone(),
            },
            client: &client,
            now,
        };
        let answer = endpoint
            .ask(&[
                ("grant_type", "authorization_code"),
                ("code", code),
                ("redirect_uri", redirect.as_str()),
                ("code_verifier", verifier.expose()),
                ("resource", &discovery.resource),
            ])
            .await?;
        let tokens = answer.tokens(&scopes, endpoint.now)?;
        Ok(Credentials::new(
            &discovery,
            client,
            tokens,
            scopes,
            GrantType::Code,
        ))
    }
}

impl Client {
    /// Refuses to show this client to anyone but the authorization server that knows it.
    pub(crate) fn belongs_to(&self, issuer: &str) -> Result<(), OAuthError> {
        if self.issuer == issuer || self.kind == RegistrationKind::Document {
            return Ok(());
        }
        Err(OAuthError::OtherAuthorizationServer {
            registered_with: self.issuer.clone(),
            issuer: issuer.to_owned(),
        })
    }
}
