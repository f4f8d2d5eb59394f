//! Has other applications come in by the gateway: writes the one entry into their configurations
//! that starts `majordomoctl bridge`, and takes it out again.
//!
//! Always true here:
//! - no file is written but that of an application as `target::targets` has it, and none of a project;
//! - what is written was shown before, to the byte, and a file that is not as it was then is left
//!   alone;
//! - what a file held before is kept for the person first, and comes back byte for byte if nobody
//!   has changed the file since;
//! - a file that cannot be read, or kept in its form, stays as it is;
//! - no token is in an entry: it names a client, and the host knows who may come in.

mod bypass;
mod connection;
mod difference;
mod disconnection;
mod document;
#[cfg(test)]
mod document_test;
mod entry;
mod file;
mod plan;
mod record;
mod state;
mod target;

pub use bypass::{bypasses, check_leads_elsewhere};
pub use connection::{Wanted, connection};
pub use disconnection::disconnection;
pub use plan::Planned;
pub use record::client_of;
pub use state::{Client, applications, view};
pub use target::name;
