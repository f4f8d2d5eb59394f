//! To servers: start, speak, supervise.
//!
//! Always true here:
//! - a tool runs only by [`Connection::call`], which accepts nothing but a permitted call;
//! - every request has a deadline, and whoever stops waiting for an answer tells the server so;
//! - nothing that a connection started outlives it, and no value of a secret is in an error;
//! - what a server sends is bounded before it is kept: lines, messages, pages, standard error.

mod ask_back;
mod clock;
mod connection;
mod ending;
mod error;
mod follow;
mod handler;
mod http;
mod process;
mod start;
mod tap;
mod wire;

pub use ask_back::{Root, ServerAsks};
pub use connection::{About, Connection};
pub use error::{ConnectionError, StartError};
pub use follow::{Follow, Progress};
pub use process::{ResolveError, StderrTail, inherited, login_path, resolve};
pub use start::{HttpStart, Limits, Start, StdioStart};
