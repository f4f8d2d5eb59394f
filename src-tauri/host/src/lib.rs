//! Puts the rooms together: opens and closes them, and does what surfaces ask for. Surfaces know
//! how to ask and how to show; this crate does.
//!
//! Always true here:
//! - every request, from whatever surface, comes in through [`Host::handle`];
//! - no surface is known: no window, no terminal, no HTTP serving;
//! - what lets more happen needs a person's word.

mod chat;
mod commands;
mod host;
mod models;
mod options;
mod power;
mod qr;
mod requests;
mod rooms;
mod router;
mod run_to_completion;
mod snapshot;
mod telemetry;
mod workspaces;

pub use ::telemetry::Telemetry;
pub use api;
pub use api::{ErrorCode, HostError};
pub use calls::{
    Admitted, ClientAbilities, ClientAsk, ClientRoute, Clients, NotAnswered, REPEATS,
    REPEATS_WITHIN, RouteGuard,
};
pub use connections::{Limits, Watch};
pub use host::Host;
pub use options::{KeyringChoice, Options, Proxy, default_data_dir, log_dir};
pub use policy::language as rule_language;
pub use qr::qr_blocks;
pub use servers::{
    Approver, Browser, Clock, Folders, Follower, NotHeard, Os, Programs, Restart, Setup,
    StartServers, Surface,
};
pub use store::{
    Door, Note, check_anchor_dir, export_anchor_dir, is_full, verify_dir, write_private,
};

/// Text of strangers with everything in it visible, for surfaces that cannot show it otherwise.
pub fn visible(text: &str) -> String {
    inspect::reveal(text).map_or_else(|| text.to_owned(), |(shown, _)| shown)
}
