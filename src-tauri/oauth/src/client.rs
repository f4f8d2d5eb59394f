//! Who we are to an authorization server.

#[cfg(feature = "enterprise")]
use crate::SigningKey;
use crate::{Discovery, OAuthError};
use protocol::Secret;
use serde::{Deserialize, Serialize};
use url::Url;

/// A client that an authorization server knows. It is shown to no other one.
#[derive(Debug, Clone)]
pub struct Client {
    /// Its public name.
    pub id: String,
    /// How it proves to be itself.
    pub auth: ClientAuth,
    /// How it came to be known.
    pub kind: RegistrationKind,
    /// Who knows it. A metadata document is known to whoever reads it, and is bound anew with each
    /// sign-in.
    pub issuer: String,
    /// The way back that it was registered with.
    pub redirect: Option<Url>,
}

/// How a client proves to be itself at the token endpoint.
#[derive(Debug, Clone)]
pub enum ClientAuth {
    /// Not at all: a public client.
    None,
    /// A secret in the `Authorization` header (RFC 6749, section 2.3.1).
    Basic(Secret),
    /// A secret in the body.
    Post(Secret),
    /// An assertion that a private key signed (RFC 7523).
    #[cfg(feature = "enterprise")]
    PrivateKey(SigningKey),
}

impl ClientAuth {
    /// What must never be shown of it, if there is anything.
    pub fn secret(&self) -> Option<&Secret> {
        match self {
            Self::None => None,
            Self::Basic(secret) | Self::Post(secret) => Some(secret),
            #[cfg(feature = "enterprise")]
            Self::PrivateKey(key) => Some(&key.pem),
        }
    }
}

/// The names of the ways in which a secret is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// In the `Authorization` header.
    ClientSecretBasic,
    /// In the body.
    ClientSecretPost,
}

/// How a client came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RegistrationKind {
    /// The person entered its id.
    Preregistered,
    /// Its id is the address of its metadata document.
    Document,
    /// It was registered by itself.
    Dynamic,
}

/// What a person enters who has registered the application by hand.
#[derive(Debug, Clone)]
pub struct Preregistered {
    /// The client id.
    pub id: String,
    /// Its secret, if it has one.
    pub secret: Option<Secret>,
    /// How the secret is sent; the authorization server's metadata decide if it is not said.
    pub method: Option<Method>,
    /// Who gave it out: the client is shown to nobody else. If it is not known yet it is whoever
    /// the server names first, so show a person that name before a secret is sent there, and keep
    /// [`Client::issuer`] afterwards.
    pub issuer: Option<String>,
}

#[cfg(feature = "enterprise")]
impl Client {
    /// The same client, proving itself with a key.
    pub fn with_key(self, key: SigningKey) -> Self {
        let auth = ClientAuth::PrivateKey(key);
        Self { auth, ..self }
    }
}

impl Preregistered {
    /// The client for this authorization server, if it is the one that knows it.
    pub fn bind(&self, discovery: &Discovery) -> Result<Client, OAuthError> {
        if let Some(registered_with) = self
            .issuer
            .as_ref()
            .filter(|issuer| **issuer != discovery.issuer)
        {
            return Err(OAuthError::OtherAuthorizationServer {
                registered_with: registered_with.clone(),
                issuer: discovery.issuer.clone(),
            });
        }
        let auth = match &self.secret {
            Some(secret) => with_secret(secret.clone(), self.method, discovery)?,
            None => ClientAuth::None,
        };
        let kind = RegistrationKind::Preregistered;
        Ok(Client {
            id: self.id.clone(),
            auth,
            kind,
            issuer: discovery.issuer.clone(),
            redirect: None,
        })
    }
}

/// The secret in the way that was asked for, else in the first one that the authorization server
/// offers.
pub(crate) fn with_secret(
    secret: Secret,
    method: Option<Method>,
    discovery: &Discovery,
) -> Result<ClientAuth, OAuthError> {
    match method {
        Some(Method::ClientSecretBasic) => Ok(ClientAuth::Basic(secret)),
        Some(Method::ClientSecretPost) => Ok(ClientAuth::Post(secret)),
        None if discovery.offers("client_secret_basic") => Ok(ClientAuth::Basic(secret)),
        None if discovery.offers("client_secret_post") => Ok(ClientAuth::Post(secret)),
        None => Err(OAuthError::MethodNotOffered {
            method: "a client secret",
        }),
    }
}
