//! Which processes of a test run, by a mark in their environment or on their command line that no
//! other process has.

use super::terminal::eventually;
use std::fs;

/// A mark of its own.
pub fn mark() -> String {
    format!("mark-{}", protocol::CallId::random().as_str())
}

/// The processes that carry a mark, the caller left out.
pub fn marked(mark: &str) -> Vec<u32> {
    let numbers = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter(|pid| *pid != std::process::id() && carries(*pid, mark))
        .collect()
}

fn carries(pid: u32, mark: &str) -> bool {
    // One that has just ended carries nothing.
    ["cmdline", "environ"].iter().any(|file| {
        let text = fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        text.windows(mark.len())
            .any(|window| window == mark.as_bytes())
    })
}

/// No process carries the mark.
#[track_caller]
pub fn assert_none(mark: &str) {
    let left = marked(mark);
    assert!(left.is_empty(), "left: {left:?}");
}

/// Waits until no process carries the mark any more.
pub fn wait_until_none(mark: &str) {
    eventually("processes are left", || {
        marked(mark).is_empty().then_some(())
    });
}
