//! Ways to one program over Streamable HTTP.

use super::Measured;
use load::Failure;
use load::line::{Http, OfClient, Speech};
use load::phase::Phase;
use load::process;
use load::way::{Effort, Way, measure};
use std::process::Stdio as Pipe;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

struct OverHttp {
    child: Child,
    address: String,
}

pub(super) async fn measured(program: Command, phases: &[Phase], effort: Effort) -> Measured {
    let (child, address) = listening(program).await?;
    measure(&mut OverHttp { child, address }, phases, effort).await
}

/// A connection that stays open.
pub(super) async fn connect(address: &str, client: &OfClient) -> Result<Http<TcpStream>, Failure> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(Http::new(stream, address, Speech::Mcp(client.clone())))
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
            lines.push(connect(&self.address, &OfClient::default()).await?);
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
