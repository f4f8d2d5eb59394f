//! Files outside: of folders that the program was not given.

use super::Attempt;
use super::call::Argument::{In, Text};
use super::call::call;
use super::targets::{SECRET, Targets, known, secret_in};
use rustix::fs::{
    AtFlags, CWD, Mode, OFlags, RenameFlags, Timespec, Timestamps, UTIME_OMIT, XattrFlags, chmodat,
    openat, renameat_with, setxattr, utimensat,
};
use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// `setxattrat`, which the C library does not know yet.
const SETXATTRAT: libc::c_long = 463;
/// `file_setattr`, likewise.
const FILE_SETATTR: libc::c_long = 469;
/// How often somebody who races tries.
const RACES: usize = 20_000;

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::anyone("reads_a_file_outside", |to| read(&to.secret())),
    Attempt::anyone("lists_a_folder_outside", |to| {
        let found = fs::read_dir(&to.outside)?.count();
        Ok(format!("{found} names"))
    }),
    Attempt::anyone("writes_to_a_file_outside", |to| {
        let mut file = File::options().append(true).open(to.secret())?;
        file.write_all(b"changed").map(|()| "written".to_owned())
    }),
    Attempt::anyone("makes_a_file_outside", |to| {
        File::create_new(to.outside.join("new")).map(|_| "made".to_owned())
    }),
    Attempt::anyone("makes_a_folder_outside", |to| {
        fs::create_dir(to.outside.join("new")).map(|()| "made".to_owned())
    }),
    Attempt::anyone("makes_a_link_outside", |to| {
        symlink("/", to.outside.join("new")).map(|()| "made".to_owned())
    }),
    Attempt::anyone("makes_a_pipe_outside", |to| {
        let path = to.outside.join("new");
        rustix::fs::mkfifoat(CWD, path, Mode::RWXU)?;
        Ok("made".to_owned())
    }),
    Attempt::anyone("deletes_a_file_outside", |to| {
        fs::remove_file(to.secret()).map(|()| "deleted".to_owned())
    }),
    Attempt::anyone("renames_a_file_outside", |to| {
        fs::rename(to.secret(), to.outside.join("new")).map(|()| "renamed".to_owned())
    }),
    Attempt::anyone("moves_a_file_out_of_its_folder", |to| {
        let here = to.root.join("mine");
        fs::write(&here, "mine")?;
        fs::rename(here, to.outside.join("new")).map(|()| "moved".to_owned())
    }),
    Attempt::anyone("moves_a_file_into_its_folder", |to| {
        fs::rename(to.secret(), to.root.join("new")).map(|()| "moved".to_owned())
    }),
    Attempt::anyone("exchanges_a_file_with_one_outside", |to| {
        let here = to.root.join("mine");
        fs::write(&here, "mine")?;
        renameat_with(CWD, here, CWD, to.secret(), RenameFlags::EXCHANGE)?;
        Ok("exchanged".to_owned())
    }),
    Attempt::anyone("makes_a_hard_link_to_a_file_outside", |to| {
        let here = to.root.join("new");
        fs::hard_link(to.secret(), &here)?;
        read(&here)
    }),
    Attempt::anyone("makes_a_hard_link_to_a_file_of_its_own_outside", |to| {
        let here = to.root.join("mine");
        fs::write(&here, "mine")?;
        fs::hard_link(here, to.outside.join("new")).map(|()| "made".to_owned())
    }),
    Attempt::anyone("reads_through_a_link_that_leads_out", |to| {
        let link = to.root.join("link");
        symlink(to.secret(), &link)?;
        read(&link)
    }),
    Attempt::anyone("reads_through_a_relative_link_that_leads_out", |to| {
        let link = to.root.join("link");
        symlink("../outside/secret", &link)?;
        read(&link)
    }),
    Attempt::anyone("swaps_a_link_while_it_is_opened", swaps_a_link),
    Attempt::anyone("truncates_a_file_outside", |to| {
        let path = text(&to.secret())?;
        call(libc::SYS_truncate, [Text(&path), 0.into()]).map(|_| "truncated".to_owned())
    }),
    Attempt::anyone("truncates_a_file_outside_by_opening_it", |to| {
        let flags = OFlags::RDONLY | OFlags::TRUNC;
        openat(CWD, to.secret(), flags, Mode::empty())?;
        Ok("truncated".to_owned())
    }),
    Attempt::anyone("changes_the_mode_of_a_file_outside", |to| {
        chmodat(CWD, to.secret(), Mode::RWXU, AtFlags::empty())?;
        Ok("changed".to_owned())
    }),
    Attempt::anyone("changes_the_times_of_a_file_outside", |to| {
        let at = |nanoseconds| Timespec {
            tv_sec: 1,
            tv_nsec: nanoseconds,
        };
        let times = Timestamps {
            last_access: at(UTIME_OMIT),
            last_modification: at(0),
        };
        utimensat(CWD, to.secret(), &times, AtFlags::empty())?;
        Ok("changed".to_owned())
    }),
    Attempt::some("changes_an_attribute_of_a_file_outside", |to| {
        setxattr(to.secret(), "user.escape", b"1", XattrFlags::empty())?;
        Ok("changed".to_owned())
    }),
    Attempt::some("changes_an_attribute_by_the_newer_call", |to| {
        let value = b"1";
        let arguments = [
            (value.as_ptr() as u64).to_ne_bytes(),
            u64::from(1_u32.to_le()).to_ne_bytes(),
        ]
        .concat();
        let path = text(&to.secret())?;
        call(
            SETXATTRAT,
            [
                libc::AT_FDCWD.into(),
                Text(&path),
                0.into(),
                Text(c"user.escape"),
                In(&arguments),
                16.into(),
            ],
        )
        .map(|_| "changed".to_owned())
    }),
    Attempt::some("changes_flags_of_a_file_outside", |to| {
        // `FS_XFLAG_NODUMP`, which means nothing to anybody today.
        let attributes = [0x80_u64.to_ne_bytes(), [0; 8], [0; 8]].concat();
        let path = text(&to.secret())?;
        call(
            FILE_SETATTR,
            [
                libc::AT_FDCWD.into(),
                Text(&path),
                In(&attributes),
                24.into(),
                0.into(),
            ],
        )
        .map(|_| "changed".to_owned())
    }),
    Attempt::anyone("sees_the_size_of_a_file_outside", |to| {
        fs::metadata(to.secret()).map(|file| format!("{} bytes", file.len()))
    }),
    Attempt::anyone("reads_where_a_link_outside_leads", |to| {
        fs::read_link(to.outside.join("link")).map(|target| target.display().to_string())
    }),
    Attempt::some("watches_a_folder_outside", |to| {
        let watch = rustix::fs::inotify::init(rustix::fs::inotify::CreateFlags::CLOEXEC)?;
        let what = rustix::fs::inotify::WatchFlags::OPEN;
        rustix::fs::inotify::add_watch(&watch, &to.outside, what)?;
        Ok("watched".to_owned())
    }),
    Attempt::root("opens_a_file_outside_by_its_handle", |to| {
        let mut handle = known(to.handle.clone())?;
        let here = File::open(&to.root)?;
        let file = call(
            libc::SYS_open_by_handle_at,
            [here.as_raw_fd().into(), In(&handle), libc::O_RDONLY.into()],
        )?;
        handle.resize(SECRET.len(), 0);
        call(
            libc::SYS_read,
            [
                file.into(),
                super::call::Argument::Out(&mut handle),
                (SECRET.len() as i64).into(),
            ],
        )?;
        secret_in(&handle)
    }),
    Attempt::anyone("reads_the_settings_of_the_hardware", |_| {
        let found = fs::read_dir("/sys")?.count();
        Ok(format!("{found} names"))
    }),
];

/// Reads a file that holds the secret.
pub(super) fn read(path: &Path) -> io::Result<String> {
    secret_in(&fs::read(path)?)
}

/// A path for a system call.
pub(super) fn text(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// Where a check of the path and its use are two things, the second meets another file.
fn swaps_a_link(to: &Targets) -> io::Result<String> {
    let (door, trap) = (to.root.join("door"), to.root.join("trap"));
    fs::write(&door, "mine")?;
    symlink(to.secret(), &trap)?;
    let is_over = AtomicBool::new(false);
    let is_over = &is_over;
    thread::scope(|threads| {
        threads.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let _ = renameat_with(CWD, &door, CWD, &trap, RenameFlags::EXCHANGE);
            }
        });
        let mut result = Err(io::Error::other("never tried"));
        for _ in 0..RACES {
            let mut found = String::new();
            let opened = File::open(&door).and_then(|mut file| file.read_to_string(&mut found));
            result = opened.and_then(|_| secret_in(found.as_bytes()));
            if result.is_ok() {
                break;
            }
        }
        is_over.store(true, Ordering::Relaxed);
        result
    })
}
