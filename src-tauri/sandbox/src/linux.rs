//! Linux. A confined server gets namespaces, Landlock and a filter of system calls, or the last two
//! of them. Any other gets a PID namespace where there is one. Where there is none, the jail adopts
//! every descendant that loses its parent, and finds them all in `/proc`.

mod base;
mod cgroup;
pub(crate) mod landlock;
mod limits;
mod mounts;
mod namespace;
mod own_network;
mod paths;
mod seccomp;
mod view;

pub(crate) use own_network::open_sockets;

use crate::launch::{Launch, TRY_TIER, explain};
use crate::lifeline::MISUSED;
use crate::profile::{Limits, Profile, Tier};
use crate::strength::{Bounds, Strength};
use crate::unix::{self, Rest};
use cgroup::Group;
use namespace::Namespace;
use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitOptions, geteuid, getpid, getppid, kill_process,
    set_child_subreaper, set_dumpable_behavior, set_parent_process_death_signal, wait,
};
use std::collections::HashSet;
use std::io::{self, Write};
use std::process::{Command, ExitCode, Stdio};
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
    match launch.profile.map(unix::profile).transpose() {
        Ok(Some(profile)) => {
            // Until the end of all that is started in it.
            let _group = Group::enter(&profile.limits);
            match profile.tier {
                Tier::Namespaces => match Namespace::enter_confined(&profile) {
                    Ok(namespace) => namespace.run(launch),
                    Err(error) => unix::refuse_unconfined(launch, &error),
                },
                Tier::Landlock | Tier::Seatbelt | Tier::AppContainer => run_beside(launch),
            }
        }
        Ok(None) => match Namespace::enter(&launch.command) {
            Ok(Some(namespace)) => namespace.run(launch),
            Ok(None) => run_beside(launch),
            Err(error) => unix::refuse(launch, &error),
        },
        Err(error) => unix::refuse_unconfined(launch, &error),
    }
}

/// Runs one server beside this process, without a namespace around it.
fn run_beside(launch: &Launch) -> ExitCode {
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

/// What keeps a server within its profile, made before it is started.
pub(crate) struct Walls {
    profile: Profile,
    files: landlock::Rules,
    calls: seccomp::Filters,
}

impl Walls {
    /// Those for a profile. Fails where the system does not have what they are made of.
    pub(crate) fn of(profile: &Profile) -> io::Result<Self> {
        Ok(Self {
            files: landlock::Rules::of(profile)?,
            calls: seccomp::Filters::of(profile)?,
            profile: profile.clone(),
        })
    }

    /// Puts them around this process and all that it starts.
    pub(crate) fn apply(self) -> io::Result<()> {
        limits::apply(&self.profile.limits, self.profile.tier)?;
        limits::give_up_powers()?;
        self.files.apply()?;
        self.calls.apply()
    }
}

/// The server's own command.
pub(crate) fn command(launch: &Launch, _walls: Option<&Walls>) -> Command {
    let mut command = Command::new(&launch.command);
    command.args(&launch.args);
    command
}

/// Says the first of some tiers, the strongest first, that can be had here.
pub(crate) fn say_strength(tiers: &[Tier]) -> ExitCode {
    // In a process of its own each: what was set up is not undone.
    let can = |tier: &Tier| {
        Command::new(namespace::SELF)
            .args([TRY_TIER, tier.word()])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    let tier = tiers.iter().copied().find(can);
    let group = Group::enter(&Limits::default()).bounds();
    let bounds = Bounds {
        memory: group.memory,
        // Of a user's processes only those in there count, of root's none.
        processes: group.processes || tier == Some(Tier::Namespaces) && !geteuid().is_root(),
    };
    // Whoever asked may have gone.
    let _ = io::stdout().write_all(Strength { tier, bounds }.to_line().as_bytes());
    ExitCode::SUCCESS
}

/// Confines this process as it would a server.
pub(crate) fn try_tier(tier: Tier) -> ExitCode {
    let profile = Profile::nothing(tier);
    let tried = match tier {
        Tier::Namespaces if !namespace::is_first_process() => {
            return match Namespace::enter_confined(&profile).and_then(Namespace::try_again_inside) {
                Ok(code) => code,
                Err(error) => cannot(tier, &error),
            };
        }
        Tier::Namespaces | Tier::Landlock | Tier::Seatbelt | Tier::AppContainer => {
            Walls::of(&profile).and_then(Walls::apply)
        }
    };
    tried.map_or_else(|error| cannot(tier, &error), |()| ExitCode::SUCCESS)
}

fn cannot(tier: Tier, error: &io::Error) -> ExitCode {
    explain(&format!("{}: {error}", tier.word()));
    ExitCode::from(MISUSED)
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
