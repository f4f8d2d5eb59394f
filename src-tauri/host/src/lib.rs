//! The one place where things happen. Surfaces know how to ask and how to show; this crate does.
//!
//! Always true here:
//! - every call of a tool, from whatever surface, goes through `call_tool`;
//! - no surface is known: no window, no terminal, no HTTP serving;
//! - no lock is held while waiting, but the turn in which one server is changed;
//! - what cannot be recorded does not happen.

mod answers;
pub mod api;
mod approver;
mod ask_back;
mod builtins;
mod call_tool;
mod calls;
mod clock;
mod commands;
mod consent;
mod conversations;
mod drafts;
mod era;
mod error;
mod events;
mod exchange;
mod floods;
mod form;
mod grants;
mod held_secrets;
mod host;
mod icons;
mod identity;
mod import;
mod kept;
mod left_over;
mod model;
mod offers;
mod options;
mod past;
mod pendings;
mod permit;
mod pins;
mod places;
mod qr;
mod reconsider;
mod repeats;
mod restart;
mod review;
mod roots;
mod rules;
mod runtime;
mod sign_in;
mod spans;
mod supervise;
mod tasks;
mod touches;
mod traced;
#[cfg(test)]
mod types_test;
mod unknown;
mod way_out;
mod words;
mod workspaces;

pub use api::{ErrorCode, HostError};
pub use approver::Approver;
pub use clock::Clock;
pub use commands::Surface;
pub use connections::Limits;
pub use host::Host;
pub use import::{Folders, Os};
pub use model::{Model, ModelAsk, ModelFailure, ModelReply};
pub use options::{Browser, KeyringChoice, Options, Programs, Proxy, StartServers, default_data_dir, log_dir};
pub use policy::language as rule_language;
pub use qr::qr_blocks;
pub use restart::Restart;
pub use store::{check_anchor_dir, export_anchor_dir, verify_dir};
pub use telemetry::Telemetry;

/// Text of strangers with everything in it visible, for surfaces that cannot show it otherwise.
pub fn visible(text: &str) -> String {
    inspect::reveal(text).map_or_else(|| text.to_owned(), |(shown, _)| shown)
}
