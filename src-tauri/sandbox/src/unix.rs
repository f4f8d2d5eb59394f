//! Starts the server in a process group of its own, waits, and leaves nothing behind. The same on
//! Linux and macOS.
//!
//! Two threads: the first reaps, the second listens on the lifeline. Both go through [`Server`], so
//! that no signal is sent to a process that was reaped already and whose number may belong to
//! someone else.

use crate::launch::{Launch, explain};
use crate::lifeline::{
    Hold, MISUSED, MOST_SOCKETS, NOT_EXECUTABLE, NOT_FOUND, Report, SOCKETS, TERMINATE,
};
use crate::profile::{Network, Profile, Tier};
use crate::system::{self, Walls};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, getpid, kill_process_group,
    setsid, wait, waitid,
};
use std::fs::File;
use std::io::{self, ErrorKind, IoSlice, Read, Seek, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What the process that would become the server says when it cannot be confined. Of an error only
/// its number comes through, and no start of a program fails with this one.
const WALLS_FAILED: Errno = Errno::NOTRECOVERABLE;

/// The server's process group, as long as there is one.
struct Server(Mutex<Option<Pid>>);

impl Server {
    fn signal(&self, signal: Signal) {
        if let Some(group) = *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            // The group may be gone already; there is nothing else to do about it.
            let _ = kill_process_group(group, signal);
        }
    }
}

/// What remains to be ended when the server itself has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Whatever descends from this process, as far as it can be found.
    Descendants,
    /// Nothing: this is the first process of a PID namespace, and the kernel ends the others.
    Namespace,
}

/// Runs one server from start to end.
pub(crate) fn run(launch: &Launch, rest: Rest) -> ExitCode {
    let mut lifeline = match take(launch.lifeline) {
        Ok(lifeline) => lifeline,
        Err(error) => return no_lifeline(&error),
    };
    let walls = match launch.profile.map(profile).transpose() {
        Ok(profile) => profile
            .map(|profile| prepare(&profile, rest, &lifeline))
            .transpose(),
        Err(error) => Err(error),
    };
    let walls = match walls {
        Ok(walls) => walls,
        Err(error) => return not_confined(&mut lifeline, &error),
    };
    match start(launch, walls) {
        Ok(pid) => {
            tell(
                &mut lifeline,
                &Report::Started(match rest {
                    Rest::Namespace => Hold::Namespace,
                    Rest::Descendants => Hold::Jail {
                        group: pid.as_raw_pid().cast_unsigned(),
                    },
                }),
            );
            let _ = let_go_of_stdio();
            let server = Arc::new(Server(Mutex::new(Some(pid))));
            let listener = Arc::clone(&server);
            if thread::Builder::new()
                .spawn(move || listen(lifeline, &listener, rest))
                .is_err()
            {
                // Nobody could end the server any more.
                server.signal(Signal::KILL);
            }
            let code = reap(&server, pid);
            if rest == Rest::Descendants {
                system::sweep();
            }
            ExitCode::from(code)
        }
        Err(error) if Errno::from_io_error(&error) == Some(WALLS_FAILED) => {
            not_confined(&mut lifeline, &error)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            tell(&mut lifeline, &Report::NotFound);
            ExitCode::from(NOT_FOUND)
        }
        Err(error) => not_executable(&mut lifeline, &error),
    }
}

/// Makes what keeps the server within its profile, and gives the host the sockets on which it
/// answers the server.
///
/// # Errors
/// `Unsupported` if the host is to answer on a network that is not the server's own, and as
/// [`Walls::of`].
fn prepare(profile: &Profile, rest: Rest, lifeline: &UnixStream) -> io::Result<Walls> {
    let walls = Walls::of(profile)?;
    if matches!(profile.network, Network::Listed { .. }) {
        if rest != Rest::Namespace || profile.tier != Tier::Namespaces {
            let problem = "listed hosts need a network of the server's own";
            return Err(io::Error::new(ErrorKind::Unsupported, problem));
        }
        hand_over(lifeline, &system::open_sockets(&profile.network)?)?;
    }
    Ok(walls)
}

/// Says that the server cannot be started, and starts nothing.
#[cfg(target_os = "linux")]
pub(crate) fn refuse(launch: &Launch, error: &io::Error) -> ExitCode {
    match take(launch.lifeline) {
        Ok(mut lifeline) => not_executable(&mut lifeline, error),
        Err(error) => no_lifeline(&error),
    }
}

/// Says that the server cannot be confined as it should be, and starts nothing.
#[cfg(target_os = "linux")]
pub(crate) fn refuse_unconfined(launch: &Launch, error: &io::Error) -> ExitCode {
    match take(launch.lifeline) {
        Ok(mut lifeline) => not_confined(&mut lifeline, error),
        Err(error) => no_lifeline(&error),
    }
}

fn not_confined(lifeline: &mut UnixStream, error: &io::Error) -> ExitCode {
    let problem = words(error);
    tell(lifeline, &Report::NotConfined { problem });
    ExitCode::from(NOT_EXECUTABLE)
}

fn not_executable(lifeline: &mut UnixStream, error: &io::Error) -> ExitCode {
    let problem = words(error);
    tell(lifeline, &Report::NotExecutable { problem });
    ExitCode::from(NOT_EXECUTABLE)
}

fn no_lifeline(error: &io::Error) -> ExitCode {
    explain(&format!(
        "majordomo-jail: the lifeline cannot be used: {error}"
    ));
    ExitCode::from(MISUSED)
}

/// Takes the inherited socket over, closed to whatever is started from here.
pub(crate) fn take(number: i32) -> io::Result<UnixStream> {
    #[expect(
        unsafe_code,
        reason = "an inherited descriptor is known by its number only; nothing was opened before, so nobody else owns it"
    )]
    // SAFETY: called once, first, with a number above standard error; a number that is not open
    // fails in the next call.
    let lifeline = unsafe { OwnedFd::from_raw_fd(number) };
    fcntl_setfd(&lifeline, FdFlags::CLOEXEC)?;
    Ok(UnixStream::from(lifeline))
}

/// Reads the profile. The file stays open, for the next jail.
pub(crate) fn profile(number: i32) -> io::Result<Profile> {
    #[expect(
        unsafe_code,
        reason = "an inherited descriptor is known by its number only"
    )]
    // SAFETY: it is borrowed for as long as it is read; one that is not open makes that fail.
    let file = unsafe { BorrowedFd::borrow_raw(number) };
    let mut file = File::from(file.try_clone_to_owned()?);
    file.rewind()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    serde_json::from_str(&text).map_err(io::Error::other)
}

/// Whatever else the host had open, such as its connection to the display, is none of the server's
/// business.
fn keep_the_rest_to_ourselves() -> io::Result<()> {
    let open: Vec<i32> = std::fs::read_dir("/dev/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    for number in open.into_iter().filter(|number| *number > 2) {
        #[expect(
            unsafe_code,
            reason = "an inherited descriptor is known by its number only"
        )]
        // SAFETY: it is borrowed for one call that sets a flag; one that is not open any more makes
        // that call fail, no more.
        let _ = fcntl_setfd(unsafe { BorrowedFd::borrow_raw(number) }, FdFlags::CLOEXEC);
    }
    Ok(())
}

fn start(launch: &Launch, walls: Option<Walls>) -> io::Result<Pid> {
    keep_the_rest_to_ourselves()?;
    system::adopt_orphans()?;
    let mut command = system::command(launch, walls.as_ref());
    let jail = getpid();
    let mut walls = walls;
    #[expect(
        unsafe_code,
        reason = "a session and a signal can be set between fork and exec only, and the standard library has no other door"
    )]
    // SAFETY: this process has one thread so far, so that the closure may do what any code may.
    unsafe {
        command.pre_exec(move || {
            // A session of its own: the terminal at which a person types their answers is not the
            // server's.
            setsid()?;
            system::bind_to_parent(jail)?;
            let walls = walls.take().map_or(Ok(()), Walls::apply);
            walls.map_err(|_| WALLS_FAILED.into())
        });
    }
    let child = command.spawn()?;
    Pid::from_raw(child.id().cast_signed())
        .ok_or_else(|| io::Error::other("a process without a number"))
}

/// The pipes to the host must end when the server ends, so the jail may not hold them.
pub(crate) fn let_go_of_stdio() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    Ok(())
}

/// Obeys the host, until it lets go.
fn listen(mut lifeline: UnixStream, server: &Server, rest: Rest) {
    let mut order = [0_u8];
    loop {
        match lifeline.read(&mut order) {
            Ok(1) if order[0] == TERMINATE => server.signal(Signal::TERM),
            Ok(1) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => break,
        }
    }
    server.signal(Signal::KILL);
    if rest == Rest::Descendants {
        system::kill_descendants();
    }
}

/// Waits for the server's end, reaping adopted orphans meanwhile.
fn reap(server: &Server, pid: Pid) -> u8 {
    loop {
        match waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return MISUSED,
        }
        let mut group = server.0.lock().unwrap_or_else(PoisonError::into_inner);
        match wait(WaitOptions::NOHANG) {
            Ok(Some((ended, status))) if ended == pid => {
                // Whoever is left in the group; its number is still taken while they live.
                let _ = kill_process_group(pid, Signal::KILL);
                *group = None;
                return code(status);
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return MISUSED,
        }
    }
}

fn code(status: WaitStatus) -> u8 {
    let code = status
        .exit_status()
        .or_else(|| status.terminating_signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok())
        .unwrap_or(u8::MAX)
}

fn tell(lifeline: &mut UnixStream, report: &Report) {
    // A host that is gone already does not need to know.
    let _ = lifeline.write_all(report.to_line().as_bytes());
}

fn hand_over(lifeline: &UnixStream, sockets: &[OwnedFd]) -> io::Result<()> {
    if sockets.is_empty() {
        return Ok(());
    }
    let sockets: Vec<BorrowedFd<'_>> = sockets.iter().map(AsFd::as_fd).collect();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_SOCKETS))];
    let mut attached = SendAncillaryBuffer::new(&mut space);
    if !attached.push(SendAncillaryMessage::ScmRights(&sockets)) {
        return Err(ErrorKind::InvalidInput.into());
    }
    let line = [IoSlice::new(SOCKETS.as_bytes())];
    sendmsg(lifeline, &line, &mut attached, SendFlags::empty())?;
    Ok(())
}

/// The system's words for an error.
pub(crate) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_lowercase()
}
