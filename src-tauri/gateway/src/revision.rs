//! The revisions of the protocol that are spoken with clients.

use serde_json::{Value, json};

/// The revision in which every request says which one it is of.
pub(crate) const MODERN: &str = "2026-07-28";

/// The revisions that begin with a handshake, newest first.
pub(crate) const WITH_HANDSHAKE: [&str; 4] =
    ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The revision of a conversation that begins with a handshake, for a client that wants this one.
pub(crate) fn negotiated(wanted: &str) -> &'static str {
    let known = WITH_HANDSHAKE.into_iter().find(|known| *known == wanted);
    known.unwrap_or(WITH_HANDSHAKE[0])
}

/// What is said of the revisions to who wants another one.
pub(crate) fn supported(requested: &str) -> Value {
    json!({"supported": [MODERN], "requested": requested})
}
