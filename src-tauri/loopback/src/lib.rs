//! The same host over loopback HTTP: for `majordomoctl` while a host runs, and for a browser where
//! there is no window.
//!
//! Always true here:
//! - only 127.0.0.1 is bound, and a request needs the token that only this user's files hold;
//! - a request from a page of another origin, or to another name than this computer's, is turned
//!   away before it is read;
//! - an answer to a question needs a second token, and there is none while a window runs.

mod client;
mod events;
mod guard;
mod note;
mod server;

pub use client::Client;
pub use events::Events;
pub use server::{Serving, serve};
