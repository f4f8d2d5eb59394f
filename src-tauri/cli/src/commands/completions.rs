//! `majordomoctl completions SHELL`: what a shell completes by.

use crate::args;
use crate::exit::Exit;
use crate::print;
use clap_complete::Shell;

/// Writes it.
pub(super) fn run(shell: Shell) -> Exit {
    let mut written = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "majordomoctl", &mut written);
    print::file(&String::from_utf8_lossy(&written));
    Exit::Done
}
