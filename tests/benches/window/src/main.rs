//! `window-bench`: what a conversation costs in the real window.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    window_bench::main()
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::print_stderr, reason = "a program that people start by hand")]
fn main() -> ExitCode {
    eprintln!("window-bench: the window can be driven on Linux only.");
    ExitCode::FAILURE
}
