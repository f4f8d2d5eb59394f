//! A call where there is much of what is kept, beside one where there is little. How a call grows
//! with those before it is told by `growth`, and with answers for others by the benchmark of `policy`.
//!
//! Always true here: both hosts run at the same time and are called in turns, so that what else the
//! machine does meets both.

use crate::host_program::{Folder, HostProgram, Stream};
use api::{AddRule, AddServer};
use load::Failure;
use load::call::{Call, Reply, SERVER};
use load::figures::median;
use load::line::Http;
use load::programs::beside;
use load::setup::{Asks as _, add, allow, approve};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Instant;

/// So many turns are taken, and in each so many calls are made.
const TURNS: usize = 9;
const CALLS: u64 = 200;
/// The number of the first call that is measured. None has been made with it before.
const FIRST: u64 = 1_000_000;

/// What there is much of.
#[derive(Debug, Clone, Copy)]
pub enum Much {
    /// Tools of the server that is called.
    Tools,
    /// Rules about other servers.
    Rules,
    /// Other servers.
    Servers,
}

impl Much {
    const ALL: [Self; 3] = [Self::Tools, Self::Rules, Self::Servers];

    /// What its figure is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tools => "a call with 10,000 tools beside 2",
            Self::Rules => "a call with 300 rules beside none",
            Self::Servers => "a call with 300 servers beside 1",
        }
    }

    fn most(self) -> u64 {
        match self {
            Self::Tools => 10_000,
            Self::Rules | Self::Servers => 300,
        }
    }
}

/// Measures all of them.
pub async fn measure() -> Result<BTreeMap<&'static str, f64>, Failure> {
    let mut figures = BTreeMap::new();
    for much in Much::ALL {
        figures.insert(much.name(), of(much).await?);
    }
    Ok(figures)
}

async fn of(much: Much) -> Result<f64, Failure> {
    let (one, other) = (Folder::fresh()?, Folder::fresh()?);
    let (little, many) = (
        HostProgram::start(&one).await?,
        HostProgram::start(&other).await?,
    );
    fill(&little, much, 0).await?;
    fill(&many, much, much.most()).await?;
    let (mut with_little, mut with_much) = (little.line().await?, many.line().await?);
    let mut ratios = Vec::new();
    for turn in 0..TURNS {
        let from = FIRST + turn as u64 * CALLS;
        let beside = called(&mut with_little, from).await?;
        let much = called(&mut with_much, from).await?;
        // The first turn warms both up.
        if turn > 0 {
            ratios.push(much / beside);
        }
    }
    little.end().await?;
    many.end().await?;
    median(ratios).ok_or("nothing was measured".into())
}

async fn fill(host: &HostProgram, much: Much, most: u64) -> Result<(), Failure> {
    let program = beside("load-server")?;
    let tools = most.to_string();
    let words = match much {
        Much::Tools => &["--tools", tools.as_str()][..],
        _ => &[],
    };
    let server = add(host, SERVER, &program, words).await?;
    approve(host, &server).await?;
    for number in 0..most {
        match much {
            Much::Tools => {}
            Much::Rules => {
                let rule = json!({
                    "effect": "forbid",
                    "hook": "call",
                    "caller": null,
                    "server": "currency",
                    "tool": format!("tool-{number}"),
                    "when": [],
                    "reason": null,
                });
                let draft = serde_json::from_value(rule)?;
                host.ask(AddRule { draft }).await?;
            }
            Much::Servers => {
                let target = json!({"kind": "stdio", "command": program, "args": []});
                let name = format!("server-{number}");
                let draft = serde_json::from_value(json!({"name": name, "target": target}))?;
                host.ask(AddServer { draft }).await?;
            }
        }
    }
    let call = Call {
        number: most,
        bytes: None,
    };
    allow(host, &server, call).await
}

/// How long half of some calls took at most, in microseconds.
async fn called(line: &mut Http<Stream>, from: u64) -> Result<f64, Failure> {
    let mut taken = Vec::new();
    for number in from..from + CALLS {
        let bytes = None;
        let call = Call { number, bytes };
        let request = call.to_host();
        let begun = Instant::now();
        let reply = line.ask(&request).await?;
        taken.push(begun.elapsed().as_secs_f64() * 1e6);
        call.check(&Reply::of_host(reply)?)?;
    }
    median(taken).ok_or("nothing was called".into())
}
