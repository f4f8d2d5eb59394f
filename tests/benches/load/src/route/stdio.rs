//! Ways over the standard input and output of one program.

use super::Measured;
use crate::host_program::HostProgram;
use load::Failure;
use load::call::Dialect;
use load::line::Stdio;
use load::phase::Phase;
use load::process;
use load::way::{Effort, Way, measure};
use std::process::Stdio as Pipe;
use std::time::Duration;
use tokio::process::{Child, Command};

/// A program with one line to it, which may be a host's bridge.
pub(super) struct OverStdio {
    child: Child,
    line: Option<Stdio>,
    host: Option<HostProgram>,
}

impl OverStdio {
    pub(super) fn to(child: Child, line: Stdio, host: Option<HostProgram>) -> Self {
        let line = Some(line);
        Self { child, line, host }
    }

    /// Ends the host, if there is one.
    pub(super) async fn end(self) -> Result<(), Failure> {
        match self.host {
            Some(host) => host.end().await,
            None => Ok(()),
        }
    }
}

pub(super) async fn measured(mut program: Command, phases: &[Phase], effort: Effort) -> Measured {
    let mut child = program
        .stdin(Pipe::piped())
        .stdout(Pipe::piped())
        .stderr(Pipe::null())
        .spawn()?;
    let line = Stdio::open(&mut child, Dialect::default()).await?;
    measure(&mut OverStdio::to(child, line, None), phases, effort).await
}

impl Way for OverStdio {
    type Line = Stdio;

    async fn lines(&mut self, _in_flight: usize) -> Result<Vec<Stdio>, Failure> {
        let line = self.line.take().ok_or("the line is in use")?;
        Ok(vec![line])
    }

    fn keep(&mut self, mut lines: Vec<Stdio>) {
        self.line = lines.pop();
    }

    fn cpu(&self) -> Option<Duration> {
        let program = process::cpu(self.child.id()?)?;
        match &self.host {
            Some(host) => Some(process::cpu(host.pid()?)? + program),
            None => Some(program),
        }
    }

    fn carrier_cpu(&self) -> Option<Duration> {
        self.host.as_ref()?;
        process::cpu(self.child.id()?)
    }

    fn peak_mib(&self) -> Option<f64> {
        let host = self.host.as_ref().map(HostProgram::pid);
        process::peak_mib(host.unwrap_or_else(|| self.child.id())?)
    }
}
