//! How a sign-in is written down and read back. The only text of it is a [`Secret`].

#[cfg(feature = "enterprise")]
use crate::{Algorithm, SigningKey};
use crate::{Client, ClientAuth, Credentials, GrantType, OAuthError, RegistrationKind, Tokens};
use protocol::{Secret, Timestamp};
use serde::{Deserialize, Serialize, Serializer};
use url::Url;

/// The version of the record. Another one is not guessed at.
const VERSION: u32 = 1;

/// A secret inside a record. Not outside of this file, so that nothing else can write one down.
#[derive(Deserialize)]
#[serde(transparent)]
struct StoredSecret(Secret);

impl Serialize for StoredSecret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.expose())
    }
}

#[derive(Serialize, Deserialize)]
struct Record {
    version: u32,
    server: Url,
    resource: String,
    issuer: String,
    client: ClientRecord,
    access: StoredSecret,
    refresh: Option<StoredSecret>,
    granted: Vec<String>,
    received_at: Timestamp,
    expires_at: Option<Timestamp>,
    scopes: Vec<String>,
    token_endpoint: Url,
    revocation_endpoint: Option<Url>,
    grant: GrantType,
}

#[derive(Serialize, Deserialize)]
struct ClientRecord {
    id: String,
    auth: AuthRecord,
    kind: RegistrationKind,
    issuer: String,
    redirect: Option<Url>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "method")]
enum AuthRecord {
    None,
    ClientSecretBasic {
        secret: StoredSecret,
    },
    ClientSecretPost {
        secret: StoredSecret,
    },
    #[cfg(feature = "enterprise")]
    PrivateKeyJwt {
        pem: StoredSecret,
        algorithm: Algorithm,
        key_id: Option<String>,
    },
}

impl Credentials {
    /// The record for the keyring.
    pub fn to_secret_json(&self) -> Result<Secret, OAuthError> {
        let stored = |secret: &Secret| StoredSecret(secret.clone());
        let record = Record {
            version: VERSION,
            server: self.server.clone(),
            resource: self.resource.clone(),
            issuer: self.issuer.clone(),
            client: ClientRecord::of(&self.client),
            access: stored(&self.tokens.access),
            refresh: self.tokens.refresh.as_ref().map(stored),
            granted: self.tokens.granted.clone(),
            received_at: self.tokens.received_at,
            expires_at: self.tokens.expires_at,
            scopes: self.scopes.clone(),
            token_endpoint: self.token_endpoint.clone(),
            revocation_endpoint: self.revocation_endpoint.clone(),
            grant: self.grant,
        };
        serde_json::to_string(&record)
            .map(Secret::new)
            .map_err(|_| OAuthError::BadRecord)
    }

    /// Reads a record from the keyring. The error holds nothing of it.
    pub fn from_secret_json(json: &Secret) -> Result<Self, OAuthError> {
        let record: Record =
            serde_json::from_str(json.expose()).map_err(|_| OAuthError::BadRecord)?;
        if record.version != VERSION {
            return Err(OAuthError::BadRecord);
        }
        Ok(Self {
            server: record.server,
            resource: record.resource,
            issuer: record.issuer,
            client: record.client.into_client(),
            tokens: Tokens {
                access: record.access.0,
                refresh: record.refresh.map(|stored| stored.0),
                granted: record.granted,
                received_at: record.received_at,
                expires_at: record.expires_at,
            },
            scopes: record.scopes,
            token_endpoint: record.token_endpoint,
            revocation_endpoint: record.revocation_endpoint,
            grant: record.grant,
        })
    }
}

impl ClientRecord {
    fn of(client: &Client) -> Self {
        let stored = |secret: &Secret| StoredSecret(secret.clone());
        let auth = match &client.auth {
            ClientAuth::None => AuthRecord::None,
            ClientAuth::Basic(secret) => AuthRecord::ClientSecretBasic {
                secret: stored(secret),
            },
            ClientAuth::Post(secret) => AuthRecord::ClientSecretPost {
                secret: stored(secret),
            },
            #[cfg(feature = "enterprise")]
            ClientAuth::PrivateKey(key) => AuthRecord::PrivateKeyJwt {
                pem: stored(&key.pem),
                algorithm: key.algorithm,
                key_id: key.key_id.clone(),
            },
        };
        Self {
            id: client.id.clone(),
            auth,
            kind: client.kind,
            issuer: client.issuer.clone(),
            redirect: client.redirect.clone(),
        }
    }

    fn into_client(self) -> Client {
        let auth = match self.auth {
            AuthRecord::None => ClientAuth::None,
            AuthRecord::ClientSecretBasic { secret } => ClientAuth::Basic(secret.0),
            AuthRecord::ClientSecretPost { secret } => ClientAuth::Post(secret.0),
            #[cfg(feature = "enterprise")]
            AuthRecord::PrivateKeyJwt {
                pem,
                algorithm,
                key_id,
            } => ClientAuth::PrivateKey(SigningKey {
                pem: pem.0,
                algorithm,
                key_id,
            }),
        };
        Client {
            id: self.id,
            auth,
            kind: self.kind,
            issuer: self.issuer,
            redirect: self.redirect,
        }
    }
}
