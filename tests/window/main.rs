//! Journeys in the real window: the few promises that only a window can show. Everything else is in
//! `tests/promises`.
//!
//! Always true here:
//! - a test does what a person does: it reads, clicks and types, by the words on the screen;
//! - every window has a folder of its own, and no process of it outlives its test;
//! - they run on a display and a keyring of their own: `cargo xtask test --only rust`.

#![cfg(target_os = "linux")]
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed"
)]

mod a_changed_tool;
mod a_talk;
mod add_a_server;
mod another_application;
mod first_call;
mod for_a_screen_reader;
mod looking_elsewhere;
mod looks;
mod nine_servers;
mod servers;
mod surroundings;
mod what_a_server_asks;
mod who_may_answer;
