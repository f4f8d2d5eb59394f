//! Another application that comes by `majordomoctl bridge` where 20 servers are configured, and lists
//! what it may use. None of them is started for it.

use super::millis_since;
use crate::host_program::{Folder, HostProgram, bridge};
use api::{ApproverKind, ServerState, TakeSnapshot};
use host::Options;
use load::Failure;
use load::call::Dialect;
use load::figures::median;
use load::line::Stdio;
use load::process::pss_mib;
use load::programs::beside;
use load::setup::{Asks as _, add, approve, let_in};
use protocol::CallerId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;
use tokio::process::Child;

/// Until all tools were listed, on a line that was open.
pub const LISTED: &str = "1,000 tools of 20 servers listed by an application";
/// From starting the bridge until all tools were listed, with a host that runs.
pub const COMES: &str = "first list of an application";
/// The same where the bridge starts the host.
pub const BRINGS: &str = "first list of an application that brings the host";
/// The memory of the host by then.
pub const PSS: &str = "memory of a host with an application (PSS)";

const SERVERS: usize = 20;
/// Of each.
const TOOLS: usize = 50;
/// So often is asked what changes nothing; the median counts.
const TIMES: usize = 5;

/// Prepares a folder, and has an application come in.
pub async fn measure() -> Result<BTreeMap<&'static str, f64>, Failure> {
    let folder = Folder::fresh()?;
    let client = prepare(&folder).await?;

    let host = HostProgram::start(&folder).await?;
    let (comes, child, mut line) = first_list(&folder, &client).await?;
    let mut figures = BTreeMap::from([(COMES, comes)]);
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let begun = Instant::now();
        list(&mut line).await?;
        times.push(millis_since(begun));
    }
    figures.extend(median(times).map(|listed| (LISTED, listed)));
    figures.extend(host.pid().and_then(pss_mib).map(|pss| (PSS, pss)));
    let servers = host.ask(TakeSnapshot {}).await?.servers;
    let rests = |state: &ServerState| matches!(state, ServerState::Off | ServerState::Idle);
    if let Some(one) = servers.iter().find(|one| !rests(&one.state)) {
        return Err(format!("{} is {:?} though nobody used it", one.id, one.state).into());
    }
    end(child, line).await?;
    host.end().await?;

    let (brings, child, line) = first_list(&folder, &client).await?;
    figures.insert(BRINGS, brings);
    end(child, line).await?;
    // A host that was brought makes way, and this one ends.
    let options = Options::new(folder.data(), ApproverKind::Terminal)?;
    loopback::open_in_place(options).await?.close().await;
    Ok(figures)
}

/// A folder with the servers, all of whose tools are approved, and an application that may come in.
async fn prepare(folder: &Folder) -> Result<CallerId, Failure> {
    let host = HostProgram::start(folder).await?;
    let (program, tools) = (beside("load-server")?, TOOLS.to_string());
    for number in 1..=SERVERS {
        let name = format!("server-{number}");
        let server = add(&host, &name, &program, &["--tools", &tools]).await?;
        approve(&host, &server).await?;
    }
    let client = let_in(&host).await?;
    host.end().await?;
    Ok(client)
}

/// How long it takes from starting the bridge to the first list.
async fn first_list(folder: &Folder, client: &CallerId) -> Result<(f64, Child, Stdio), Failure> {
    let begun = Instant::now();
    let mut child = bridge(folder, client)?;
    let mut line = Stdio::open(&mut child, Dialect::of_gateway(false)).await?;
    list(&mut line).await?;
    Ok((millis_since(begun), child, line))
}

async fn list(line: &mut Stdio) -> Result<(), Failure> {
    let listed = line.ask("tools/list", json!({})).await?;
    let tools = listed["result"]["tools"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let of_servers = |tool: &&Value| {
        let name = tool["name"].as_str().unwrap_or_default();
        name.starts_with("server-")
    };
    match tools.iter().filter(of_servers).count() {
        count if count == SERVERS * TOOLS => Ok(()),
        count => Err(format!("{count} tools were listed").into()),
    }
}

/// Ends a bridge as its application does.
async fn end(mut child: Child, line: Stdio) -> Result<(), Failure> {
    drop(line);
    child.wait().await?;
    Ok(())
}
