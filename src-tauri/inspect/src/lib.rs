//! What a text holds: invisible characters, held secrets, things that look secret, too much of it. Pure and fast.
//!
//! Always true here:
//! - no disk, network or clock, and nothing is remembered between two calls;
//! - a text that comes out holds no value of a held secret, in none of the forms of [`Masker`].

mod bounds;
mod clean;
mod hidden;
mod looks_secret;
mod masker;

pub use clean::clean;
pub use hidden::{has_hidden, reveal};
pub use looks_secret::looks_secret;
pub use masker::{MASK, Masker};
