//! The way to the services of models. Nothing else in this program has a key of one.
//!
//! Always true here:
//! - a key is put in at the last moment, and goes to the origin that it was given for and nowhere
//!   else: no redirect is followed;
//! - nothing leaves but through `egress`, by its rules; plain `http:` to a private network only
//!   where the person chose that for this very model;
//! - what a service says is bounded, and what it says that went wrong is not repeated.

mod line;
mod local;
mod offered;
mod settings;

pub(crate) use line::{Line, credential};
pub(crate) use local::find;
pub(crate) use offered::offered;
pub(crate) use settings::{checked, origin};
