//! The servers that are shipped inside the program: a first thing to try, without a network or
//! anything to install.
//!
//! Always true here:
//! - they run as child processes like everyone else's servers, and are asked about like everyone
//!   else's;
//! - they need no network, no file and no setting, and answer the same to the same question;
//! - they end when their standard input does.

mod currency;
mod serve;
mod shipping;
mod tool;

pub use serve::{BuiltinError, serve};

/// The names of the servers.
pub const NAMES: [&str; 2] = ["currency", "shipping"];
