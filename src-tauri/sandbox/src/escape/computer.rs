//! What there is on this computer that a program could be after.

use super::call::Argument::{Number, Out, Text};
use super::call::call;
use super::files::text;
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, ptsname, unlockpt};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::net::IpAddr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// A terminal: its outer end, and its inner.
pub(super) fn terminal() -> io::Result<(OwnedFd, OwnedFd)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let outer = openpt(flags)?;
    grantpt(&outer)?;
    unlockpt(&outer)?;
    let inner = ioctl_tiocgptpeer(&outer, flags)?;
    Ok((outer, inner))
}

/// Where the inner end of a terminal lies.
pub(super) fn terminal_path(outer: &OwnedFd) -> Option<PathBuf> {
    let path = ptsname(outer, Vec::new()).ok()?.into_bytes();
    Some(PathBuf::from(OsString::from_vec(path)))
}

/// The handle by which the kernel finds a file without a path.
pub(super) fn handle(path: &Path) -> io::Result<Vec<u8>> {
    const MOST: u32 = 128;
    let mut handle = vec![0; 8 + MOST as usize];
    handle[..4].copy_from_slice(&MOST.to_ne_bytes());
    let (path, mut mount) = (text(path)?, [0; 4]);
    call(
        libc::SYS_name_to_handle_at,
        [
            libc::AT_FDCWD.into(),
            Text(&path),
            Out(&mut handle),
            Out(&mut mount),
            Number(0),
        ],
    )?;
    Ok(handle)
}

/// Whom it asks for the addresses of names.
pub(super) fn resolver() -> Option<IpAddr> {
    let text = fs::read_to_string("/etc/resolv.conf").ok()?;
    let mut lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("nameserver "));
    lines.find_map(|address| address.trim().parse().ok())
}

/// One of its disks.
pub(super) fn disk() -> Option<PathBuf> {
    let devices = fs::read_dir("/sys/block").ok()?.flatten();
    let named = devices.map(|device| Path::new("/dev").join(device.file_name()));
    named.into_iter().find(|path| {
        let name = path.to_string_lossy();
        !name.starts_with("/dev/loop") && !name.starts_with("/dev/ram") && path.exists()
    })
}

/// Where groups of processes are to be found, of all kinds.
pub(super) fn groups() -> Vec<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let fields = mounts
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>());
    fields
        .filter(|fields| fields.get(2).is_some_and(|kind| kind.starts_with("cgroup")))
        .filter_map(|fields| fields.get(1).map(PathBuf::from))
        .collect()
}
