//! The command lines of a process and of all that it started.

use std::ffi::OsString;
use std::path::PathBuf;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

/// Of a command line only its beginning can name the program and its script.
const WORDS: usize = 16;
/// The most processes below one that are looked at.
const MOST: usize = 4096;

/// The first words of the command line of `root` and of every process below it, those nearest to it
/// first.
pub(super) fn below(root: u32) -> Vec<Vec<PathBuf>> {
    // Where processes cannot be listed, none is found; the caller says what that means.
    let Ok(mut system) = System::new() else {
        return Vec::new();
    };
    let what = ProcessRefreshKind::nothing()
        .with_cmd(UpdateKind::Always)
        .without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, what);
    let mut family = vec![Pid::from_u32(root)];
    let mut next = 0;
    while next < family.len() && family.len() < MOST {
        let parent = family[next];
        let mut children: Vec<Pid> = system
            .processes()
            .iter()
            .filter(|(_, child)| child.parent() == Some(parent))
            .map(|(pid, _)| *pid)
            .collect();
        children.retain(|child| !family.contains(child));
        children.sort();
        family.extend(children);
        next += 1;
    }
    let words = |cmd: &[OsString]| cmd.iter().take(WORDS).map(PathBuf::from).collect();
    family
        .iter()
        .filter_map(|pid| system.process(*pid))
        .map(|process| words(process.cmd()))
        .collect()
}
