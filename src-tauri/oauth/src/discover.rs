//! Finds out how to sign in to a server. MCP authorization, "Authorization Server Discovery".

use crate::{
    Challenge, Discovery, Doctor, OAuthError, Problem, ServerText, Source, What,
    address::{self, BadAddress},
    discovery::Resource,
    document::{ResourceDocument, ServerDocument},
    fetch::{Found, fetch},
    scopes, well_known,
};
use egress::{Egress, Reach};
use serde::de::DeserializeOwned;
use url::Url;

/// Most authorization servers of one server that are looked at.
const MOST_SERVERS: usize = 32;

/// What is asked for, and what the person allowed for this server.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// The server, as the person typed it.
    pub server: &'a Url,
    /// How it turned the last request away.
    pub challenge: Option<&'a Challenge>,
    /// Who signs in.
    pub way: Way,
    /// The issuer of an earlier sign-in: it is chosen again if the server still names it.
    pub earlier_issuer: Option<&'a str>,
    /// Other origins, such as `https://tokens.example`, that the person knows to belong to the
    /// authorization server.
    pub approved_origins: &'a [String],
    /// The person knows that the authorization server has proof keys although it does not say so.
    pub missing_proof_key_approved: bool,
    /// The person allows the way of revision 2025-03-26 if the server has no metadata.
    pub legacy_approved: bool,
}

/// Who signs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A person with a browser.
    Person,
    /// A program with credentials of its own, or an enterprise for the person: no browser.
    Machine,
}

impl<'a> Ask<'a> {
    /// A person signs in to a server for the first time, and has allowed nothing out of the
    /// ordinary.
    pub fn new(server: &'a Url, challenge: Option<&'a Challenge>) -> Self {
        Self {
            server,
            challenge,
            way: Way::Person,
            earlier_issuer: None,
            approved_origins: &[],
            missing_proof_key_approved: false,
            legacy_approved: false,
        }
    }
}

/// Finds out how to sign in. The steps are added to `doctor`, also when it fails; the error is the
/// last of them.
pub async fn discover(
    egress: &Egress,
    ask: &Ask<'_>,
    doctor: &mut Doctor,
) -> Result<Discovery, OAuthError> {
    Search {
        egress,
        ask,
        doctor,
    }
    .run()
    .await
    .map_err(|(step, problem)| OAuthError::Discovery { step, problem })
}

type Step<T> = Result<T, (What, Problem)>;

struct Search<'a> {
    egress: &'a Egress,
    ask: &'a Ask<'a>,
    doctor: &'a mut Doctor,
}

impl Search<'_> {
    async fn run(&mut self) -> Step<Discovery> {
        if let Err(why) = address::check_server(self.ask.server) {
            return self.fail(
                What::Challenge,
                None,
                Problem::BadAddress {
                    field: "server",
                    why,
                },
            );
        }
        match self.ask.challenge {
            Some(challenge) if challenge.malformed => {
                self.doctor
                    .failed(What::Challenge, None, Problem::UnreadableChallenge);
            }
            Some(_) => self.doctor.ok(What::Challenge, None),
            None => self.doctor.skipped(What::Challenge, None),
        }
        let discovery = match self.resource_document().await? {
            Some(document) => self.of_document(document).await?,
            None if self.ask.legacy_approved => self.legacy().await?,
            None => return self.fail(What::ResourceMetadata, None, Problem::NoResourceMetadata),
        };
        Ok(discovery)
    }

    /// The server's metadata: where the challenge says, else at the well-known places. `None` if
    /// there is none.
    async fn resource_document(&mut self) -> Step<Option<ResourceDocument>> {
        let server = self.ask.server;
        let Some(named) = self
            .ask
            .challenge
            .and_then(|challenge| challenge.resource_metadata.as_deref())
        else {
            return self
                .search(
                    What::ResourceMetadata,
                    well_known::of_resource(server),
                    &Reach::Typed,
                )
                .await;
        };
        let url = match address::check(named, server) {
            Ok(url) if address::same_origin(&url, server) => url,
            Ok(url) => {
                return self.fail(
                    What::ResourceMetadata,
                    Some(&url),
                    Problem::ForeignResourceMetadata,
                );
            }
            Err(why) => {
                return self.fail(
                    What::ResourceMetadata,
                    None,
                    Problem::BadAddress {
                        field: "resource_metadata",
                        why,
                    },
                );
            }
        };
        match self
            .search(What::ResourceMetadata, vec![url], &Reach::Typed)
            .await?
        {
            Some(document) => Ok(Some(document)),
            // Named and not there is not the same as never named: nothing else is guessed.
            None => self.fail(What::ResourceMetadata, None, Problem::NoResourceMetadata),
        }
    }

    async fn of_document(&mut self, document: ResourceDocument) -> Step<Discovery> {
        let covered = Url::parse(&document.resource)
            .is_ok_and(|resource| address::covers(&resource, self.ask.server));
        if !covered || document.resource.contains('#') {
            let resource = ServerText::new(&document.resource);
            return self.fail(What::Resource, None, Problem::OtherResource { resource });
        }
        self.doctor.ok(What::Resource, None);
        let scopes = scopes::accept(
            document
                .scopes_supported
                .iter()
                .flatten()
                .map(String::as_str),
        );
        let resource = Resource {
            name: document.resource,
            scopes,
        };

        let named = document.authorization_servers.unwrap_or_default();
        let earlier = self.ask.earlier_issuer.and_then(|earlier| {
            named
                .iter()
                .take(MOST_SERVERS)
                .find(|issuer| *issuer == earlier)
        });
        let Some(issuer) = earlier.or(named.first()) else {
            return self.fail(
                What::AuthorizationServer,
                None,
                Problem::NoAuthorizationServer,
            );
        };
        let url = match issuer_address(issuer, self.ask.server) {
            Ok(url) => url,
            Err(why) => {
                return self.fail(
                    What::AuthorizationServer,
                    None,
                    Problem::BadAddress {
                        field: "authorization_servers",
                        why,
                    },
                );
            }
        };
        self.doctor.ok(What::AuthorizationServer, Some(&url));
        let reach = Reach::Told {
            typed: self.ask.server.clone(),
        };
        let Some(metadata) = self
            .search::<ServerDocument>(What::ServerMetadata, well_known::of_issuer(&url), &reach)
            .await?
        else {
            return self.fail(What::ServerMetadata, None, Problem::NoServerMetadata);
        };
        // As text, never as addresses: another spelling is another issuer.
        if metadata.issuer != *issuer {
            return self.fail(
                What::Issuer,
                None,
                Problem::OtherIssuer {
                    found: ServerText::new(&metadata.issuer),
                },
            );
        }
        self.doctor.ok(What::Issuer, Some(&url));
        self.finish(&resource, &url, metadata, Source::Metadata)
    }

    /// Revision 2025-03-26: the authorization server is at the server's own origin, with metadata
    /// or without.
    async fn legacy(&mut self) -> Step<Discovery> {
        let resource = Resource {
            name: address::canonical(self.ask.server),
            scopes: Vec::new(),
        };
        let mut origin = self.ask.server.clone();
        origin.set_query(None);
        origin.set_path("/");
        let mut places = well_known::of_issuer(&origin);
        places.truncate(1);
        let Some(metadata) = self
            .search::<ServerDocument>(What::ServerMetadata, places, &Reach::Typed)
            .await?
        else {
            self.doctor.ok(What::Endpoints, None);
            return Ok(Discovery::legacy_defaults(self.ask.server, &resource));
        };
        // That revision names no issuer beforehand; what can be asked of it is that it stays at
        // home.
        let issuer = issuer_address(&metadata.issuer, self.ask.server)
            .ok()
            .filter(|issuer| address::same_origin(issuer, &origin));
        let Some(issuer) = issuer else {
            return self.fail(
                What::Issuer,
                None,
                Problem::OtherIssuer {
                    found: ServerText::new(&metadata.issuer),
                },
            );
        };
        self.doctor.ok(What::Issuer, Some(&issuer));
        self.finish(&resource, &issuer, metadata, Source::LegacyMetadata)
    }

    fn finish(
        &mut self,
        resource: &Resource,
        issuer: &Url,
        metadata: ServerDocument,
        source: Source,
    ) -> Step<Discovery> {
        let proof_keys = metadata
            .code_challenge_methods_supported
            .iter()
            .flatten()
            .any(|method| method == "S256");
        let discovery = match Discovery::of(self.ask, resource, issuer, metadata, source) {
            Ok(discovery) => discovery,
            Err(problem) => return self.fail(What::Endpoints, None, problem),
        };
        if self.ask.way == Way::Machine {
            self.doctor.ok(What::Endpoints, None);
            self.doctor.skipped(What::ProofKey, None);
            return Ok(discovery);
        }
        if discovery.authorization_endpoint.is_none() {
            return self.fail(
                What::Endpoints,
                None,
                Problem::MissingEndpoint {
                    field: "authorization_endpoint",
                },
            );
        }
        self.doctor.ok(What::Endpoints, None);
        if !proof_keys && !self.ask.missing_proof_key_approved {
            return self.fail(What::ProofKey, None, Problem::NoProofKey);
        }
        self.doctor.ok(What::ProofKey, None);
        Ok(discovery)
    }

    /// Looks at one place after the other. `None` if there is nothing at any of them.
    async fn search<T: DeserializeOwned>(
        &mut self,
        what: What,
        places: Vec<Url>,
        reach: &Reach,
    ) -> Step<Option<T>> {
        let mut first_problem = None;
        for place in places {
            match fetch(self.egress, &place, reach.clone()).await {
                Ok(Found::Document(document)) => {
                    self.doctor.ok(what, Some(&place));
                    return Ok(Some(document));
                }
                Ok(Found::Nothing) => self.doctor.skipped(what, Some(&place)),
                Ok(Found::Other(problem)) => {
                    let problem = self.doctor.failed(what, Some(&place), problem);
                    first_problem.get_or_insert(problem);
                }
                Err(problem) => return self.fail(what, Some(&place), problem),
            }
        }
        match first_problem {
            // Noted already, at its place.
            Some(problem) => Err((what, problem)),
            None => Ok(None),
        }
    }

    fn fail<T>(&mut self, what: What, url: Option<&Url>, problem: Problem) -> Step<T> {
        Err((what, self.doctor.failed(what, url, problem)))
    }
}

/// An issuer is an address without a query (RFC 8414, section 2).
fn issuer_address(text: &str, server: &Url) -> Result<Url, BadAddress> {
    let url = address::check(text, server)?;
    if url.query().is_some() {
        Err(BadAddress::Character)
    } else {
        Ok(url)
    }
}
