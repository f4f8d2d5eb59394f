//! What discovery found: how to sign in to one server. Every address in here was checked.

use crate::{
    Ask, Problem,
    address::{check, is_loopback, same_origin},
    document::ServerDocument,
    scopes,
};
use url::Url;

/// Most authentication methods that are read.
const MOST_METHODS: usize = 32;

/// How to sign in to one server.
#[derive(Debug, Clone)]
pub struct Discovery {
    /// The server as the person typed it.
    pub server: Url,
    /// What a token is asked for (RFC 8707): the server's own name for itself, else its canonical
    /// address.
    pub resource: String,
    /// The authorization server's name. Clients and tokens are kept under it; it is compared as
    /// text.
    pub issuer: String,
    /// Where a browser is sent. Always there after [`crate::Way::Person`].
    pub authorization_endpoint: Option<Url>,
    /// Where tokens are given out.
    pub token_endpoint: Url,
    /// Where applications register.
    pub registration_endpoint: Option<Url>,
    /// Where tokens are given back.
    pub revocation_endpoint: Option<Url>,
    /// The scopes that the server says it needs.
    pub resource_scopes: Vec<String>,
    /// The scopes that the authorization server knows.
    pub scopes_supported: Vec<String>,
    /// How a client may prove itself; `None` if that is not said.
    pub auth_methods: Option<Vec<String>>,
    /// Whether the way back from the browser always names the issuer (RFC 9207).
    pub iss_advertised: bool,
    /// Whether the address of a metadata document can be a client id.
    pub client_documents: bool,
    /// How it was found.
    pub source: Source,
}

/// How the authorization server was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// By the server's metadata, as all revisions since 2025-06-18 have it.
    Metadata,
    /// At the server's own origin, as revision 2025-03-26 has it.
    LegacyMetadata,
    /// Not at all: the default places of revision 2025-03-26 are assumed.
    LegacyDefaults,
}

impl Discovery {
    /// Checks the addresses of a document. `issuer` was compared with it already.
    pub(crate) fn of(
        ask: &Ask<'_>,
        resource: &Resource,
        issuer: &Url,
        document: ServerDocument,
        source: Source,
    ) -> Result<Self, Problem> {
        let mut foreign = Vec::new();
        let mut read = |field: &'static str,
                        text: Option<String>|
         -> Result<Option<Url>, Problem> {
            let Some(text) = text else { return Ok(None) };
            let url = check(&text, ask.server).map_err(|why| Problem::BadAddress { field, why })?;
            let origin = url.origin().ascii_serialization();
            if !same_origin(&url, issuer)
                && !ask.approved_origins.contains(&origin)
                && !foreign.contains(&origin)
            {
                foreign.push(origin);
            }
            Ok(Some(url))
        };
        let methods = document.token_endpoint_auth_methods_supported;
        let found = Self {
            server: ask.server.clone(),
            resource: resource.name.clone(),
            issuer: document.issuer,
            authorization_endpoint: read(
                "authorization_endpoint",
                document.authorization_endpoint,
            )?,
            token_endpoint: read("token_endpoint", document.token_endpoint)?.ok_or(
                Problem::MissingEndpoint {
                    field: "token_endpoint",
                },
            )?,
            registration_endpoint: read("registration_endpoint", document.registration_endpoint)?,
            revocation_endpoint: read("revocation_endpoint", document.revocation_endpoint)?,
            resource_scopes: resource.scopes.clone(),
            scopes_supported: scopes::accept(
                document
                    .scopes_supported
                    .iter()
                    .flatten()
                    .map(String::as_str),
            ),
            auth_methods: methods.map(|methods| methods.into_iter().take(MOST_METHODS).collect()),
            iss_advertised: document
                .authorization_response_iss_parameter_supported
                .unwrap_or(false),
            client_documents: document
                .client_id_metadata_document_supported
                .unwrap_or(false),
            source,
        };
        if foreign.is_empty() {
            Ok(found)
        } else {
            Err(Problem::ForeignEndpoints { origins: foreign })
        }
    }

    /// What revision 2025-03-26 assumes where nothing is said.
    pub(crate) fn legacy_defaults(server: &Url, resource: &Resource) -> Self {
        let at = |path: &str| {
            let mut url = server.clone();
            url.set_query(None);
            url.set_path(path);
            url
        };
        Self {
            server: server.clone(),
            resource: resource.name.clone(),
            issuer: server.origin().ascii_serialization(),
            authorization_endpoint: Some(at("/authorize")),
            token_endpoint: at("/token"),
            registration_endpoint: Some(at("/register")),
            revocation_endpoint: None,
            resource_scopes: Vec::new(),
            scopes_supported: Vec::new(),
            auth_methods: None,
            iss_advertised: false,
            client_documents: false,
            source: Source::LegacyDefaults,
        }
    }

    /// Whether the authorization server lets a client prove itself in this way. Where nothing is
    /// said it is tried.
    pub(crate) fn offers(&self, method: &str) -> bool {
        self.auth_methods
            .as_ref()
            .is_none_or(|methods| methods.iter().any(|offered| offered == method))
    }

    /// Whether all of this happens on this computer.
    pub fn is_local(&self) -> bool {
        is_loopback(&self.server) && is_loopback(&self.token_endpoint)
    }
}

/// What is known of the server itself.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    /// What a token is asked for.
    pub(crate) name: String,
    /// The scopes it says it needs.
    pub(crate) scopes: Vec<String>,
}
