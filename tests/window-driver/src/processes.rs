//! Which processes run, by what was written on their command line.

use rustix::time::{ClockId, clock_gettime};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// What the kernel counts the times of processes in, whatever its own clock does.
const MILLIS_PER_TICK: u64 = 10;

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

/// The processes of this name that a process has started, or that one of these has. Of a name the
/// system keeps the first 15 letters.
pub fn descendants_named(process: u32, name: &str) -> Vec<u32> {
    let all: HashMap<u32, Stat> = numbers()
        .filter_map(|number| Some((number, Stat::of(number)?)))
        .collect();
    let is_descendant = |number: u32| {
        let parent = |number: &u32| all.get(number).map(|stat| stat.parent);
        std::iter::successors(parent(&number), parent).any(|parent| parent == process)
    };
    let named = all.iter().filter(|(_, stat)| stat.name == name);
    let found = named.map(|(number, _)| *number);
    found.filter(|number| is_descendant(*number)).collect()
}

/// How long a process has been running, to a hundredth of a second.
pub fn age(process: u32) -> Duration {
    let begun = Stat::of(process).expect("the process has ended").begun;
    let begun = Duration::from_millis(begun * MILLIS_PER_TICK);
    let now = Duration::try_from(clock_gettime(ClockId::Boottime)).unwrap();
    now.saturating_sub(begun)
}

/// What the system tells of a process.
struct Stat {
    name: String,
    parent: u32,
    /// In ticks since the system was started.
    begun: u64,
}

impl Stat {
    /// `None` if it has ended.
    fn of(process: u32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name stands in parentheses, and may hold some itself.
        let (before, behind) = text.rsplit_once(')')?;
        let fields: Vec<&str> = behind.split_whitespace().collect();
        Some(Self {
            name: before.split_once('(')?.1.to_owned(),
            parent: fields.get(1)?.parse().ok()?,
            begun: fields.get(19)?.parse().ok()?,
        })
    }
}

fn numbers() -> impl Iterator<Item = u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn mentioning(path: &Path) -> Vec<(u32, String)> {
    let path = path.to_string_lossy();
    let processes = numbers().filter_map(|number| {
        let line = fs::read(format!("/proc/{number}/cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        Some((number, line))
    });
    processes
        .filter(|(_, line)| line.contains(&*path))
        .collect()
}
