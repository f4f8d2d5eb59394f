//! What servers say about being signed in or not, noted for whoever looks.

use crate::Host;
use crate::api::{ErrorCode, HostError};
use crate::supervise;
use connections::ConnectionError;
use egress::{HeaderMap, HeaderValue, StatusCode, header};
use oauth::Challenge;
use protocol::{Launch, ServerId};

/// Notes that a server wants a sign-in, or more rights than were given.
pub(crate) fn note_refusal(host: &Host, id: &ServerId, error: &ConnectionError) {
    if let ConnectionError::NeedsSignIn { status, challenge } = error
        && let Some(challenge) = read(*status, challenge)
    {
        note(host, id, *status, challenge, None);
    }
}

/// Notes that a server is content with who we are.
pub(crate) fn note_welcome(host: &Host, id: &ServerId) {
    // Whoever calls this tells of the server anyway.
    let _ = host.kept().with(id, |kept| {
        kept.sign_in.wanted = None;
        kept.sign_in.failed = None;
    });
}

/// Reads what a server says with a refusal.
pub(super) fn read(status: u16, challenge: &[String]) -> Option<Challenge> {
    let mut headers = HeaderMap::new();
    for value in challenge {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.append(header::WWW_AUTHENTICATE, value);
        }
    }
    Challenge::parse(StatusCode::from_u16(status).ok()?, &headers)
}

/// Notes what a server says with a refusal. If it was only the keyring that gave no token (`locked`), another sign-in is not
/// what is needed.
pub(super) fn note(host: &Host, id: &ServerId, status: u16, challenge: Challenge, locked: Option<HostError>) {
    // A refusal that no other token would change is none of ours.
    if status != 401 && !challenge.wants_more_scope() {
        return;
    }
    let scopes = challenge.scopes.iter().map(|scope| host.secrets().masked(scope)).collect();
    let changed = host.kept().with(id, |kept| {
        if !matches!(kept.row.launch, Launch::Http(_)) {
            return false;
        }
        let before = kept.sign_in.state();
        kept.sign_in.challenge = Some(challenge);
        kept.sign_in.wanted = Some(scopes);
        // The same refusal is noted more than once, and only the first time it is known why.
        let known =
            kept.sign_in.failed.take().filter(|(error, _)| matches!(error.code, ErrorCode::KeyringFailed | ErrorCode::KeyringMissing));
        kept.sign_in.failed = locked.map(|error| (error, None)).or(known.filter(|_| kept.sign_in.held.is_none()));
        kept.sign_in.state() != before
    });
    if changed.unwrap_or(false) {
        supervise::tell_changed(host, id);
    }
}
