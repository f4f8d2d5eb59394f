//! Why a sign-in failed: every step as it was taken, and what to do about the one that did not
//! work.
//!
//! Always true here: a report is filled in order and also when the sign-in fails, and it holds no
//! secret.

use crate::{BadAddress, ServerText};
use egress::EgressError;
use serde::Serialize;
use url::Url;

/// What was tried for one sign-in, in order.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct Doctor {
    steps: Vec<Step>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What was tried.
    pub what: What,
    /// Where, if it was at one place; without a query.
    pub url: Option<Url>,
    /// What came of it.
    pub outcome: Outcome,
}

/// The steps of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Reading why the server turned the request away.
    Challenge,
    /// Fetching the server's metadata (RFC 9728).
    ResourceMetadata,
    /// Comparing the server that the metadata speaks of with the one that was asked.
    Resource,
    /// Choosing the authorization server.
    AuthorizationServer,
    /// Fetching the authorization server's metadata (RFC 8414, OpenID Connect).
    ServerMetadata,
    /// Comparing the name that the authorization server gives itself.
    Issuer,
    /// Checking the addresses that the authorization server names.
    Endpoints,
    /// Looking for proof keys (PKCE).
    ProofKey,
    /// Getting an id for this application.
    Registration,
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Outcome {
    /// It worked.
    Ok,
    /// It did not apply, or nothing was there and the next place was tried.
    Skipped,
    /// It did not work.
    Failed {
        /// Why.
        problem: Problem,
    },
}

/// Why a step did not work. The sentence ends in what a person can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "code")]
#[non_exhaustive]
pub enum Problem {
    /// A header that could not be read whole.
    #[error(
        "The server's request to sign in cannot be read whole. Tell whoever runs the server; the sign-in goes on without it."
    )]
    UnreadableChallenge,
    /// No connection.
    #[error("It cannot be reached ({why}). Look at the network, the proxy and the address.")]
    Unreachable {
        /// What happened.
        why: String,
    },
    /// A certificate that was not accepted.
    #[error(
        "There is no secure connection ({why}). Add the authority of your organization if it is one of its servers."
    )]
    Certificate {
        /// What is wrong with it.
        why: String,
    },
    /// No answer, or not all of it, in time.
    #[error("It did not answer in time. Look at the network, and try again later.")]
    TimedOut,
    /// A document that is too long to be read.
    #[error(
        "The document there is too long ({limit} bytes are read). Tell whoever runs the server."
    )]
    TooLong {
        /// The most that is read, in bytes.
        limit: usize,
    },
    /// An address nearer than the server itself, or one where no server can be.
    #[error(
        "The server names the address {host}, which a server may not send us to. Do not sign in; tell whoever runs the server."
    )]
    Forbidden {
        /// The host.
        host: String,
    },
    /// A redirect that is not followed.
    #[error("It redirects to another place, which is not followed. Tell whoever runs the server.")]
    Redirected,
    /// A status that means neither "here it is" nor "not here".
    #[error("It answered with status {status}. Try again later, or tell whoever runs the server.")]
    Status {
        /// The status.
        status: u16,
    },
    /// Not the document that is expected there.
    #[error("The document there cannot be read ({why}). Tell whoever runs the server.")]
    Unreadable {
        /// What is wrong with it.
        why: ServerText,
    },
    /// Nothing at any of the places.
    #[error(
        "The server does not say how to sign in. Look at the address; an older server may be tried in the older way."
    )]
    NoResourceMetadata,
    /// The server sends us to another origin for its own metadata.
    #[error(
        "The server keeps its metadata at another address than its own. Do not sign in; tell whoever runs the server."
    )]
    ForeignResourceMetadata,
    /// The metadata speaks of another server.
    #[error(
        "The metadata speaks of another server ({resource}). Look at the address; do not sign in."
    )]
    OtherResource {
        /// The server it speaks of.
        resource: ServerText,
    },
    /// No authorization server is named.
    #[error("The server names no place to sign in at. Tell whoever runs the server.")]
    NoAuthorizationServer,
    /// An address that cannot be used.
    #[error(
        "The address {field} cannot be used: {why}. Do not sign in; tell whoever runs the server."
    )]
    BadAddress {
        /// Which of the addresses.
        field: &'static str,
        /// Why.
        why: BadAddress,
    },
    /// Nothing at any of the places.
    #[error("The authorization server does not say how it works. Tell whoever runs it.")]
    NoServerMetadata,
    /// The authorization server gives itself another name.
    #[error("The authorization server calls itself {found}. Do not sign in; tell whoever runs it.")]
    OtherIssuer {
        /// The name it gives itself.
        found: ServerText,
    },
    /// Addresses of other origins than the authorization server, that the person did not approve.
    /// All of them, so that the person is asked once.
    #[error("The authorization server uses addresses elsewhere ({}). Go on only if you know that they belong together.", origins.join(", "))]
    ForeignEndpoints {
        /// Their origins.
        origins: Vec<String>,
    },
    /// An address that is needed is not named.
    #[error("The authorization server does not name its {field}. Tell whoever runs it.")]
    MissingEndpoint {
        /// Which of the addresses.
        field: &'static str,
    },
    /// Proof keys are not advertised.
    #[error(
        "The authorization server does not say that it protects a sign-in with proof keys. Go on only if you know it."
    )]
    NoProofKey,
    /// The authorization server refused to register this application.
    #[error(
        "The authorization server did not register this application ({why}). Ask whoever runs it for a client id."
    )]
    RegistrationRefused {
        /// In its words.
        why: ServerText,
    },
    /// The authorization server registers nobody by itself.
    #[error(
        "The authorization server registers no applications by itself. Ask whoever runs it for a client id, and enter it."
    )]
    ClientIdNeeded,
    /// The client id belongs to another authorization server.
    #[error(
        "Your client id belongs to {registered_with}, and the server now signs in elsewhere. Do not sign in unless you expect that."
    )]
    OtherAuthorizationServer {
        /// The issuer it was given out by.
        registered_with: String,
    },
}

impl Doctor {
    /// An empty report.
    pub fn new() -> Self {
        Self::default()
    }

    /// The steps so far, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The last problem, if the last step ended in one.
    pub fn problem(&self) -> Option<&Problem> {
        match &self.steps.last()?.outcome {
            Outcome::Failed { problem } => Some(problem),
            _ => None,
        }
    }

    pub(crate) fn ok(&mut self, what: What, url: Option<&Url>) {
        self.note(what, url, Outcome::Ok);
    }

    pub(crate) fn skipped(&mut self, what: What, url: Option<&Url>) {
        self.note(what, url, Outcome::Skipped);
    }

    /// Notes a problem and hands it back, so that it can be returned in the same breath.
    pub(crate) fn failed(&mut self, what: What, url: Option<&Url>, problem: Problem) -> Problem {
        self.note(
            what,
            url,
            Outcome::Failed {
                problem: problem.clone(),
            },
        );
        problem
    }

    fn note(&mut self, what: What, url: Option<&Url>, outcome: Outcome) {
        let mut url = url.cloned();
        if let Some(url) = &mut url {
            // A person's address of a server may hold a key in its query.
            url.set_query(None);
        }
        self.steps.push(Step { what, url, outcome });
    }
}

impl From<EgressError> for Problem {
    fn from(error: EgressError) -> Self {
        match error {
            EgressError::Forbidden { host, .. } => Self::Forbidden { host },
            EgressError::Redirected { .. } | EgressError::TooManyRedirects { .. } => {
                Self::Redirected
            }
            EgressError::TooLong { limit } => Self::TooLong { limit },
            EgressError::TimedOut { .. } => Self::TimedOut,
            EgressError::Tls { .. }
            | EgressError::BadIdentity { .. }
            | EgressError::BadAuthority { .. } => Self::Certificate {
                why: error.to_string(),
            },
            other => Self::Unreachable {
                why: other.to_string(),
            },
        }
    }
}
