//! To servers: start, speak, supervise.
//!
//! Always true here:
//! - what is sent by somebody's wish is taken out of a permission: a tool runs only by
//!   [`Connection::call`], which accepts nothing but a permitted call, and so it is with all else
//!   (see [`policy::permit`]);
//! - every request has a deadline, and whoever stops waiting for an answer tells the server so;
//! - nothing that a connection started outlives it, and no value of a secret is in an error;
//! - what is to be confined is confined or not started, and reaches no host that is not listed for it;
//! - what a server sends is bounded before it is kept: lines, messages, pages, standard error.

mod ask_back;
mod beside;
mod call_deadline;
mod carrier;
mod connection;
mod conversation;
mod ending;
mod error;
mod follow;
mod http;
mod opening;
mod pace;
mod process;
mod start;
mod trace;
mod wire;

pub use ask_back::{During, ServerAsks};
pub use connection::{Capabilities, Connection, Round, ServerInfo, Task, Watch};
pub use conversation::Message;
pub use error::{ConnectionError, StartError};
pub use follow::{Follow, Progress, Rounds};
pub use http::Authorization;
pub use process::{
    HostOutcome, HostUse, HostUses, ResolveError, RunError, StderrTail, inherited, login_path,
    resolve, run_to_end,
};
pub use start::{Confinement, HttpStart, Limits, Start, StdioStart};
pub use trace::{Trace, call_span};
