//! A PID namespace for one server. Its first process is a second jail, which nothing in the
//! namespace can kill or stop, and with whose end the kernel ends everything that is left in it.
//!
//! Always true here:
//! - nobody gains a right: the server is the same user and group as the host;
//! - what ends this jail, and the end of the host, end the namespace, whatever was stopped before;
//! - where no namespace can be had, this process is as it was.
//!
//! Root takes a namespace directly. Everyone else gets one with a user namespace around it, in
//! which the person is the only user: programs that become root lose that power in it, and files of
//! root seem to be nobody's.

use crate::launch::{Launch, TRY_NAMESPACE};
use crate::lifeline::MISUSED;
use crate::system::keep_out_tracers;
use crate::unix::{let_go_of_stdio, refuse, take};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{Signal, getegid, geteuid, getpid, set_parent_process_death_signal};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};

/// This program, whatever became of its file.
const SELF: &str = "/proc/self/exe";
/// Programs that need root's help, or insist on files of root: `podman` maps users by a program
/// that becomes root, `snap` starts what is in a snap by one, `ssh` refuses settings of the system
/// that are nobody's.
const NEED_ROOT: [&str; 6] = ["apptainer", "buildah", "distrobox", "podman", "snap", "ssh"];

/// A namespace that waits for its first process.
pub(crate) struct Namespace(());

/// Whether this is the first process of its namespace.
pub(crate) fn is_first_process() -> bool {
    getpid().is_init()
}

/// Whether a user who is not root can have a namespace here. It is tried in a process that does
/// nothing else: some systems make one and then refuse to let anybody live in it.
pub(crate) fn try_as_user() -> bool {
    enter_as_user().is_ok()
}

impl Namespace {
    /// Makes one, for this `command`. None where there is none to be had. Fails if what could be
    /// had a moment before cannot be had now: this process is of no use then.
    pub(crate) fn enter(command: &OsStr) -> io::Result<Option<Self>> {
        if unshare(UnshareFlags::NEWPID | UnshareFlags::NEWNS).is_ok() {
            return Ok(Some(Self(())));
        }
        if geteuid().is_root() || needs_root(Path::new(command)) {
            return Ok(None);
        }
        let mut attempt = Command::new(SELF);
        attempt.arg(TRY_NAMESPACE).stdin(Stdio::null());
        attempt.stdout(Stdio::null()).stderr(Stdio::null());
        if !attempt.status().is_ok_and(|status| status.success()) {
            return Ok(None);
        }
        enter_as_user()?;
        Ok(Some(Self(())))
    }

    /// Starts the second jail as the first process, and waits for its end: the exit code is the
    /// server's.
    pub(crate) fn run(self, launch: &Launch) -> ExitCode {
        // The kernel ends this process with the host, and the first process with this one, stopped
        // or not.
        let bound = set_parent_process_death_signal(Some(Signal::KILL));
        let child = bound.map_err(io::Error::from).and_then(|()| start());
        let mut child = match child {
            Ok(child) => child,
            Err(error) => return refuse(launch, &error),
        };
        // The lifeline and the pipes are the second jail's alone.
        drop(take(launch.lifeline));
        let _ = let_go_of_stdio();
        keep_out_tracers();
        child.wait().map_or(ExitCode::from(MISUSED), |status| {
            ExitCode::from(code(status))
        })
    }
}

fn start() -> io::Result<std::process::Child> {
    // Otherwise the mount below would be seen by everybody.
    let private = mount_change(
        "/",
        MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC,
    )
    .is_ok();
    let mut first = Command::new(SELF);
    first
        .arg0("majordomo-jail")
        .args(std::env::args_os().skip(1));
    #[expect(
        unsafe_code,
        reason = "the first process can mount its /proc before exec only, and the standard library has no other door"
    )]
    // SAFETY: the closure makes two system calls and does not allocate.
    unsafe {
        first.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            if private {
                // In a container it may be refused. The old one shows other numbers, and no more
                // can be done by them.
                let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
                let _ = mount(c"proc", c"/proc", c"proc", flags, None);
            }
            Ok(())
        });
    }
    first.spawn()
}

fn enter_as_user() -> io::Result<()> {
    // Inside, this process is nobody until the numbers below are written.
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWPID | UnshareFlags::NEWNS)?;
    let write = |file: &str, text: String| {
        let file = File::options()
            .write(true)
            .open(format!("/proc/self/{file}"));
        io::Write::write_all(&mut file?, text.as_bytes())
    };
    write("setgroups", "deny".to_owned())?;
    write("uid_map", format!("{user} {user} 1"))?;
    write("gid_map", format!("{group} {group} 1"))
}

fn unshare(what: UnshareFlags) -> io::Result<()> {
    #[expect(
        unsafe_code,
        reason = "the flag that makes it unsafe, which parts tables of open files, is not among these"
    )]
    // SAFETY: no table of open files is parted.
    let unshared = unsafe { unshare_unsafe(what) };
    Ok(unshared?)
}

/// Whether a program does not work where root is unknown.
fn needs_root(command: &Path) -> bool {
    const SET_ID: u32 = 0o6000;
    let is_set_id =
        |path| fs::metadata(path).is_ok_and(|file| file.permissions().mode() & SET_ID != 0);
    let is_named = |path: &Path| {
        let name = path.file_name().and_then(OsStr::to_str);
        name.is_some_and(|name| NEED_ROOT.contains(&name))
    };
    // Programs of snaps are links to `snap`.
    let behind = command.canonicalize();
    is_named(command) || behind.is_ok_and(|path| is_named(&path)) || is_set_id(command)
}

fn code(status: ExitStatus) -> u8 {
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok())
        .unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_becomes_root_is_not_put_where_there_is_none() {
        assert!(needs_root(Path::new("/usr/bin/ssh")));
        assert!(!needs_root(Path::new("/usr/bin/env")));
        let folder = std::env::temp_dir().join(format!("needs-root-{}", std::process::id()));
        fs::write(&folder, "").unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o4700)).unwrap();
        assert!(needs_root(&folder));
        fs::remove_file(&folder).unwrap();
    }
}
