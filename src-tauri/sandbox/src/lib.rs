//! Confines a child process, and keeps it and all it starts in hand.
//!
//! A server is not started by the host but by `majordomo-jail`, a small program that outlives
//! neither of them: it holds one end of a [`lifeline`], and when the host lets go of the other end,
//! for whatever reason, the server and everything that it started are killed.
//!
//! Where a PID namespace can be had, the server lives in one, and the kernel ends everything in it.
//! With a [`profile`], it can touch what that names and nothing else: the jail sets all of it up and
//! then becomes the server, or starts nothing.
//!
//! Always true here:
//! - nothing is known of the protocol, of who asked, or why;
//! - no descendant of a server outlives the jail on Linux: in a namespace whatever the server does,
//!   without one if it leaves the jail alone. On macOS those that left the server's process group
//!   can, too.

#[cfg(any(windows, test))]
mod command_line;
#[cfg(target_os = "linux")]
pub mod escape;
pub mod launch;
pub mod lifeline;
pub mod memory;
pub mod profile;
#[cfg(any(target_os = "macos", test))]
mod seatbelt;
pub mod strength;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(windows)]
use crate::windows as system;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_os = "macos")]
use macos as system;
