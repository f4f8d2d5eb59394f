//! Makes what went wrong below into a code and a sentence. The only place where errors of
//! other rooms are read.

use api::{ErrorCode, HostError};
use connections::ConnectionError;
use egress::EgressError;
use inspect::Masker;
use policy::Refusal;
use protocol::ServerId;
use serde_json::Value;

/// An error that is found here.
pub fn host(code: ErrorCode, message: impl Into<String>) -> HostError {
    HostError::of(code, message)
}

/// A call that was not allowed.
pub fn refused(refusal: Refusal) -> HostError {
    let code = match refusal {
        // Nobody's decisions, and there is something to be done about them.
        Refusal::DiskFull => ErrorCode::DiskFull,
        Refusal::DatabaseLocked => ErrorCode::DatabaseLocked,
        _ => ErrorCode::Refused,
    };
    HostError {
        refusal: Some(refusal.clone()),
        ..host(code, refusal.to_string())
    }
}

/// A change to which somebody who was asked said no, and what stays as it is therefore. What kept
/// them from being asked is no denial.
pub fn change_denied(refusal: Refusal, stays: &str) -> HostError {
    match refusal {
        Refusal::DeniedByPerson { .. } | Refusal::DeniedByToken { .. } => HostError {
            refusal: Some(refusal.clone()),
            ..host(ErrorCode::ChangeDenied, format!("{refusal}; {stays}"))
        },
        refusal => refused(refusal),
    }
}

/// Why something does not run that could not be written down.
pub fn unwritten(error: &HostError) -> Refusal {
    match error.code {
        ErrorCode::DiskFull => Refusal::DiskFull,
        ErrorCode::DatabaseLocked => Refusal::DatabaseLocked,
        _ => Refusal::NoTrace,
    }
}

/// A call that was made and whose result is kept back.
pub fn withheld(refusal: Refusal) -> HostError {
    let message = format!("the call was carried out, and its result is kept back: {refusal}");
    HostError {
        refusal: Some(refusal),
        ..host(ErrorCode::Withheld, message)
    }
}

/// A refusal without values of secrets: problems of arguments quote the arguments, and people quote
/// anything.
pub fn masked_refusal(refusal: Refusal, masker: &Masker) -> Refusal {
    let mask = |text: String| masker.masked(text);
    match refusal {
        Refusal::ArgumentsInvalid { problems } => Refusal::ArgumentsInvalid {
            problems: problems.into_iter().map(mask).collect(),
        },
        Refusal::SchemaUnusable { problem } => Refusal::SchemaUnusable {
            problem: mask(problem),
        },
        Refusal::OutsideFolders { path } => Refusal::OutsideFolders { path: mask(path) },
        Refusal::DeniedByPerson { reason } => Refusal::DeniedByPerson {
            reason: reason.map(mask),
        },
        Refusal::DeniedByToken { reason } => Refusal::DeniedByToken {
            reason: reason.map(mask),
        },
        Refusal::DeniedEarlier { grant, reason } => Refusal::DeniedEarlier {
            grant,
            reason: reason.map(mask),
        },
        Refusal::Forbidden { rules, by, reason } => Refusal::Forbidden {
            rules,
            by,
            reason: reason.map(mask),
        },
        other => other,
    }
}

/// What went wrong on the way to the service of a model. Nothing that the service says is in it.
pub fn model_service(problem: &EgressError) -> HostError {
    let code = match problem {
        EgressError::BadUrl { .. } | EgressError::BadHeader { .. } => ErrorCode::BadUrl,
        EgressError::Forbidden { .. } => ErrorCode::AddressForbidden,
        EgressError::Tls { .. }
        | EgressError::BadIdentity { .. }
        | EgressError::BadAuthority { .. } => ErrorCode::BadCertificate,
        EgressError::Redirected { .. } | EgressError::TooManyRedirects { .. } => {
            ErrorCode::Redirected
        }
        EgressError::TimedOut { .. } => ErrorCode::TimedOut,
        EgressError::TooLong { .. } => ErrorCode::MessageTooLong,
        EgressError::ProxyFailed { .. } => ErrorCode::ProxyFailed,
        _ => ErrorCode::Unreachable,
    };
    host(code, format!("the service of the model: {problem}"))
}

/// What the service of a model means by an HTTP status that is no success.
pub fn model_status(status: u16) -> HostError {
    let code = match status {
        // Followed nowhere: the key stays with the origin that it was given for.
        300..=399 => ErrorCode::Redirected,
        401 | 403 => ErrorCode::ModelKeyRefused,
        402 | 429 => ErrorCode::ModelQuotaSpent,
        408 | 500..=599 => ErrorCode::ModelServiceFailed,
        _ => ErrorCode::NotAModelService,
    };
    host(
        code,
        format!("the service of the model answered with HTTP status {status}"),
    )
}

/// What went wrong with a server. Texts that come from it are masked.
pub fn connection(server: &ServerId, error: &ConnectionError, masker: &Masker) -> HostError {
    let code = match error {
        // As every other change of what was approved.
        ConnectionError::ToolChanged => return refused(Refusal::Quarantined),
        ConnectionError::CommandNotFound { .. } => ErrorCode::CommandNotFound,
        ConnectionError::NotExecutable { .. } => ErrorCode::NotExecutable,
        ConnectionError::NotConfined { .. } => ErrorCode::NotConfined,
        ConnectionError::NoWorkingDirectory { .. } => ErrorCode::NoWorkingDirectory,
        ConnectionError::JailMissing { .. } => ErrorCode::ProgramIncomplete,
        ConnectionError::ExitedAtStart { .. } => ErrorCode::ExitedAtStart,
        ConnectionError::StartTimedOut { .. } => ErrorCode::StartTimedOut,
        ConnectionError::NotProtocol { .. } => ErrorCode::NotProtocol,
        ConnectionError::Unreachable { .. } => ErrorCode::Unreachable,
        ConnectionError::NeedsSignIn { status: 403, .. } => ErrorCode::NeedsMoreRights,
        ConnectionError::NeedsSignIn { .. } => ErrorCode::NeedsSignIn,
        ConnectionError::BadCertificate { .. } => ErrorCode::BadCertificate,
        ConnectionError::AddressForbidden { .. } => ErrorCode::AddressForbidden,
        ConnectionError::Redirected { .. } => ErrorCode::Redirected,
        ConnectionError::ProxyFailed { .. } => ErrorCode::ProxyFailed,
        ConnectionError::SessionLost => ErrorCode::SessionLost,
        ConnectionError::RevisionUnknown { .. } => ErrorCode::RevisionUnknown,
        ConnectionError::NotOffered { .. } => ErrorCode::NotOffered,
        ConnectionError::TooManyRounds { .. } => ErrorCode::TooManyRounds,
        ConnectionError::TaskLost { .. } => ErrorCode::TaskLost,
        ConnectionError::NotGiven { .. } => ErrorCode::InputDeclined,
        ConnectionError::Endless { .. } => ErrorCode::ListEndless,
        ConnectionError::HttpStatus { .. } => ErrorCode::HttpStatus,
        ConnectionError::BadUrl { .. } => ErrorCode::BadUrl,
        ConnectionError::ConnectionLost { .. } => ErrorCode::ConnectionLost,
        ConnectionError::TimedOut { .. } => ErrorCode::TimedOut,
        ConnectionError::MessageTooLong { .. } | ConnectionError::Oversized { .. } => {
            ErrorCode::MessageTooLong
        }
        ConnectionError::ListTooLarge { .. } => ErrorCode::ListTooLarge,
        ConnectionError::Server { code: -32002, .. } => ErrorCode::UnknownResource,
        ConnectionError::Server {
            code: -32021,
            data: Some(data),
            ..
        } if data
            .pointer("/requiredCapabilities/sampling")
            .is_some_and(Value::is_object) =>
        {
            ErrorCode::NeedsModel
        }
        ConnectionError::Server { .. } | ConnectionError::Unreadable { .. } => {
            ErrorCode::ServerError
        }
        ConnectionError::Cancelled => ErrorCode::Cancelled,
    };
    let message = error.to_string();
    let message = masker.masked(message);
    host(code, format!("{server}: {message}"))
}
