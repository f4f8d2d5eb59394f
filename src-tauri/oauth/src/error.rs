//! What can go wrong while signing in.

use crate::{BadAddress, Problem, ServerText, What};
use egress::EgressError;
use std::{io, time::Duration};

/// Why there is no token. Words of servers are [`ServerText`], to be shown as quotations.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OAuthError {
    /// Discovery stopped. The doctor's report holds the steps before it.
    #[error("{problem}")]
    Discovery {
        /// Where it stopped.
        step: What,
        /// Why.
        problem: Problem,
    },
    /// The authorization server refused to register this application.
    #[error("the authorization server did not register this application: {error}")]
    RegistrationRefused {
        /// The error's code.
        error: ServerText,
        /// In its words.
        description: Option<ServerText>,
    },
    /// There is no way to register: the person has to enter a client id.
    #[error(
        "the authorization server at {issuer} registers no applications by itself: a client id is needed"
    )]
    ClientIdNeeded {
        /// Who would have to give it out.
        issuer: String,
    },
    /// The client belongs to another authorization server and is not shown to this one.
    #[error("this client id belongs to {registered_with}, not to {issuer}")]
    OtherAuthorizationServer {
        /// Who gave it out.
        registered_with: String,
        /// Who would have seen it.
        issuer: String,
    },
    /// The client proves itself in a way that cannot be used here.
    #[error("the authorization server does not accept {method}")]
    MethodNotOffered {
        /// The way.
        method: &'static str,
    },
    /// The private key cannot be used.
    #[cfg(feature = "enterprise")]
    #[error("the private key cannot be used: {problem}")]
    BadKey {
        /// Why.
        problem: &'static str,
    },
    /// An address that was to be used is not one.
    #[error("the address {field} cannot be used: {why}")]
    BadAddress {
        /// Which address.
        field: &'static str,
        /// Why.
        why: BadAddress,
    },
    /// The authorization server has no page to sign in at.
    #[error("the authorization server has no page to sign in at")]
    NoPage,
    /// The person, or the authorization server, said no.
    #[error("the sign-in was not allowed: {error}")]
    Declined {
        /// The error's code.
        error: ServerText,
        /// In the server's words.
        description: Option<ServerText>,
    },
    /// The way back names another authorization server. Nothing of what it said is kept.
    #[error("the answer came from another authorization server than the one that was asked")]
    OtherIssuer,
    /// The way back does not name the authorization server, though it always should.
    #[error("the answer does not say which authorization server it came from")]
    NoIssuer,
    /// The way back holds neither a code nor an error, or one of them twice.
    #[error("the answer of the authorization server cannot be read")]
    UnreadableAnswer,
    /// What was pasted does not belong to this sign-in.
    #[error("this address does not belong to this sign-in")]
    NotOurs,
    /// The person did not come back in time.
    #[error("nobody came back from the browser within {} s", after.as_secs())]
    TimedOut {
        /// How long was waited.
        after: Duration,
    },
    /// No port to come back to.
    #[error("the way back from the browser cannot be opened")]
    NoListener {
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The authorization server gave no token.
    #[error("the authorization server gave no token: {error}")]
    TokenRefused {
        /// The error's code.
        error: ServerText,
        /// In its words.
        description: Option<ServerText>,
    },
    /// The sign-in is over: the person has to sign in again.
    #[error("the sign-in has ended; sign in again")]
    SignedOut,
    /// The authorization server does not know this client, or not any more, or does not believe its
    /// proof. One that was registered by itself is registered again.
    #[error("the authorization server does not accept this application's client id or its proof")]
    ClientRefused,
    /// The token endpoint redirects. What was sent there is sent nowhere else.
    #[error("the token endpoint redirects to another place; nothing was sent there")]
    TokenRedirected,
    /// The answer is not a token that can be used.
    #[error("the answer of the token endpoint cannot be used: {problem}")]
    BadToken {
        /// Why.
        problem: &'static str,
    },
    /// A credential was asked for another server than its own.
    #[error("this token is not for that address")]
    OtherServer,
    /// A kept record cannot be read.
    #[error("the kept sign-in cannot be read")]
    BadRecord,
    /// The way out failed.
    #[error(transparent)]
    Egress(#[from] EgressError),
}

impl OAuthError {
    /// A stable word for machines: the window branches on it, never on the sentence.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Discovery { .. } => "discovery",
            Self::RegistrationRefused { .. } => "registration_refused",
            Self::ClientIdNeeded { .. } => "client_id_needed",
            Self::OtherAuthorizationServer { .. } => "other_authorization_server",
            Self::MethodNotOffered { .. } => "method_not_offered",
            #[cfg(feature = "enterprise")]
            Self::BadKey { .. } => "bad_key",
            Self::BadAddress { .. } => "bad_address",
            Self::NoPage => "no_page",
            Self::Declined { .. } => "declined",
            Self::OtherIssuer => "other_issuer",
            Self::NoIssuer => "no_issuer",
            Self::UnreadableAnswer => "unreadable_answer",
            Self::NotOurs => "not_ours",
            Self::TimedOut { .. } => "timed_out",
            Self::NoListener { .. } => "no_listener",
            Self::TokenRefused { .. } => "token_refused",
            Self::SignedOut => "signed_out",
            Self::ClientRefused => "client_refused",
            Self::TokenRedirected => "token_redirected",
            Self::BadToken { .. } => "bad_token",
            Self::OtherServer => "other_server",
            Self::BadRecord => "bad_record",
            Self::Egress(_) => "egress",
        }
    }
}
