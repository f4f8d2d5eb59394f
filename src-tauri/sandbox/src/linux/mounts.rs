//! Mounts, one by one: each is made ready before anybody sees it, and goes where it was said to go.
//!
//! Always true here: no path is followed through a link. Whoever could put one there in the last
//! moment makes the call fail, and gets nothing.

use super::paths::hold;
use rustix::fs::{FileType, fstat};
use rustix::mount::{MoveMountFlags, OpenTreeFlags, move_mount, open_tree};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;

/// What a mount lets do; none lets a program make anybody somebody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lets {
    /// Something in it is changed.
    pub(super) change: bool,
    /// Devices in it are devices.
    pub(super) devices: bool,
}

/// Whether it is a folder.
pub(super) fn is_folder(held: &OwnedFd) -> io::Result<bool> {
    Ok(FileType::from_raw_mode(fstat(held)?.st_mode) == FileType::Directory)
}

/// Lays something over something else, with all that is mounted below it.
pub(super) fn lay(what: &OwnedFd, over: &OwnedFd, lets: Lets) -> io::Result<()> {
    place(&copy(what, lets)?, over)
}

/// Something once more, not to be seen anywhere yet.
pub(super) fn copy(what: &OwnedFd, lets: Lets) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_EMPTY_PATH
        | OpenTreeFlags::AT_RECURSIVE;
    let copy = open_tree(what, c"", flags)?;
    restrict(&copy, lets, libc::AT_RECURSIVE)?;
    Ok(copy)
}

/// Puts what was copied over something.
pub(super) fn place(copy: &OwnedFd, over: &OwnedFd) -> io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    Ok(move_mount(copy, c"", over, c"", flags)?)
}

/// Lets nothing be changed any more in the mount that lies at a path; those below it stay.
pub(super) fn seal(path: &Path) -> io::Result<()> {
    let lets = Lets {
        change: false,
        devices: false,
    };
    restrict(&hold(path)?, lets, 0)
}

fn restrict(mount: &OwnedFd, lets: Lets, below: libc::c_int) -> io::Result<()> {
    let mut set = libc::MOUNT_ATTR_NOSUID;
    if !lets.devices {
        set |= libc::MOUNT_ATTR_NODEV;
    }
    if !lets.change {
        set |= libc::MOUNT_ATTR_RDONLY;
    }
    let attributes = libc::mount_attr {
        attr_set: set,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    #[expect(unsafe_code, reason = "no library has this call yet")]
    // SAFETY: the path and the attributes live as long as the call, and the size is theirs.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_fd().as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | below,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
