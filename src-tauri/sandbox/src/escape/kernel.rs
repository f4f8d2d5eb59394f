//! The kernel: powers that a program must not get, and doors that are often left open.

use super::Attempt;
use super::call::Argument::{In, Number, Out, Text};
use super::call::{call, end, fork};
use super::targets::{Targets, known};
use rustix::fs::{MemfdFlags, OFlags, memfd_create};
use rustix::mount::{
    FsOpenFlags, MountFlags, OpenTreeFlags, UnmountFlags, fsopen, mount, open_tree, unmount,
};
use rustix::process::{PidfdFlags, geteuid, getpid, ioctl_tiocsctty, pidfd_open, setsid};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// `open_tree_attr`, which the C library does not know yet.
const OPEN_TREE_ATTR: libc::c_long = 467;
/// Programs that make everybody root for what they do.
const PROGRAMS_OF_ROOT: &[&str] = &["/usr/bin/mount", "/usr/bin/su", "/usr/bin/passwd"];

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::root("has_a_power_of_root", |_| {
        let has = rustix::thread::capabilities(None)?;
        if has.effective.is_empty() && has.permitted.is_empty() {
            return Err(io::Error::other("it has none"));
        }
        Ok(format!("{:?}", has.permitted))
    }),
    Attempt::some("becomes_root_by_a_program", becomes_root),
    Attempt::some("makes_users_of_its_own", |_| {
        call(libc::SYS_unshare, [libc::CLONE_NEWUSER.into()]).map(|_| "made".to_owned())
    }),
    Attempt::some("starts_a_child_with_users_of_its_own", |_| {
        let flags = libc::CLONE_NEWUSER | libc::SIGCHLD;
        child(call(
            libc::SYS_clone,
            [flags.into(), 0.into(), 0.into(), 0.into(), 0.into()],
        )?)
    }),
    Attempt::some("starts_such_a_child_by_the_newer_call", |_| {
        let mut how = [0; 88];
        how[..8].copy_from_slice(&(libc::CLONE_NEWUSER as u64).to_ne_bytes());
        how[32..40].copy_from_slice(&(libc::SIGCHLD as u64).to_ne_bytes());
        child(call(libc::SYS_clone3, [In(&how), Number(88)])?)
    }),
    Attempt::root("joins_a_namespace_of_another_process", |to| {
        let other = super::processes::pid(to.bystander.pid)?;
        // Where that one is not to be found, its own will do.
        let process = pidfd_open(other, PidfdFlags::empty())
            .or_else(|_| pidfd_open(getpid(), PidfdFlags::empty()))?;
        let arguments = [process.as_raw_fd().into(), libc::CLONE_NEWUTS.into()];
        call(libc::SYS_setns, arguments).map(|_| "joined".to_owned())
    }),
    Attempt::root("mounts_something", |to| {
        mount(c"none", &to.root, c"tmpfs", MountFlags::empty(), None)?;
        unmount(&to.root, UnmountFlags::DETACH)?;
        Ok("mounted".to_owned())
    }),
    Attempt::root("prepares_a_mount_by_the_newer_call", |_| {
        fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
        Ok("prepared".to_owned())
    }),
    Attempt::root("copies_a_mount", |_| {
        let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        open_tree(rustix::fs::CWD, "/", flags)?;
        Ok("copied".to_owned())
    }),
    Attempt::some("copies_a_mount_by_the_newer_call", |_| {
        let attributes = [0; 32];
        let arguments = [
            libc::AT_FDCWD.into(),
            Text(c"/"),
            Number(1),
            In(&attributes),
            Number(32),
        ];
        call(OPEN_TREE_ATTR, arguments).map(|_| "copied".to_owned())
    }),
    Attempt::root("changes_its_root", |_| {
        call(libc::SYS_chroot, [Text(c"/")]).map(|_| "changed".to_owned())
    }),
    Attempt::root("names_the_computer", |_| {
        let name = rustix::system::uname();
        let name = name.nodename();
        let arguments = [Text(name), Number(name.to_bytes().len() as i64)];
        call(libc::SYS_sethostname, arguments).map(|_| "named".to_owned())
    }),
    Attempt::some("sets_up_io_uring", |_| {
        let mut parameters = [0; 120];
        call(libc::SYS_io_uring_setup, [Number(1), Out(&mut parameters)])
            .map(|_| "set up".to_owned())
    }),
    Attempt::some("uses_the_users_keys", |_| {
        // `KEYCTL_GET_KEYRING_ID` of `KEY_SPEC_USER_KEYRING`.
        call(libc::SYS_keyctl, [Number(0), Number(-4), Number(0)])
            .map(|keyring| format!("keyring {keyring}"))
    }),
    Attempt::some("loads_a_program_into_the_kernel", |_| {
        // `BPF_MAP_CREATE`: an array of one number.
        let mut map = [0; 128];
        for (place, number) in map.chunks_exact_mut(4).zip([2_u32, 4, 4, 1]) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        call(libc::SYS_bpf, [Number(0), In(&map), Number(128)]).map(|_| "loaded".to_owned())
    }),
    Attempt::some("answers_for_missing_pages", |_| {
        // `UFFD_USER_MODE_ONLY`.
        call(libc::SYS_userfaultfd, [Number(1)]).map(|_| "opened".to_owned())
    }),
    Attempt::some("counts_events_of_the_processor", |_| {
        // The clock of its own task, without the kernel.
        let mut event = [0; 64];
        for (at, number) in [(0, 1_u64 | 64 << 32), (8, 1), (40, 0b110_0000)] {
            event[at..at + 8].copy_from_slice(&number.to_ne_bytes());
        }
        let arguments = [In(&event), Number(0), Number(-1), Number(-1), Number(0)];
        call(libc::SYS_perf_event_open, arguments).map(|_| "opened".to_owned())
    }),
    Attempt::some("watches_files_for_the_whole_system", |_| {
        // `FAN_REPORT_FID`, with which others than root can.
        call(libc::SYS_fanotify_init, [Number(0x200), Number(0)]).map(|_| "opened".to_owned())
    }),
    Attempt::root("reads_what_the_kernel_has_written", |_| {
        let mut lines = [0; 256];
        // `SYSLOG_ACTION_READ_ALL`.
        call(libc::SYS_syslog, [Number(3), Out(&mut lines), Number(256)])
            .map(|length| format!("{length} bytes"))
    }),
    #[cfg(target_arch = "x86_64")]
    Attempt::some("uses_ports_of_the_hardware", |_| {
        call(libc::SYS_ioperm, [Number(0x80), Number(1), Number(1)]).map(|_| "allowed".to_owned())
    }),
    #[cfg(target_arch = "x86_64")]
    Attempt::some("calls_the_kernel_as_an_older_processor", |_| {
        old_getpid().map(|process| format!("it is process {process}"))
    }),
    #[cfg(target_arch = "x86_64")]
    Attempt::some("calls_the_kernel_by_numbers_of_x32", |_| {
        call(0x4000_0000 | libc::SYS_getpid, []).map(|process| format!("it is process {process}"))
    }),
    Attempt::anyone("runs_a_program_from_memory", runs_from_memory),
    Attempt::some("types_into_its_terminal", |_| {
        let _ = setsid();
        ioctl_tiocsctty(rustix::stdio::stderr())
            .map_err(|_| io::Error::other("it has no terminal"))?;
        let arguments = [Number(2), Number(libc::TIOCSTI as i64), In(b"x")];
        call(libc::SYS_ioctl, arguments).map(|_| "typed".to_owned())
    }),
    Attempt::some("writes_to_the_terminal_of_another", |to| {
        let mut terminal = File::options()
            .write(true)
            .open(known(to.terminal.clone())?)?;
        terminal.write_all(b"x").map(|()| "written".to_owned())
    }),
    Attempt::some("opens_the_memory_of_the_computer", |_| {
        open("/dev/mem", false)
    }),
    Attempt::some("opens_the_messages_of_the_kernel", |_| {
        open("/dev/kmsg", false)
    }),
    Attempt::some("opens_a_disk", |to| open(known(to.disk.clone())?, false)),
    // Opened only: what they say is not changed.
    Attempt::root("sets_what_runs_when_a_program_crashes", |_| {
        open("/proc/sys/kernel/core_pattern", true)
    }),
    Attempt::some("presses_a_key_for_the_kernel", |_| {
        open("/proc/sysrq-trigger", true)
    }),
    Attempt::some("leaves_its_group_of_processes", |to| {
        let mut result = Err(io::Error::other("there are no groups"));
        for group in &to.groups {
            result = open(group.join("cgroup.procs"), true);
            if result.is_ok() {
                break;
            }
        }
        result
    }),
    Attempt::some("writes_its_memory_to_the_disk_when_it_crashes", |_| {
        crashes()
    }),
];

fn open(path: impl AsRef<Path>, to_write: bool) -> io::Result<String> {
    let mut options = File::options();
    options.read(!to_write).write(to_write);
    options.open(path).map(|_| "opened".to_owned())
}

/// What both sides do after a call that made a child.
fn child(process: i64) -> io::Result<String> {
    if process == 0 {
        end()
    }
    Ok("started".to_owned())
}

/// Starts a program that belongs to root, and looks to whom the process belongs.
fn becomes_root(_: &Targets) -> io::Result<String> {
    let own = geteuid();
    if own.is_root() {
        return Err(io::Error::other("it is root already"));
    }
    let is_of_root =
        |path: &&&str| fs::metadata(path).is_ok_and(|file| file.mode() & 0o4004 == 0o4004);
    let program = known(PROGRAMS_OF_ROOT.iter().find(is_of_root))?;
    // Nobody takes what it says, so that it does not end before it was looked at.
    let (reads, writes) = full_pipe()?;
    let mut child = Command::new(program)
        .arg("--help")
        .stdin(Stdio::null())
        .stdout(writes.try_clone()?)
        .stderr(writes)
        .spawn()?;
    let owner = fs::metadata(format!("/proc/{}", child.id())).map(|process| process.uid());
    drop(reads);
    child.wait()?;
    match owner? {
        owner if owner == own.as_raw() => Err(io::Error::other("it is who it was")),
        owner => Ok(format!("it is {owner}")),
    }
}

fn full_pipe() -> io::Result<(io::PipeReader, io::PipeWriter)> {
    let (reads, mut writes) = io::pipe()?;
    let flags = rustix::fs::fcntl_getfl(&writes)?;
    rustix::fs::fcntl_setfl(&writes, flags | OFlags::NONBLOCK)?;
    while writes.write(&[0; 4096]).is_ok() {}
    rustix::fs::fcntl_setfl(&writes, flags)?;
    Ok((reads, writes))
}

fn runs_from_memory(_: &Targets) -> io::Result<String> {
    let program = fs::read("/bin/true")?;
    // Where memory is no program unless one says so, one says so.
    let memory = memfd_create("program", MemfdFlags::EXEC | MemfdFlags::CLOEXEC)
        .or_else(|_| memfd_create("program", MemfdFlags::CLOEXEC))?;
    File::from(memory.try_clone()?).write_all(&program)?;
    // A file that is open for writing is no program.
    let path = format!("/proc/self/fd/{}", memory.as_raw_fd());
    let reads = File::open(path)?;
    drop(memory);
    let status = Command::new(format!("/proc/self/fd/{}", reads.as_raw_fd()))
        .arg0("true")
        .status()?;
    Ok(format!("it ran: {status}"))
}

/// Asks for the number of the process as programs of 32 bits do.
#[cfg(target_arch = "x86_64")]
fn old_getpid() -> io::Result<i32> {
    let mut result = 20_i32;
    #[expect(unsafe_code, reason = "there is no such call in a program of 64 bits")]
    // SAFETY: it takes nothing and changes nothing but the registers that are named.
    unsafe {
        core::arch::asm!(
            "int 0x80",
            inlateout("eax") result,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
        );
    }
    if result < 0 {
        Err(io::Error::from_raw_os_error(-result))
    } else {
        Ok(result)
    }
}

fn crashes() -> io::Result<String> {
    let mut pattern = String::new();
    // Where it cannot be read, it is no program to which everything is told.
    let _ = File::open("/proc/sys/kernel/core_pattern")
        .and_then(|mut file| file.read_to_string(&mut pattern));
    if pattern.starts_with('|') {
        return Err(io::Error::other("a program of the system is told"));
    }
    let all = rustix::process::getrlimit(rustix::process::Resource::Core).maximum;
    let all = rustix::process::Rlimit {
        current: all,
        maximum: all,
    };
    rustix::process::setrlimit(rustix::process::Resource::Core, all)?;
    let child = fork(|| std::process::abort())?;
    let ended = rustix::process::waitpid(Some(child), rustix::process::WaitOptions::empty())?;
    let dumped = ended.is_some_and(|(_, status)| libc::WCOREDUMP(status.as_raw()));
    if dumped {
        Ok("it was written".to_owned())
    } else {
        Err(io::Error::other("nothing was written"))
    }
}
