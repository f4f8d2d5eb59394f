//! Makes what went wrong while signing in into a code, a sentence and a hint, and says what a
//! person can approve to go on.

use crate::{Servers, error};
use api::{ErrorCode, HostError, SignInApprovals};
use egress::EgressError;
use oauth::{OAuthError, Problem};

/// Why a sign-in did not work.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Signing in itself.
    OAuth(OAuthError),
    /// Something around it.
    Servers(HostError),
}

impl From<OAuthError> for Trouble {
    fn from(error: OAuthError) -> Self {
        Self::OAuth(error)
    }
}

impl From<HostError> for Trouble {
    fn from(error: HostError) -> Self {
        Self::Servers(error)
    }
}

impl Trouble {
    /// As a person is told. Words of servers are in it, and so it is covered.
    pub fn told(&self, servers: &Servers) -> HostError {
        match self {
            Self::OAuth(error) => told(servers, error),
            Self::Servers(error) => error.clone(),
        }
    }

    /// What a person can approve so that the next attempt goes on, besides what was `approved`
    /// already. `named` says whether the server named the place of its metadata.
    pub fn approvable(&self, approved: SignInApprovals, named: bool) -> Option<SignInApprovals> {
        match self {
            Self::OAuth(OAuthError::Discovery { problem, .. }) => match problem {
                Problem::ForeignEndpoints { .. } => Some(SignInApprovals {
                    foreign_endpoints: true,
                    ..approved
                }),
                Problem::NoProofKey => Some(SignInApprovals {
                    without_pkce: true,
                    ..approved
                }),
                // Named and not there is not the same as never named: the older way is not for
                // those.
                Problem::NoResourceMetadata if !named => Some(SignInApprovals {
                    legacy_endpoints: true,
                    ..approved
                }),
                _ => None,
            },
            Self::Servers(HostError {
                code: ErrorCode::KeyringMissing,
                ..
            }) => Some(SignInApprovals {
                without_keyring: true,
                ..approved
            }),
            _ => None,
        }
    }

    /// The origins elsewhere that were met.
    pub fn foreign(&self) -> &[String] {
        match self {
            Self::OAuth(OAuthError::Discovery {
                problem: Problem::ForeignEndpoints { origins },
                ..
            }) => origins,
            _ => &[],
        }
    }
}

/// What went wrong while signing in, as a person is told.
pub(super) fn told(servers: &Servers, problem: &OAuthError) -> HostError {
    let words = match problem {
        OAuthError::RegistrationRefused {
            description: Some(words),
            ..
        }
        | OAuthError::Declined {
            description: Some(words),
            ..
        }
        | OAuthError::TokenRefused {
            description: Some(words),
            ..
        } => format!("{problem} ({words})"),
        _ => problem.to_string(),
    };
    error::host(code(problem), servers.secrets().masked(&words))
}

fn code(problem: &OAuthError) -> ErrorCode {
    match problem {
        OAuthError::Discovery { problem, .. } => discovery(problem),
        OAuthError::RegistrationRefused { .. } => ErrorCode::RegistrationRefused,
        OAuthError::ClientIdNeeded { .. } => ErrorCode::ClientIdNeeded,
        OAuthError::OtherAuthorizationServer { .. } | OAuthError::OtherServer => {
            ErrorCode::SignInMismatch
        }
        OAuthError::BadAddress { .. } | OAuthError::TokenRedirected => ErrorCode::SignInUnsafe,
        OAuthError::NoPage => ErrorCode::SignInNotFound,
        OAuthError::MethodNotOffered { .. }
        | OAuthError::Declined { .. }
        | OAuthError::TokenRefused { .. }
        | OAuthError::ClientRefused
        | OAuthError::BadToken { .. } => ErrorCode::SignInRefused,
        OAuthError::OtherIssuer
        | OAuthError::NoIssuer
        | OAuthError::UnreadableAnswer
        | OAuthError::NotOurs => ErrorCode::SignInForged,
        OAuthError::TimedOut { .. } => ErrorCode::SignInTimedOut,
        OAuthError::NoListener { .. } => ErrorCode::BrowserFailed,
        OAuthError::SignedOut | OAuthError::BadRecord => ErrorCode::SignInExpired,
        OAuthError::Egress(problem) => match problem {
            EgressError::Forbidden { .. }
            | EgressError::BadUrl { .. }
            | EgressError::Redirected { .. } => ErrorCode::SignInUnsafe,
            EgressError::Tls { .. }
            | EgressError::BadIdentity { .. }
            | EgressError::BadAuthority { .. } => ErrorCode::BadCertificate,
            EgressError::ProxyFailed { .. } => ErrorCode::ProxyFailed,
            _ => ErrorCode::Unreachable,
        },
        _ => ErrorCode::Internal,
    }
}

fn discovery(problem: &Problem) -> ErrorCode {
    match problem {
        Problem::Unreachable { .. } | Problem::TimedOut => ErrorCode::Unreachable,
        Problem::Certificate { .. } => ErrorCode::BadCertificate,
        Problem::Forbidden { .. } | Problem::BadAddress { .. } => ErrorCode::SignInUnsafe,
        Problem::ForeignResourceMetadata
        | Problem::OtherResource { .. }
        | Problem::OtherIssuer { .. }
        | Problem::OtherAuthorizationServer { .. } => ErrorCode::SignInMismatch,
        Problem::ForeignEndpoints { .. } => ErrorCode::SignInElsewhere,
        Problem::NoProofKey => ErrorCode::SignInUnprotected,
        Problem::ClientIdNeeded => ErrorCode::ClientIdNeeded,
        Problem::RegistrationRefused { .. } => ErrorCode::RegistrationRefused,
        _ => ErrorCode::SignInNotFound,
    }
}
