//! macOS: the server's process group is all that can be held. A process that leaves its group can
//! outlive the jail, and the server outlives a jail that is killed.

use crate::launch::Launch;
use crate::unix::{self, Rest};
use rustix::process::Pid;
use std::io;
use std::process::ExitCode;

/// Runs one server from start to end.
pub(crate) fn run(launch: &Launch) -> ExitCode {
    unix::run(launch, Rest::Descendants)
}

/// macOS knows no namespaces.
pub(crate) fn try_namespace() -> ExitCode {
    ExitCode::FAILURE
}

/// macOS knows no subreaper.
#[expect(clippy::unnecessary_wraps, reason = "the same door as on Linux")]
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// macOS knows no signal on a parent's death.
#[expect(clippy::unnecessary_wraps, reason = "the same door as on Linux")]
pub(crate) fn bind_to_parent(_jail: Pid) -> io::Result<()> {
    Ok(())
}

/// The group was killed by the caller; others cannot be told from strangers.
pub(crate) fn kill_descendants() {}

/// See [`kill_descendants`].
pub(crate) fn sweep() {}
