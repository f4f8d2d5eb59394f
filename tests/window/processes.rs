//! Which processes run, by what was written on their command line.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Waits until no process has this path among its arguments.
pub async fn wait_until_none_mentions(path: &Path) {
    let begun = Instant::now();
    loop {
        let left = mentioning(path);
        if left.is_empty() {
            return;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "still there: {left:?}"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The number of the one process that has this path among its arguments.
pub fn mentioning_one(path: &Path) -> u32 {
    match mentioning(path).as_slice() {
        [(process, _)] => *process,
        others => panic!("not one process: {others:?}"),
    }
}

fn mentioning(path: &Path) -> Vec<(u32, String)> {
    let path = path.to_string_lossy();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = processes.filter_map(|entry| {
        let line = String::from_utf8_lossy(&fs::read(entry.path().join("cmdline")).ok()?)
            .replace('\0', " ");
        Some((entry.file_name().to_str()?.parse().ok()?, line))
    });
    processes
        .filter(|(_, line)| line.contains(&*path))
        .collect()
}
