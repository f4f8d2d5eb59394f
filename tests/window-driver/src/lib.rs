//! The real window, driven as a person drives it: by the words on the screen.
//!
//! Always true here:
//! - every window has a folder of its own, and no process of it outlives its [`Majordomo`];
//! - what cannot be done is a panic with what was seen instead: whoever drives a window is a test, or
//!   measures.

#![cfg(target_os = "linux")]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what drives a window and cannot go on has failed"
)]

mod accessibility;
mod driver;
pub mod native;
mod page;
mod processes;

pub use accessibility::Accessible;
pub use driver::Majordomo;
pub use page::Page;

use std::path::PathBuf;

/// A program that Cargo has built with the one that runs: beside it, or one folder up, because tests
/// lie in `deps`.
///
/// Panics where it is not built.
pub fn built(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("this program lies somewhere");
    let folders = own.ancestors().skip(1).take(2);
    let mut files = folders.map(|folder| folder.join(name));
    files
        .find(|file| file.is_file())
        .unwrap_or_else(|| panic!("{name} is not built: run `cargo build --workspace --bins`"))
}
