//! `majordomo`: the window.

// Without this a console opens beside the window on Windows.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    desktop::main()
}
