//! Becomes known to an authorization server. MCP authorization, "Client Registration": a client id
//! that the person entered, else the address of our metadata document, else dynamic registration
//! (RFC 7591), else the person is asked.

use crate::{
    Client, ClientAuth, Discovery, Doctor, OAuthError, Preregistered, Problem, RegistrationKind,
    ServerText, What, client::with_secret, fetch, token::Refusal,
};
use egress::{Egress, HeaderMap, HeaderValue, Method as Verb, Reach, Redirects, Request, header};
use protocol::Secret;
use serde::Deserialize;
use serde_json::json;
use url::Url;

/// Longest client id, in bytes.
const LONGEST_ID: usize = 2048;

/// What there is to become known by.
#[derive(Debug, Clone)]
pub struct Registration<'a> {
    /// What the person entered.
    pub preregistered: Option<&'a Preregistered>,
    /// The address of our metadata document: `https:` with a path.
    pub document: Option<&'a Url>,
    /// The client of an earlier sign-in. It is used again only where it is known, and only with the
    /// same way back.
    pub known_client: Option<&'a Client>,
    /// The application's name, as a person sees it when asked for consent.
    pub name: &'a str,
    /// The way back from the browser.
    pub redirect: &'a Url,
}

#[derive(Deserialize)]
struct Registered {
    client_id: String,
    #[serde(default)]
    client_secret: Option<Secret>,
    #[serde(default)]
    token_endpoint_auth_method: Option<String>,
}

/// Becomes known, or says what is missing. The step is added to `doctor`.
pub async fn register(
    egress: &Egress,
    discovery: &Discovery,
    registration: &Registration<'_>,
    doctor: &mut Doctor,
) -> Result<Client, OAuthError> {
    let url = discovery.registration_endpoint.as_ref();
    let result = choose(egress, discovery, registration).await;
    match &result {
        Ok(client) => doctor.ok(
            What::Registration,
            url.filter(|_| client.kind == RegistrationKind::Dynamic),
        ),
        Err(error) => drop(doctor.failed(What::Registration, url, problem(error))),
    }
    result
}

async fn choose(
    egress: &Egress,
    discovery: &Discovery,
    registration: &Registration<'_>,
) -> Result<Client, OAuthError> {
    if let Some(preregistered) = registration.preregistered {
        return preregistered.bind(discovery);
    }
    if let Some(document) = registration
        .document
        .filter(|document| discovery.client_documents && can_be_id(document))
    {
        let kind = RegistrationKind::Document;
        let (id, issuer) = (document.to_string(), discovery.issuer.clone());
        return Ok(Client {
            id,
            auth: ClientAuth::None,
            kind,
            issuer,
            redirect: None,
        });
    }
    let fits = |known_client: &&Client| {
        known_client.kind == RegistrationKind::Dynamic
            && known_client.issuer == discovery.issuer
            && known_client.redirect.as_ref() == Some(registration.redirect)
    };
    if let Some(known_client) = registration.known_client.filter(fits) {
        return Ok(known_client.clone());
    }
    match &discovery.registration_endpoint {
        Some(endpoint) => dynamic(egress, discovery, endpoint, registration).await,
        None => Err(OAuthError::ClientIdNeeded {
            issuer: discovery.issuer.clone(),
        }),
    }
}

/// The way in which we would like to prove ourselves, of those that are offered. A program on a
/// person's computer keeps no secret from that person, so none is the honest one.
fn wished(discovery: &Discovery) -> Result<&'static str, OAuthError> {
    ["none", "client_secret_basic", "client_secret_post"]
        .into_iter()
        .find(|method| discovery.offers(method))
        .ok_or(OAuthError::MethodNotOffered {
            method: "client_secret_basic",
        })
}

async fn dynamic(
    egress: &Egress,
    discovery: &Discovery,
    endpoint: &Url,
    registration: &Registration<'_>,
) -> Result<Client, OAuthError> {
    let wished = wished(discovery)?;
    let body = json!({
        "client_name": registration.name,
        "redirect_uris": [registration.redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": wished,
        "application_type": "native",
    });
    let request = Request {
        method: Verb::POST,
        url: endpoint.clone(),
        headers: HeaderMap::from_iter([
            (header::ACCEPT, HeaderValue::from_static("application/json")),
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            ),
        ]),
        body: Some(body.to_string().into()),
        reach: Reach::Told {
            typed: discovery.server.clone(),
        },
        redirects: Redirects::None,
        wait: fetch::WAIT,
    };
    let answer = egress.send(request).await?;
    let status = answer.status;
    let body = tokio::time::timeout(fetch::WAIT, answer.bytes(fetch::LONGEST))
        .await
        .map_err(|_| egress::EgressError::TimedOut { after: fetch::WAIT })??;
    if !status.is_success() {
        let refusal = serde_json::from_slice::<Refusal>(&body).ok();
        let words = format!("status {}", status.as_u16());
        return Err(OAuthError::RegistrationRefused {
            error: ServerText::new(refusal.as_ref().map_or(&words, |refusal| &refusal.error)),
            description: refusal
                .and_then(|refusal| refusal.error_description)
                .as_deref()
                .map(ServerText::new),
        });
    }
    let unreadable = || OAuthError::RegistrationRefused {
        error: ServerText::new("unreadable answer"),
        description: None,
    };
    let registered: Registered = serde_json::from_slice(&body).map_err(|_| unreadable())?;
    let id = registered.client_id;
    if id.is_empty() || id.len() > LONGEST_ID || !id.bytes().all(|b| matches!(b, 0x20..=0x7E)) {
        return Err(unreadable());
    }
    let auth = proof(
        registered.client_secret,
        registered.token_endpoint_auth_method.as_deref(),
        wished,
        discovery,
    )?;
    let kind = RegistrationKind::Dynamic;
    Ok(Client {
        id,
        auth,
        kind,
        issuer: discovery.issuer.clone(),
        redirect: Some(registration.redirect.clone()),
    })
}

/// How the client proves itself from now on. The server has the last word; a secret that it gave
/// out is kept and used.
fn proof(
    secret: Option<Secret>,
    given: Option<&str>,
    wished: &'static str,
    discovery: &Discovery,
) -> Result<ClientAuth, OAuthError> {
    match (given.unwrap_or(wished), secret) {
        ("client_secret_basic", Some(secret)) => Ok(ClientAuth::Basic(secret)),
        ("client_secret_post", Some(secret)) => Ok(ClientAuth::Post(secret)),
        // A secret without a word about it: it is sent in a way that is offered, and where none is,
        // not at all.
        ("none", Some(secret)) if given.is_none() => {
            Ok(with_secret(secret, None, discovery).unwrap_or(ClientAuth::None))
        }
        ("none", _) => Ok(ClientAuth::None),
        _ => Err(OAuthError::MethodNotOffered { method: wished }),
    }
}

/// A client id that is an address has a path and no query.
fn can_be_id(document: &Url) -> bool {
    document.scheme() == "https"
        && document.path() != "/"
        && document.fragment().is_none()
        && document.username().is_empty()
}

fn problem(error: &OAuthError) -> Problem {
    match error {
        OAuthError::ClientIdNeeded { .. } => Problem::ClientIdNeeded,
        OAuthError::OtherAuthorizationServer {
            registered_with, ..
        } => Problem::OtherAuthorizationServer {
            registered_with: registered_with.clone(),
        },
        OAuthError::RegistrationRefused { error, description } => Problem::RegistrationRefused {
            why: description.clone().unwrap_or_else(|| error.clone()),
        },
        OAuthError::Egress(error) => error.clone().into(),
        other => Problem::RegistrationRefused {
            why: ServerText::new(&other.to_string()),
        },
    }
}
