//! Servers as child processes. The only place where processes are started.

mod environment;
#[cfg(windows)]
#[path = "process/held_windows.rs"]
mod held;
#[cfg(unix)]
#[path = "process/held_unix.rs"]
mod held;
mod host_uses;
#[cfg(unix)]
mod lifeline;
mod lines;
#[cfg(unix)]
mod listed_hosts;
mod login_path;
mod resolve;
mod run_to_end;
mod spawn;
#[cfg(unix)]
mod starter;
mod stderr;
mod stdio;
mod stop;

pub use environment::inherited;
pub use host_uses::{HostOutcome, HostUse, HostUses};
pub use login_path::login_path;
pub use resolve::{ResolveError, resolve};
pub use run_to_end::{RunError, run_to_end};
pub use stderr::StderrTail;

pub(crate) use spawn::{Spawned, prepare, spawn};
pub(crate) use stderr::Stderr;
pub(crate) use stdio::{Junk, Stdin};
pub(crate) use stop::Process;
