//! Connections to real processes and real sockets: what the crate promises, seen from outside.
//!
//! The processes are `misbehave` and the built-in servers, in the real jail. Build the programs first:
//! `cargo build -p test-servers -p majordomo --no-default-features --bins`.

#![cfg(test)]

mod asking;
mod builtin;
mod calling;
mod ending;
mod http;
mod lists;
mod starting;
mod support;
