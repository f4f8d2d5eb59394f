//! What the way out promises, kept against real servers on this computer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod addresses;
mod certificates;
mod connections;
mod limits;
mod one_door;
mod proxies;
mod redirects;
mod support;
