//! Keeps a child process and all it starts in hand.
//!
//! A server is not started by the host but by `majordomo-jail`, a small program that outlives
//! neither of them: it holds one end of a [`lifeline`], and when the host lets go of the other end,
//! for whatever reason, the server and everything that it started are killed.
//!
//! Where a PID namespace can be had, the server lives in one, and the kernel ends everything in it.
//!
//! Always true here:
//! - nothing is known of the protocol, of who asked, or why;
//! - no descendant of a server outlives the jail on Linux: in a namespace whatever the server does,
//!   without one if it leaves the jail alone. On macOS those that left the server's process group
//!   can, too.

pub mod launch;
pub mod lifeline;
pub mod memory;

#[cfg(target_os = "linux")]
mod namespace;
#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod system;
#[cfg(target_os = "macos")]
#[path = "macos.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;
#[cfg(unix)]
mod unix;
