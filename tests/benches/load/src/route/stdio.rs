//! Ways over the standard input and output of one program.

use super::Measured;
use load::Failure;
use load::call::Dialect;
use load::line::Stdio;
use load::phase::Phase;
use load::process;
use load::way::{Effort, Way, measure};
use std::process::Stdio as Pipe;
use std::time::Duration;
use tokio::process::{Child, Command};

struct OverStdio {
    child: Child,
    line: Option<Stdio>,
}

pub(super) async fn measured(mut program: Command, phases: &[Phase], effort: Effort) -> Measured {
    let mut child = program
        .stdin(Pipe::piped())
        .stdout(Pipe::piped())
        .stderr(Pipe::null())
        .spawn()?;
    let line = Some(Stdio::open(&mut child, Dialect::default()).await?);
    measure(&mut OverStdio { child, line }, phases, effort).await
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
        process::cpu(self.child.id()?)
    }

    fn peak_mib(&self) -> Option<f64> {
        process::peak_mib(self.child.id()?)
    }
}
