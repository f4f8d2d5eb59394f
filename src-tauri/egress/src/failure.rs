//! What the libraries below say → our errors. Their own words are not used: they may hold an
//! address.

use crate::EgressError;
use rustls::{AlertDescription, CertificateError};
use std::error::Error;
use std::io;
use std::time::Duration;

/// What a failed request or a broken body means.
pub(crate) fn failure(error: &reqwest::Error, proxied: bool, connect: Duration) -> EgressError {
    if let Some(problem) = causes(error).find_map(|cause| cause.downcast_ref().map(tls)) {
        return EgressError::Tls {
            problem: problem.to_owned(),
        };
    }
    if error.is_connect() && error.is_timeout() {
        return EgressError::TimedOut { after: connect };
    }
    if proxied && error.is_connect() {
        return EgressError::ProxyFailed {
            problem: proxy(error).unwrap_or_else(|| network(error)).to_owned(),
        };
    }
    EgressError::Unreachable {
        problem: network(error).to_owned(),
    }
}

/// What it means that a connection did not come about, or not through the proxy.
pub(crate) fn no_connection(error: &(dyn Error + 'static), proxied: bool) -> EgressError {
    let problem = kind(error).map_or("there was no connection", words);
    if !proxied {
        return EgressError::Unreachable {
            problem: problem.to_owned(),
        };
    }
    let tls = causes(error).find_map(|cause| cause.downcast_ref().map(tls));
    EgressError::ProxyFailed {
        problem: tls.or(proxy(error)).unwrap_or(problem).to_owned(),
    }
}

/// An error and what caused it, down to the first.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| cause(*error))
}

fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error.downcast_ref::<io::Error>() {
        // What an io::Error wraps is not its source; the source of that is.
        Some(io) => io.get_ref().map(|inner| inner as &(dyn Error + 'static)),
        None => error.source(),
    }
}

/// What the system says, if it says anything.
fn kind(error: &(dyn Error + 'static)) -> Option<io::ErrorKind> {
    causes(error)
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .last()
        .map(io::Error::kind)
}

fn words(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::ConnectionRefused => "nothing answers at this address",
        io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::NetworkDown => "there is no way there",
        io::ErrorKind::AddrNotAvailable => "this name has no address that may be used",
        io::ErrorKind::TimedOut => "the connection went silent",
        _ => "the connection was closed",
    }
}

fn network(error: &reqwest::Error) -> &'static str {
    match kind(error) {
        Some(kind) => words(kind),
        None => match causes(error).find_map(|cause| cause.downcast_ref::<hyper::Error>()) {
            Some(error) if error.is_parse() => "it does not speak HTTP",
            Some(error)
                if error.is_incomplete_message() || error.is_canceled() || error.is_closed() =>
            {
                "the connection was closed"
            }
            _ if error.is_connect() => "there was no connection",
            _ if error.is_body() || error.is_decode() => "the answer broke off",
            _ => "the request failed",
        },
    }
}

/// What the proxy itself says, if it says anything.
fn proxy(error: &(dyn Error + 'static)) -> Option<&'static str> {
    // The tunnel's error has no public type, only these words.
    let words = causes(error)
        .map(ToString::to_string)
        .find(|words| words.starts_with("tunnel error: "))?;
    match words.strip_prefix("tunnel error: ")? {
        "proxy authorization required" => Some("it wants another name and password"),
        "unsuccessful" => Some("it refused to connect there"),
        "unexpected end of file" | "proxy response headers too long" => {
            Some("it does not speak as a proxy does")
        }
        _ => None,
    }
}

fn tls(error: &rustls::Error) -> &'static str {
    match error {
        rustls::Error::InvalidCertificate(error) => certificate(error),
        rustls::Error::AlertReceived(alert) => answered(*alert),
        rustls::Error::InvalidMessage(_) => "it does not speak TLS",
        rustls::Error::PeerIncompatible(_) => "it speaks only kinds of TLS that are no longer safe",
        rustls::Error::NoCertificatesPresented => "the server shows no certificate",
        _ => "the handshake failed",
    }
}

fn certificate(error: &CertificateError) -> &'static str {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the server's certificate has expired"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the server's certificate is not valid yet; is this computer's clock right?"
        }
        CertificateError::UnknownIssuer => {
            "the server's certificate is from an authority that this computer does not trust"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "the server's certificate is for another name"
        }
        CertificateError::Revoked => "the server's certificate was revoked",
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "the server's certificate is not one for servers"
        }
        CertificateError::BadEncoding | CertificateError::BadSignature => {
            "the server's certificate is damaged or forged"
        }
        _ => "the server's certificate was not accepted",
    }
}

/// What the server says about us.
fn answered(alert: AlertDescription) -> &'static str {
    match alert {
        AlertDescription::CertificateRequired | AlertDescription::NoCertificate => {
            "the server wants a client certificate"
        }
        AlertDescription::BadCertificate
        | AlertDescription::UnsupportedCertificate
        | AlertDescription::CertificateRevoked
        | AlertDescription::CertificateExpired
        | AlertDescription::CertificateUnknown
        | AlertDescription::UnknownCA
        | AlertDescription::AccessDenied => "the server does not accept our client certificate",
        AlertDescription::HandshakeFailure => {
            "the server ended the handshake; it may want a client certificate"
        }
        AlertDescription::ProtocolVersion => "it speaks only kinds of TLS that are no longer safe",
        AlertDescription::UnrecognisedName => "the server does not know this name",
        _ => "the server ended the handshake",
    }
}
