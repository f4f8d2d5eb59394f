//! A PID namespace for one server. Its first process is a second jail, which nothing in the
//! namespace can kill or stop, and with whose end the kernel ends everything that is left in it.
//!
//! Always true here:
//! - nobody gains a right: the server is the same user and group as the host;
//! - what ends this jail, and the end of the host, end the namespace, whatever was stopped before;
//! - where no namespace can be had, this process is as it was.
//!
//! A confined server gets namespaces for everything else, too, and its own view of the files. It does
//! not start where one of them cannot be had.
//!
//! Root takes a namespace directly. Everyone else gets one with a user namespace around it, in
//! which the person is the only user: programs that become root lose that power in it, and files of
//! root seem to be nobody's.

use super::view::View;
use super::{keep_out_tracers, own_network};
use crate::launch::{AS_FIRST_PROCESS, Launch, TRY_NAMESPACE};
use crate::lifeline::MISUSED;
use crate::profile::{Network, Profile};
use crate::unix::{let_go_of_stdio, refuse, refuse_unconfined, take};
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
pub(super) const SELF: &str = "/proc/self/exe";
/// Programs that need root's help, or insist on files of root: `podman` maps users by a program
/// that becomes root, `snap` starts what is in a snap by one, `ssh` refuses settings of the system
/// that are nobody's.
const NEED_ROOT: [&str; 6] = ["apptainer", "buildah", "distrobox", "podman", "snap", "ssh"];

/// A namespace that waits for its first process.
pub(crate) struct Namespace(Option<Inside>);

/// What the first process of a confined server sets up.
struct Inside {
    view: View,
    network: Network,
    has_own_users: bool,
}

/// Whether this is the first process of a namespace that another jail has set up. Its number alone
/// does not say so: in a container, the first jail can be the first process, too.
pub(crate) fn is_first_process() -> bool {
    getpid().is_init()
        && std::env::args_os()
            .nth(1)
            .is_some_and(|word| word == AS_FIRST_PROCESS)
}

/// Whether a user who is not root can have a namespace here. It is tried in a process that does
/// nothing else: some systems make one and then refuse to let anybody live in it.
pub(crate) fn try_as_user() -> bool {
    enter_as_user(UnshareFlags::empty()).is_ok()
}

impl Namespace {
    /// Makes one, for this `command`. None where there is none to be had. Fails if what could be
    /// had a moment before cannot be had now: this process is of no use then.
    pub(crate) fn enter(command: &OsStr) -> io::Result<Option<Self>> {
        if unshare(UnshareFlags::NEWPID | UnshareFlags::NEWNS).is_ok() {
            return Ok(Some(Self(None)));
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
        enter_as_user(UnshareFlags::empty())?;
        Ok(Some(Self(None)))
    }

    /// Makes those of a confined server, with its view of the files. Fails where one of them is not
    /// to be had: this process is of no use then.
    pub(crate) fn enter_confined(profile: &Profile) -> io::Result<Self> {
        let mut more = UnshareFlags::NEWIPC | UnshareFlags::NEWUTS | UnshareFlags::NEWCGROUP;
        if profile.network != Network::Open {
            more |= UnshareFlags::NEWNET;
        }
        let has_own_users = !geteuid().is_root();
        if has_own_users {
            enter_as_user(more)?;
        } else {
            unshare(UnshareFlags::NEWPID | UnshareFlags::NEWNS | more)?;
        }
        Ok(Self(Some(Inside {
            view: View::make(profile)?,
            network: profile.network.clone(),
            has_own_users,
        })))
    }

    /// Does in the first process what this process was asked to do.
    pub(super) fn try_again_inside(self) -> io::Result<ExitCode> {
        let status = first_process(self.0).status()?;
        Ok(ExitCode::from(code(status)))
    }

    /// Starts the second jail as the first process, and waits for its end: the exit code is the
    /// server's.
    pub(crate) fn run(self, launch: &Launch) -> ExitCode {
        // The kernel ends this process with the host, and the first process with this one, stopped
        // or not.
        let bound = set_parent_process_death_signal(Some(Signal::KILL));
        let inside = self.0;
        let is_confined = inside.is_some();
        let child = bound
            .map_err(io::Error::from)
            .and_then(|()| first_process(inside).spawn());
        let mut child = match child {
            Ok(child) => child,
            Err(error) if is_confined => return refuse_unconfined(launch, &error),
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

/// This program, as the first process of the namespace, to do what this process was asked to do.
fn first_process(inside: Option<Inside>) -> Command {
    // Otherwise the mount below would be seen by everybody.
    let private = inside.is_none()
        && mount_change(
            "/",
            MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC,
        )
        .is_ok();
    let mut first = Command::new(SELF);
    first.arg0("majordomo-jail").arg(AS_FIRST_PROCESS);
    first.args(std::env::args_os().skip(1));
    #[expect(
        unsafe_code,
        reason = "the first process can mount its /proc before exec only, and the standard library has no other door"
    )]
    // SAFETY: this process has one thread, so that the closure may do what any code may.
    unsafe {
        first.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            if let Some(inside) = &inside {
                return inside.set_up();
            }
            if private {
                // In a container it may be refused. The old one shows other numbers, and no more
                // can be done by them.
                let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
                let _ = mount(c"proc", c"/proc", c"proc", flags, None);
            }
            Ok(())
        });
    }
    first
}

impl Inside {
    fn set_up(&self) -> io::Result<()> {
        self.view.close()?;
        if self.network != Network::Open {
            own_network::set_up(&self.network)?;
        }
        if self.has_own_users {
            // Nobody gets another set of powers in there.
            fs::write("/proc/sys/user/max_user_namespaces", "0")?;
        }
        // What is in memory only is no program. Root alone can say so, since Linux 6.3; otherwise
        // there is no such memory (see `seccomp`).
        let _ = fs::write("/proc/sys/vm/memfd_noexec", "1");
        self.view.seal()
    }
}

fn enter_as_user(more: UnshareFlags) -> io::Result<()> {
    // Inside, this process is nobody until the numbers below are written.
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWPID | UnshareFlags::NEWNS | more)?;
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
