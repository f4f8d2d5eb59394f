//! Connections to real processes and real sockets: what the crate promises, seen from outside.
//!
//! The processes are `misbehave` and the built-in servers, in the real jail. Build the programs
//! first: `cargo build -p test-servers -p majordomo --no-default-features --bins`.

#![cfg(test)]

mod asking;
mod builtin;
mod calling;
#[cfg(target_os = "linux")]
mod confined;
mod ending;
mod eras;
mod heard;
mod http;
mod lists;
mod odd_answers;
mod offers;
mod permitted;
mod rounds;
#[cfg(unix)]
mod run_to_end;
mod scripted;
mod starting;
mod support;
mod tasks;
mod watching;
