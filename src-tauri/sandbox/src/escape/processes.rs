//! Other processes: one of the same user, and those by which the program was started.

use super::call::Argument::Number;
use super::call::{call, fork};
use super::targets::{Targets, known};
use super::{Attempt, memory};
use rustix::fs::{FlockOperation, flock};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getppid, kill_process, pidfd_open,
    pidfd_send_signal, prlimit, setpriority_process, setsid,
};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long what a signal does may take to be seen.
const SIGNAL_TIMEOUT: Duration = Duration::from_millis(500);
/// How long a process that is left behind may take to stand on its own.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How often something is looked at.
const PACE: Duration = Duration::from_millis(5);

/// What a process that is left behind holds as long as it lives.
pub(super) const LEFT_BEHIND: &str = "left-behind";

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::anyone("sees_that_another_process_is_there", |to| {
        fs::metadata(format!("/proc/{}", to.bystander.pid)).map(|_| "it is there".to_owned())
    }),
    Attempt::anyone("reads_the_command_line_of_another_process", |to| {
        fs::read_to_string(format!("/proc/{}/cmdline", to.bystander.pid))
    }),
    Attempt::anyone("ends_another_process", |to| {
        kill_process(pid(to.bystander.pid)?, Signal::TERM)?;
        Ok("a signal was sent".to_owned())
    }),
    Attempt::anyone("stops_another_process", |to| {
        kill_process(pid(to.bystander.pid)?, Signal::STOP)?;
        Ok("a signal was sent".to_owned())
    }),
    Attempt::anyone("ends_another_process_by_its_descriptor", |to| {
        let process = pidfd_open(pid(to.bystander.pid)?, PidfdFlags::empty())?;
        pidfd_send_signal(process, Signal::KILL)?;
        Ok("a signal was sent".to_owned())
    }),
    Attempt::anyone("bounds_another_process", |to| {
        bound(pid(to.bystander.pid)?)?;
        Ok("it is bounded".to_owned())
    }),
    Attempt::anyone("slows_another_process_down", |to| {
        setpriority_process(Some(pid(to.bystander.pid)?), 10)?;
        Ok("it is slower".to_owned())
    }),
    Attempt::anyone("binds_another_process_to_one_processor", |to| {
        let first = 1_u64.to_ne_bytes();
        let arguments = [
            to.bystander.pid.into(),
            Number(8),
            super::call::Argument::In(&first),
        ];
        call(libc::SYS_sched_setaffinity, arguments).map(|_| "it is bound".to_owned())
    }),
    Attempt::anyone("makes_another_process_idle", |to| {
        let priority = 0_i32.to_ne_bytes();
        let arguments = [
            to.bystander.pid.into(),
            libc::SCHED_IDLE.into(),
            super::call::Argument::In(&priority),
        ];
        call(libc::SYS_sched_setscheduler, arguments).map(|_| "it is idle".to_owned())
    }),
    Attempt::anyone("lets_another_process_wait_for_the_disk", |to| {
        // Of a process, to be idle.
        let arguments = [1.into(), to.bystander.pid.into(), Number(3 << 13)];
        call(libc::SYS_ioprio_set, arguments).map(|_| "it waits".to_owned())
    }),
    Attempt::anyone("ends_its_launcher", |to| {
        each_launcher(to, |launcher| {
            kill_process(launcher, Signal::KILL)?;
            becomes(launcher, &['Z', 'X'])
        })
    }),
    Attempt::anyone("stops_its_launcher", |to| {
        each_launcher(to, |launcher| {
            kill_process(launcher, Signal::STOP)?;
            becomes(launcher, &['T'])
        })
    }),
    Attempt::anyone("bounds_its_launcher", |to| {
        each_launcher(to, |launcher| {
            bound(launcher)?;
            Ok("it is bounded".to_owned())
        })
    }),
    Attempt::anyone("reads_the_memory_of_its_launcher", |to| {
        each_launcher(to, |launcher| {
            File::open(memory::of(launcher)).map(|_| "it is open".to_owned())
        })
    }),
    Attempt::anyone("opens_a_file_of_its_launcher", |to| {
        each_launcher(to, |launcher| {
            let path = format!("/proc/{}/fd", launcher.as_raw_nonzero());
            let mut result = Err(io::Error::other("it has none"));
            for file in fs::read_dir(path)?.flatten() {
                result = fs::read_link(file.path()).map(|path| path.display().to_string());
            }
            result
        })
    }),
    Attempt::anyone("opens_the_program_of_its_launcher", |to| {
        each_launcher(to, |launcher| {
            let path = format!("/proc/{}/exe", launcher.as_raw_nonzero());
            File::open(path).map(|_| "it is open".to_owned())
        })
    }),
    Attempt::anyone("leaves_a_process_behind", leaves_a_process_behind),
];

/// A number of a process, as the system wants it.
pub(super) fn pid(number: i32) -> io::Result<Pid> {
    known(Pid::from_raw(number))
}

/// Does something to whoever has started the program, near or far, until it succeeds.
pub(super) fn each_launcher(
    to: &Targets,
    act: impl Fn(Pid) -> io::Result<String>,
) -> io::Result<String> {
    let numbers = to.launchers.iter();
    let launchers = numbers.filter_map(|number| Pid::from_raw(*number).or_else(getppid));
    let mut result = Err(io::Error::other("nobody has started it"));
    for launcher in launchers {
        result = act(launcher);
        if result.is_ok() {
            break;
        }
    }
    result
}

fn bound(process: Pid) -> io::Result<Rlimit> {
    let few = Rlimit {
        current: Some(100),
        maximum: Some(100),
    };
    Ok(prlimit(Some(process), Resource::Nofile, few)?)
}

/// Waits until a process is in one of some states.
fn becomes(process: Pid, states: &[char]) -> io::Result<String> {
    let end = Instant::now() + SIGNAL_TIMEOUT;
    while Instant::now() < end {
        match state(process.as_raw_nonzero().get()) {
            Some(state) if states.contains(&state) => return Ok(format!("its state is {state}")),
            None => return Ok("it is gone".to_owned()),
            Some(_) => thread::sleep(PACE),
        }
    }
    Err(io::Error::other("it does not care"))
}

/// The state of a process, as in `ps`; none if it is not there.
pub(super) fn state(process: i32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// A process in a session of its own that nobody waits for. What becomes of it is seen outside.
fn leaves_a_process_behind(to: &Targets) -> io::Result<String> {
    let lock = to.root.join(LEFT_BEHIND);
    let lock = lock.as_path();
    fork(|| {
        let _ = setsid();
        let _ = fork(|| hold(lock));
    })?;
    let end = Instant::now() + START_TIMEOUT;
    while !is_held(lock) {
        if Instant::now() > end {
            return Err(io::Error::other("it did not start"));
        }
        thread::sleep(PACE);
    }
    Err(io::Error::other("it ends with the program"))
}

/// Lives as long as the scene.
fn hold(lock: &Path) {
    let _ = crate::unix::let_go_of_stdio();
    let Ok(held) = File::create(lock) else {
        return;
    };
    if flock(&held, FlockOperation::LockExclusive).is_ok() {
        while lock.exists() {
            thread::sleep(PACE);
        }
    }
}

/// Whether somebody lives who holds it.
pub(super) fn is_held(lock: &Path) -> bool {
    File::open(lock)
        .is_ok_and(|file| flock(file, FlockOperation::NonBlockingLockExclusive).is_err())
}
