//! What servers say about being signed in or not, noted for whoever looks.

use crate::Servers;
use api::{ErrorCode, HostError};
use connections::ConnectionError;
use egress::{HeaderMap, HeaderValue, StatusCode, header};
use oauth::Challenge;
use protocol::{Launch, ServerId};

/// Notes that a server wants a sign-in, or more rights than were given.
pub fn note_refusal(servers: &Servers, id: &ServerId, error: &ConnectionError) {
    if let ConnectionError::NeedsSignIn { status, challenge } = error
        && let Some(challenge) = read(*status, challenge)
    {
        note(servers, id, *status, challenge, None);
    }
}

/// Notes that a server is content with who we are.
pub fn note_welcome(servers: &Servers, id: &ServerId) {
    // Whoever calls this tells of the server anyway.
    let _ = servers.registry().change(id, |now| {
        now.sign_in.wanted = None;
        now.sign_in.failed = None;
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

/// Notes what a server says with a refusal. If it was only the keyring that gave no token
/// (`locked`), another sign-in is not what is needed.
pub(super) fn note(
    servers: &Servers,
    id: &ServerId,
    status: u16,
    challenge: Challenge,
    locked: Option<HostError>,
) {
    // A refusal that no other token would change is none of ours.
    if status != 401 && !challenge.wants_more_scope() {
        return;
    }
    let scopes = challenge
        .scopes
        .iter()
        .map(|scope| servers.secrets().masked(scope))
        .collect();
    let changed = servers.registry().change(id, |now| {
        if !matches!(now.row.launch, Launch::Http(_)) {
            return false;
        }
        let before = now.sign_in.state();
        now.sign_in.challenge = Some(challenge);
        now.sign_in.wanted = Some(scopes);
        // The same refusal is noted more than once, and only the first time it is known why.
        let known = now.sign_in.failed.take().filter(|(error, _)| {
            matches!(
                error.code,
                ErrorCode::KeyringFailed | ErrorCode::KeyringMissing
            )
        });
        now.sign_in.failed = locked
            .map(|error| (error, None))
            .or(known.filter(|_| now.sign_in.held.is_none()));
        now.sign_in.state() != before
    });
    if changed.unwrap_or(false) {
        servers.tell_changed(id);
    }
}
