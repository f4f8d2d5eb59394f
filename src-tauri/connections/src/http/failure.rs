//! What the way out says → our errors.

use crate::ConnectionError;
use egress::EgressError;

impl From<EgressError> for ConnectionError {
    fn from(error: EgressError) -> Self {
        match error {
            EgressError::BadUrl { problem } => Self::BadUrl { problem },
            EgressError::BadHeader { name } => Self::BadUrl {
                problem: format!("the header {name:?} belongs to the connection"),
            },
            EgressError::Forbidden { host, why } => Self::AddressForbidden { host, problem: why },
            EgressError::Tls { problem }
            | EgressError::BadIdentity { problem }
            | EgressError::BadAuthority { problem } => Self::BadCertificate { problem },
            EgressError::Redirected { to_origin } => Self::Redirected { origin: to_origin },
            EgressError::TooLong { limit } => Self::MessageTooLong { limit },
            EgressError::ProxyFailed { problem } => Self::ProxyFailed { problem },
            EgressError::Unreachable { problem } => Self::Unreachable { problem },
            other => Self::Unreachable {
                problem: other.to_string(),
            },
        }
    }
}
