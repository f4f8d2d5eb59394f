//! The servers: what is known of each, what runs, and what a person has seen of it.
//!
//! Always true here:
//! - what a person has not reviewed does not run, and what changed since waits for them;
//! - no call of a tool is decided or made, and of a surface nothing is known but [`Surface`]: who
//!   wants something, and on whose word;
//! - no lock is held while waiting, but the turn in which one server is changed;
//! - what cannot be recorded does not happen.

mod activity_rows;
mod applications;
mod approver;
pub mod builtins;
pub mod catalogue;
mod clock;
pub mod confinement;
pub mod confiner;
pub mod connect;
mod core;
mod disk_events;
mod download;
pub mod drafts;
pub mod era;
pub mod error;
mod events;
pub mod folders;
pub mod granted;
pub mod held_secrets;
mod icons;
pub mod identity;
mod idle;
pub mod import;
pub mod masked;
pub mod memory;
mod openable;
pub mod pins;
mod processes;
mod recipient;
pub mod registry;
mod restart;
pub mod review;
pub mod revision;
mod root_watch;
pub mod roots;
pub mod rule_book;
pub mod rules;
pub mod runs;
pub mod schemas;
mod server_egress;
mod servers;
mod setup;
pub mod sign_in;
mod spans;
pub mod supervise;
mod surface;
pub mod tool_lists;
pub mod wire_log;

pub use crate::core::Core;
pub use applications::{Folders, Os};
pub use approver::Approver;
pub use clock::Clock;
pub use events::{Follower, NotHeard};
pub use openable::openable;
pub use registry::ServerNow;
pub use restart::Restart;
pub use servers::{Attendant, Servers, WeakServers};
pub use setup::{Browser, Programs, Setup, StartServers};
pub use surface::Surface;
