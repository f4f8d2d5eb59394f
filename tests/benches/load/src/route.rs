//! The ways to one tool, each with nothing or something between the load and the server.

use crate::host_program::{Folder, HostProgram, Stream};
use load::Failure;
use load::figures::Figures;
use load::line::{Http, Speech, Stdio};
use load::phase::Phase;
use load::process;
use load::programs::{beside, command};
use load::setup::ready;
use load::way::{Effort, Way, measure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::process::Stdio as Pipe;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// A way to the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// Nothing between.
    Direct,
    /// The official SDK's bare passthrough, over standard input and output.
    Stdio,
    /// The same over Streamable HTTP, on connections that stay open.
    Http,
    /// Majordomo, in the process that calls.
    Inside,
    /// Majordomo as a program, on connections to its door that stay open.
    Door,
}

impl Route {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Direct,
        Self::Stdio,
        Self::Http,
        Self::Inside,
        Self::Door,
    ];

    /// By which it is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Inside => "inside",
            Self::Door => "door",
        }
    }

    /// Whether a phase is measured on it. What grows is Majordomo's question only.
    pub fn takes(self, phase: Phase) -> bool {
        phase != Phase::Growth || matches!(self, Self::Inside | Self::Door)
    }

    /// Measures phases on it, in one life of everything that is between.
    pub async fn measure(
        self,
        phases: &[Phase],
        effort: Effort,
    ) -> Result<BTreeMap<Phase, Figures>, Failure> {
        let server = beside("load-server")?;
        match self {
            Self::Direct => over_stdio(command(&server), phases, effort).await,
            Self::Stdio => {
                let mut passthrough = command(&beside("load-passthrough")?);
                passthrough.arg(server);
                over_stdio(passthrough, phases, effort).await
            }
            Self::Http => {
                let mut passthrough = command(&beside("load-passthrough")?);
                passthrough.arg("--http").arg(server);
                let (child, address) = listening(passthrough).await?;
                measure(&mut OverHttp { child, address }, phases, effort).await
            }
            Self::Inside => inside(phases, effort).await,
            Self::Door => {
                let folder = Folder::fresh()?;
                let host = HostProgram::start(&folder).await?;
                ready(&host, &server).await?;
                let mut door = ByDoor { host };
                let figures = measure(&mut door, phases, effort).await?;
                door.host.end().await?;
                Ok(figures)
            }
        }
    }
}

struct OverStdio {
    child: Child,
    line: Option<Stdio>,
}

async fn over_stdio(
    mut program: Command,
    phases: &[Phase],
    effort: Effort,
) -> Result<BTreeMap<Phase, Figures>, Failure> {
    let mut child = program
        .stdin(Pipe::piped())
        .stdout(Pipe::piped())
        .stderr(Pipe::null())
        .spawn()?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (into, out) = pipes.ok_or("a process has no pipes")?;
    let line = Some(Stdio::open(into, out).await?);
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

struct OverHttp {
    child: Child,
    address: String,
}

/// Starts a program that says on its first line where it listens.
async fn listening(mut program: Command) -> Result<(Child, String), Failure> {
    let mut child = program
        .stdin(Pipe::null())
        .stdout(Pipe::piped())
        .stderr(Pipe::null())
        .spawn()?;
    let out = child.stdout.take().ok_or("a process has no pipes")?;
    let mut address = String::new();
    BufReader::new(out).read_line(&mut address).await?;
    Ok((child, address.trim().to_owned()))
}

impl Way for OverHttp {
    type Line = Http<TcpStream>;

    async fn lines(&mut self, in_flight: usize) -> Result<Vec<Self::Line>, Failure> {
        let mut lines = Vec::with_capacity(in_flight);
        for _ in 0..in_flight {
            let stream = TcpStream::connect(&self.address).await?;
            stream.set_nodelay(true)?;
            lines.push(Http::new(stream, &self.address, Speech::Mcp));
        }
        Ok(lines)
    }

    fn cpu(&self) -> Option<Duration> {
        process::cpu(self.child.id()?)
    }

    fn peak_mib(&self) -> Option<f64> {
        process::peak_mib(self.child.id()?)
    }
}

struct ByDoor {
    host: HostProgram,
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
async fn inside(phases: &[Phase], effort: Effort) -> Result<BTreeMap<Phase, Figures>, Failure> {
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
