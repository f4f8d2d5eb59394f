//! The same host for other programs of this user, over HTTP: for `majordomoctl` while a host runs,
//! for a browser where there is no window, and for other applications.
//!
//! Always true here:
//! - programs come by a Unix socket, which no other user can open and the system is asked who did,
//!   or a named pipe, to which no other user can write; 127.0.0.1 is bound only where there are pages for a browser, and once an
//!   application has a token;
//! - a request needs a token of the door it comes by, and what has shown none is read no further
//!   than its header;
//! - however many come without a token, few of them are kept, and not for long;
//! - a program sends a token only to who has proven to be the host that the note is of;
//! - a request from a page of another origin, or to another name than this computer's, is turned
//!   away before it is read;
//! - an answer to a question needs a second token, and there is none while a window runs.

mod accept;
mod bridge;
mod carrier;
mod client;
mod clients_door;
mod door;
mod events;
mod guard;
mod guests;
mod idle_lines;
mod line;
mod listener;
mod make_way;
mod proof;
mod response;
mod server;
mod strangers;
mod taken;

pub use client::Client;
pub use events::Events;
pub use gateway::END_OF_INPUT;
pub use make_way::open_in_place;
pub use server::{Serving, serve};

/// A token that nobody can guess: 64 hexadecimal digits.
fn random_token() -> String {
    format!(
        "{}{}",
        uuid::Uuid::new_v4().simple(),
        uuid::Uuid::new_v4().simple()
    )
}
