//! Linux: the server gets a PID namespace where there is one. Where there is none, the jail adopts
//! every descendant that loses its parent, and finds them all in `/proc`.

use crate::launch::Launch;
use crate::namespace::{self, Namespace};
use crate::unix::{self, Rest};
use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitOptions, getpid, getppid, kill_process, set_child_subreaper,
    set_dumpable_behavior, set_parent_process_death_signal, wait,
};
use std::collections::HashSet;
use std::io;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

/// How long the last processes may take to vanish after they were killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// Runs one server from start to end: as the first process of a namespace, beside one, or without
/// one.
pub(crate) fn run(launch: &Launch) -> ExitCode {
    if namespace::is_first_process() {
        // It was started by another name.
        let _ = rustix::thread::set_name(c"majordomo-jail");
        keep_out_tracers();
        return unix::run(launch, Rest::Namespace);
    }
    match Namespace::enter(&launch.command) {
        Ok(Some(namespace)) => return namespace.run(launch),
        Ok(None) => {}
        Err(error) => return unix::refuse(launch, &error),
    }
    keep_out_tracers();
    // A server can stop this process, and then nobody would notice that the host has ended; so its
    // end wakes this process up. To be killed then would be too early: the descendants come first.
    let _ = set_parent_process_death_signal(Some(Signal::CONT));
    unix::run(launch, Rest::Descendants)
}

/// Says whether a namespace can be had.
pub(crate) fn try_namespace() -> ExitCode {
    if namespace::try_as_user() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The server, which is of the same user, cannot halt this process as a debugger does.
pub(crate) fn keep_out_tracers() {
    // An old kernel allows it; then all is as it was.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// From now on orphaned descendants become children of this process, whatever session or group they
/// chose.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// The server dies with the jail, even when the jail is killed. Called between fork and exec.
pub(crate) fn bind_to_parent(jail: Pid) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // The jail may have died before the line above.
    if getppid() == Some(jail) {
        Ok(())
    } else {
        Err(io::Error::from_raw_os_error(
            rustix::io::Errno::SRCH.raw_os_error(),
        ))
    }
}

/// Kills everything that descends from this process.
pub(crate) fn kill_descendants() {
    for pid in descendants(getpid()) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Kills until nothing is left. Whoever starts new processes meanwhile is found in the next round.
pub(crate) fn sweep() {
    let end = Instant::now() + STOP_TIMEOUT;
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => continue,
            Ok(None) => kill_descendants(),
            // No children: nothing is left.
            Err(_) => return,
        }
        if Instant::now() > end {
            // Only a process that this user may not kill is still there.
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Everything below `root`, nearest first. A process that comes or goes meanwhile may be missed;
/// [`sweep`] looks again.
fn descendants(root: Pid) -> Vec<Pid> {
    let parents: Vec<(Pid, Pid)> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| Pid::from_raw(entry.ok()?.file_name().to_str()?.parse().ok()?))
        .filter_map(|pid| Some((pid, parent_of(pid)?)))
        .collect();
    let (mut found, mut known) = (Vec::new(), HashSet::from([root]));
    loop {
        let before = found.len();
        found.extend(
            parents
                .iter()
                .filter(|(pid, parent)| known.contains(parent) && !known.contains(pid))
                .map(|(pid, _)| *pid),
        );
        if found.len() == before {
            return found;
        }
        known.extend(&found[before..]);
    }
}

fn parent_of(pid: Pid) -> Option<Pid> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The name in parentheses may hold anything, so what follows is counted from the last of them:
    // state, then parent.
    let (_, after) = stat.rsplit_once(')')?;
    Pid::from_raw(after.split_whitespace().nth(1)?.parse().ok()?)
}
