//! Majordomo's own ways: in the process that calls, and by the door for its own programs.

use super::Measured;
use crate::host_program::{Folder, HostProgram, Stream};
use load::Failure;
use load::line::Http;
use load::phase::Phase;
use load::process;
use load::programs::{beside, command};
use load::setup::ready;
use load::way::{Effort, Way, measure};
use std::path::Path;
use std::process::Stdio as Pipe;
use std::time::Duration;
use tokio::io::AsyncReadExt as _;

struct ByDoor {
    host: HostProgram,
}

pub(super) async fn by_door(server: &Path, phases: &[Phase], effort: Effort) -> Measured {
    let folder = Folder::fresh()?;
    let host = HostProgram::start(&folder).await?;
    ready(&host, server).await?;
    let mut door = ByDoor { host };
    let figures = measure(&mut door, phases, effort).await?;
    door.host.end().await?;
    Ok(figures)
}

impl Way for ByDoor {
    type Line = Http<Stream>;

    async fn lines(&mut self, in_flight: usize) -> Result<Vec<Self::Line>, Failure> {
        let mut lines = Vec::with_capacity(in_flight);
        for _ in 0..in_flight {
            lines.push(self.host.line().await?);
        }
        Ok(lines)
    }

    fn cpu(&self) -> Option<Duration> {
        process::cpu(self.host.pid()?)
    }

    fn peak_mib(&self) -> Option<f64> {
        process::peak_mib(self.host.pid()?)
    }
}

/// A process of its own measures there: its runtime is the host's.
pub(super) async fn inside(phases: &[Phase], effort: Effort) -> Measured {
    let mut child = command(&beside("load-inside")?)
        .arg(serde_json::to_string(phases)?)
        .arg(serde_json::to_string(&effort)?)
        .stdin(Pipe::null())
        .stdout(Pipe::piped())
        .spawn()?;
    let mut out = child.stdout.take().ok_or("a process has no pipes")?;
    let mut figures = String::new();
    out.read_to_string(&mut figures).await?;
    if !child.wait().await?.success() {
        return Err("the host inside a process could not be measured".into());
    }
    Ok(serde_json::from_str(&figures)?)
}
