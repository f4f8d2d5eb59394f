//! The ways of another application: by `majordomoctl bridge`, and over Streamable HTTP with a token.
//!
//! Always true here: the application was let in by a person, who has said "always" of each tool that
//! it calls. What its calls cost is what the host takes, and what the bridge takes that carries them.

use super::stdio::OverStdio;
use super::{Measured, http};
use crate::host_program::{Folder, HostProgram, bridge};
use api::{ListClients, SetClientToken};
use load::Failure;
use load::call::{Call, Dialect};
use load::line::{Http, Line, OfClient, Stdio, call};
use load::phase::Phase;
use load::process;
use load::setup::{Asks as _, let_in, ready, say_always};
use load::way::{Effort, Way, measure};
use protocol::{CallerId, TokenHash};
use std::path::Path;
use std::time::Duration;
use tokio::net::TcpStream;

/// What an application shows that comes over HTTP.
const TOKEN: &str = "token-of-the-load";
/// How often is looked whether the door is open.
const LOOK: Duration = Duration::from_millis(5);

/// A host on a folder of its own, with the server of the load and an application that may come in.
async fn prepared(server: &Path) -> Result<(Folder, HostProgram, CallerId), Failure> {
    let folder = Folder::fresh()?;
    let host = HostProgram::start(&folder).await?;
    ready(&host, server).await?;
    let client = let_in(&host).await?;
    Ok((folder, host, client))
}

/// Has both tools called, and answers the questions about it.
async fn allowed(host: &HostProgram, line: &mut impl Line) -> Result<(), Failure> {
    for bytes in [None, Some(64)] {
        let first = call(line, Call { number: 0, bytes });
        let yes = async { Ok(say_always(host).await?) };
        tokio::try_join!(first, yes)?;
    }
    Ok(())
}

pub(super) async fn by_bridge(server: &Path, phases: &[Phase], effort: Effort) -> Measured {
    let (folder, host, client) = prepared(server).await?;
    let mut child = bridge(&folder, &client)?;
    let mut line = Stdio::open(&mut child, Dialect::of_gateway(false)).await?;
    allowed(&host, &mut line).await?;
    let mut by_bridge = OverStdio::to(child, line, Some(host));
    let figures = measure(&mut by_bridge, phases, effort).await?;
    by_bridge.end().await?;
    Ok(figures)
}

pub(super) async fn over_http(
    server: &Path,
    is_modern: bool,
    phases: &[Phase],
    effort: Effort,
) -> Measured {
    let (_folder, host, client) = prepared(server).await?;
    let address = opened(&host, client).await?;
    let mut client = OfClient {
        token: Some(TOKEN.to_owned()),
        session: None,
        dialect: Dialect::of_gateway(is_modern),
    };
    if !is_modern {
        let mut first = http::connect(&address, &client).await?;
        client.session = Some(first.begin_session().await?);
    }
    allowed(&host, &mut http::connect(&address, &client).await?).await?;
    let mut over_http = OverHttp {
        host,
        address,
        client,
    };
    let figures = measure(&mut over_http, phases, effort).await?;
    over_http.host.end().await?;
    Ok(figures)
}

/// Gives an application its token, and waits until the door is open that it opens.
async fn opened(host: &HostProgram, client: CallerId) -> Result<String, Failure> {
    let hash = Some(TokenHash::of(TOKEN));
    host.ask(SetClientToken { client, hash }).await?;
    loop {
        if let Some(address) = host.ask(ListClients {}).await?.address {
            let place = address.strip_prefix("http://").unwrap_or(&address);
            return Ok(place.trim_end_matches("/mcp").to_owned());
        }
        tokio::time::sleep(LOOK).await;
    }
}

struct OverHttp {
    host: HostProgram,
    address: String,
    client: OfClient,
}

impl Way for OverHttp {
    type Line = Http<TcpStream>;

    async fn lines(&mut self, in_flight: usize) -> Result<Vec<Self::Line>, Failure> {
        let mut lines = Vec::with_capacity(in_flight);
        for _ in 0..in_flight {
            lines.push(http::connect(&self.address, &self.client).await?);
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
