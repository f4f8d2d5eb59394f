//! How the authorization server and the protected server behave. Every field is one way of
//! misbehaving.

use axum::{
    body::Body,
    http::{StatusCode, header},
    response::Response,
};
use serde_json::{Map, Value};

/// The script. As it comes, all is well: metadata, registration, proof keys, issuer, rotated
/// refresh tokens.
#[derive(Debug, Clone)]
pub struct Script {
    /// How the server turns a request away.
    pub challenge: Challenge,
    /// The scope that the challenge names.
    pub challenge_scope: Option<String>,
    /// Where the server's metadata lies.
    pub resource_at: ResourceAt,
    /// Another name for the server in its metadata.
    pub resource: Option<String>,
    /// The scopes in the server's metadata.
    pub resource_scopes: Option<Vec<String>>,
    /// Other authorization servers in the server's metadata.
    pub authorization_servers: Option<Vec<String>>,
    /// The server's metadata as raw text.
    pub resource_raw: Option<String>,
    /// A scope without which the server answers 403.
    pub needed_scope: Option<String>,
    /// Where the server sends everybody on to (307), with a token or without.
    pub moved: Option<String>,
    /// Whether the authorization server is at the server's own address, as in revision 2025-03-26.
    pub at_home: bool,
    /// The path of the authorization server's name: empty, or such as `/tenant1`.
    pub issuer_path: String,
    /// Where the authorization server's metadata lies.
    pub metadata_at: MetadataAt,
    /// Another status for every request for metadata.
    pub metadata_status: Option<u16>,
    /// Fields that replace those of the metadata; `null` takes one away.
    pub metadata: Map<String, Value>,
    /// How the browser is sent back.
    pub back: Back,
    /// How a registration is answered.
    pub registration: Registration,
    /// How a request for a token is answered.
    pub token: Token,
    /// The kind of token that is given out.
    pub token_type: String,
    /// How long a token is said to be good for.
    pub expires_in: Value,
    /// Whether refresh tokens are given out.
    pub refresh: bool,
    /// Whether a refresh token is good for once, and a new one comes with each answer.
    pub rotates: bool,
    /// The kind of grant that the identity provider says it gave out.
    pub issued_token_type: String,
}

/// How the server turns a request away.
#[derive(Debug, Clone)]
pub enum Challenge {
    /// It says where its metadata lies.
    Named,
    /// It says that it wants a token.
    Bare,
    /// It says this.
    Raw(String),
}

/// Where the server's metadata lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceAt {
    /// At the well-known place under its path.
    Path,
    /// At the root.
    Root,
    /// At a path of its own choice.
    Custom(String),
    /// Nowhere.
    Nowhere,
}

/// Where the authorization server's metadata lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetadataAt {
    /// `/.well-known/oauth-authorization-server` and then the path.
    OAuth,
    /// `/.well-known/openid-configuration` and then the path.
    OpenIdInserted,
    /// The path and then `/.well-known/openid-configuration`.
    OpenIdAppended,
    /// Nowhere.
    Nowhere,
}

/// How the browser is sent back.
#[derive(Debug, Clone)]
pub enum Back {
    /// With a code and the right issuer.
    Right,
    /// With a code and no issuer.
    NoIssuer,
    /// With a code and this issuer.
    Issuer(String),
    /// With an error, in these words.
    Error(String, String),
    /// With an error in these words, and this issuer.
    ErrorOf(String, String, String),
}

/// How a registration is answered.
#[derive(Debug, Clone)]
pub enum Registration {
    /// With an id, and with a secret if the client asked for a way that needs one.
    Granted,
    /// With these fields.
    Answer(Value),
    /// With an error, in these words.
    Refused(String, String),
    /// With 307 to this address.
    Redirect(String),
}

/// How a request for a token is answered.
#[derive(Debug, Clone)]
pub enum Token {
    /// With a token, if the request is right.
    Granted,
    /// With an error.
    Refused(u16, String, String),
    /// With 307 to this address.
    Redirect(String),
    /// With this text.
    Raw(String),
}

impl Default for Script {
    fn default() -> Self {
        Self {
            challenge: Challenge::Named,
            challenge_scope: None,
            resource_at: ResourceAt::Path,
            resource: None,
            resource_scopes: None,
            authorization_servers: None,
            resource_raw: None,
            needed_scope: None,
            moved: None,
            at_home: false,
            issuer_path: String::new(),
            metadata_at: MetadataAt::OAuth,
            metadata_status: None,
            metadata: Map::new(),
            back: Back::Right,
            registration: Registration::Granted,
            token: Token::Granted,
            token_type: "Bearer".into(),
            expires_in: 3600.into(),
            refresh: true,
            rotates: true,
            issued_token_type: "urn:ietf:params:oauth:token-type:id-jag".into(),
        }
    }
}

/// An answer that is a document.
pub(crate) fn json(status: u16, value: &Value) -> Response {
    text(status, "application/json", value.to_string())
}

/// An answer of any kind.
pub(crate) fn text(status: u16, kind: &'static str, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    response
}

/// An answer with one more header.
pub(crate) fn with(mut response: Response, name: header::HeaderName, value: &str) -> Response {
    if let Ok(value) = value.parse() {
        response.headers_mut().insert(name, value);
    }
    response
}
