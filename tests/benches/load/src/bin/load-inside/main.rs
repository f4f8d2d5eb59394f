//! `load-inside PHASES EFFORT`: a host in this process, called by its contract as every surface
//! calls it. Both words are JSON; what was measured is printed as JSON.
//!
//! Always true here: the processor time is that of this process, which makes the calls and checks
//! the answers as well; that of the server is not in it.

use api::AnyRequest;
use host::api::ApproverKind;
use host::{
    Approver, Browser, Clock, Host, HostError, KeyringChoice, Limits, Options, Programs, Proxy,
    Restart, Setup, StartServers, Surface, Telemetry,
};
use load::Failure;
use load::call::{Call, Reply};
use load::line::Line;
use load::process;
use load::programs::beside;
use load::setup::{Asks, ready};
use load::way::{Way, measure};
use protocol::Caller;
use serde_json::value::RawValue;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// How long a call may take: nobody is waited for here.
const LIMIT: Duration = Duration::from_secs(120);

#[tokio::main]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "whoever starts it reads what was measured"
)]
async fn main() -> ExitCode {
    match measured().await {
        Ok(figures) => {
            println!("{figures}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("load-inside: {problem}");
            ExitCode::FAILURE
        }
    }
}

async fn measured() -> Result<String, Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [phases, effort] = words.as_slice() else {
        return Err("usage: load-inside PHASES EFFORT".into());
    };
    let (phases, effort) = (
        serde_json::from_str::<Vec<_>>(phases)?,
        serde_json::from_str(effort)?,
    );
    let folder = tempfile::tempdir()?;
    let host = Host::open(options(folder.path())?).await?;
    let person = Person {
        host: host.clone(),
        surface: Surface::of(Caller::terminal(), Some(Approver::Terminal)),
    };
    let figures = async {
        ready(&person, &beside("load-server")?).await?;
        let mut inside = Inside { host: host.clone() };
        measure(&mut inside, &phases, effort).await
    };
    let figures = figures.await;
    host.close().await;
    Ok(serde_json::to_string(&figures?)?)
}

fn options(data_dir: &Path) -> Result<Options, Failure> {
    Ok(Options {
        data_dir: data_dir.to_owned(),
        setup: Setup {
            programs: Programs {
                own: beside("majordomoctl")?,
                jail: beside("majordomo-jail")?,
            },
            limits: Limits {
                start: LIMIT,
                call: LIMIT,
                call_maximum: LIMIT,
                list: LIMIT,
            },
            restart: Restart::default(),
            idle: LIMIT,
            proxy: Proxy::None,
            client_document: None,
            browser: Browser::system(),
            start: StartServers::AtOnce,
            folders: None,
        },
        approver: ApproverKind::Terminal,
        keyring: KeyringChoice::Absent("a load keeps no secrets".into()),
        clock: Clock::System,
        policy_file: None,
        telemetry: Telemetry::default(),
    })
}

struct Person {
    host: Host,
    surface: Surface,
}

impl Asks for Person {
    async fn ask<R: api::Request>(&self, request: R) -> Result<R::Reply, HostError> {
        self.host.ask(request, &self.surface).await
    }
}

struct Inside {
    host: Host,
}

impl Way for Inside {
    type Line = Door;

    async fn lines(&mut self, in_flight: usize) -> Result<Vec<Door>, Failure> {
        let line = || Door {
            host: self.host.clone(),
            surface: Surface::of(Caller::terminal(), None),
            request: None,
            reply: None,
        };
        Ok((0..in_flight).map(|_| line()).collect())
    }

    fn cpu(&self) -> Option<Duration> {
        process::own_cpu()
    }

    fn peak_mib(&self) -> Option<f64> {
        process::peak_mib(std::process::id())
    }
}

/// A surface in this process, with one call at a time.
struct Door {
    host: Host,
    surface: Surface,
    request: Option<AnyRequest>,
    reply: Option<Box<RawValue>>,
}

impl Line for Door {
    fn prepare(&mut self, call: Call) -> Result<(), Failure> {
        self.request = Some(serde_json::from_slice(&call.to_host())?);
        Ok(())
    }

    async fn send(&mut self) -> Result<(), Failure> {
        // There is nothing between; it is done while its answer is waited for.
        Ok(())
    }

    async fn receive(&mut self) -> Result<(), Failure> {
        let request = self.request.take().ok_or("nothing was asked")?;
        self.reply = Some(self.host.handle(request, &self.surface).await?);
        Ok(())
    }

    fn reply(&self) -> Result<Reply<'_>, Failure> {
        let reply = self.reply.as_ref().ok_or("nothing came")?;
        Reply::of_host(reply.get().as_bytes())
    }
}
