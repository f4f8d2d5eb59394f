//! macOS: the server's process group is all that can be held. A process that leaves its group can
//! outlive the jail, and the server outlives a jail that is killed.

pub(crate) use crate::unix::run;
use std::io;
use std::process::Command;

/// macOS knows no subreaper.
#[expect(clippy::unnecessary_wraps, reason = "the same door as on Linux")]
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// macOS knows no signal on a parent's death.
pub(crate) fn bind_to_parent(_command: &mut Command) {}

/// The group was killed by the caller; others cannot be told from strangers.
pub(crate) fn kill_descendants() {}

/// See [`kill_descendants`].
pub(crate) fn sweep() {}
