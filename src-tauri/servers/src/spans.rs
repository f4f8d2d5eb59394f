//! What may be known outside of the starts of servers: `tracing` spans with names of our own
//! (`host.server.…`).

use api::ErrorCode;
use protocol::ServerId;
use tracing::{Span, info_span};

/// The span of the start of a server.
pub fn start(server: &ServerId) -> Span {
    info_span!(target: "telemetry", "host.server.start", host.server = server.as_str())
}

/// A server is started again by itself.
pub(crate) fn restarted(server: &ServerId, cause: ErrorCode) {
    drop(
        info_span!(target: "telemetry", "host.server.restart", host.server = server.as_str(), host.restart.cause = cause.word()),
    );
}
