//! macOS: the server's process group is all that can be held. A process that leaves its group can
//! outlive the jail, and the server outlives a jail that is killed.

use crate::launch::Launch;
use crate::profile::{Network, Profile, Tier};
use crate::seatbelt;
use crate::strength::{Bounds, Strength};
use crate::unix::{self, Rest};
use rustix::process::{Pid, Resource, Rlimit, setrlimit};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::process::{Command, ExitCode, Stdio};

/// The system's own, at the one place where nobody else can put another.
const SANDBOX: &str = "/usr/bin/sandbox-exec";

/// What keeps a server within its profile, made before it is started.
pub(crate) struct Walls {
    text: String,
    open_files: u64,
}

impl Walls {
    /// Those for a profile. Fails where macOS cannot enforce it.
    pub(crate) fn of(profile: &Profile) -> io::Result<Self> {
        if profile.tier != Tier::Seatbelt {
            return Err(io::ErrorKind::Unsupported.into());
        }
        Ok(Self {
            text: seatbelt::text(profile)?,
            open_files: profile.limits.open_files,
        })
    }

    /// Bounds this process and all that it starts; `sandbox-exec` does the rest.
    pub(crate) fn apply(self) -> io::Result<()> {
        let most = Rlimit {
            current: Some(self.open_files),
            maximum: Some(self.open_files),
        };
        Ok(setrlimit(Resource::Nofile, most)?)
    }
}

/// The server's own command, behind macOS's sandbox if it is to be confined.
pub(crate) fn command(launch: &Launch, walls: Option<&Walls>) -> Command {
    let mut command = match walls {
        Some(walls) => {
            let mut command = Command::new(SANDBOX);
            command.args(["-p", &walls.text]).arg(&launch.command);
            command
        }
        None => Command::new(&launch.command),
    };
    command.args(&launch.args);
    command
}

/// The host answers on no network but that of the computer.
#[expect(clippy::unnecessary_wraps, reason = "the same door as on Linux")]
pub(crate) fn open_sockets(_network: &Network) -> io::Result<Vec<OwnedFd>> {
    Ok(Vec::new())
}

/// Says whether the sandbox works here.
pub(crate) fn say_strength(tiers: &[Tier]) -> ExitCode {
    let works = tiers.contains(&Tier::Seatbelt)
        && Command::new(SANDBOX)
            .args(["-p", "(version 1) (allow default)", "/usr/bin/true"])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
    let strength = Strength {
        tier: works.then_some(Tier::Seatbelt),
        bounds: Bounds::default(),
    };
    // Whoever asked may have gone.
    let _ = io::stdout().write_all(strength.to_line().as_bytes());
    ExitCode::SUCCESS
}

/// Only Linux has more than one.
pub(crate) fn try_tier(_tier: Tier) -> ExitCode {
    ExitCode::FAILURE
}

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
