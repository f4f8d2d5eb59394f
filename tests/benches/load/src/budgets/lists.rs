//! Thousands of tools of one server: listed, reviewed, and all approved at once.

use super::millis_since;
use crate::host_program::{Folder, HostProgram};
use api::{FeaturesReview, ListTools};
use load::Failure;
use load::figures::median;
use load::programs::beside;
use load::setup::{Asks as _, add, yes_to_all};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

/// How many tools, and what is told of them.
pub struct Many {
    /// So many, as words for a program.
    tools: usize,
    /// Until they were listed.
    pub listed: &'static str,
    /// Until the review of them was there.
    pub reviewed: &'static str,
    /// Until all of them were approved.
    pub approved: &'static str,
}

/// A large server.
pub const THOUSAND: Many = Many {
    tools: 1000,
    listed: "1,000 tools listed",
    reviewed: "1,000 tools reviewed",
    approved: "1,000 tools approved",
};

/// As many as are taken from one server.
pub const TEN_THOUSAND: Many = Many {
    tools: 10_000,
    listed: "10,000 tools listed",
    reviewed: "10,000 tools reviewed",
    approved: "10,000 tools approved",
};

/// So often is asked what changes nothing; the median counts.
const TIMES: usize = 5;

/// Measures both.
pub async fn measure() -> Result<BTreeMap<&'static str, f64>, Failure> {
    let mut figures = BTreeMap::new();
    for many in [THOUSAND, TEN_THOUSAND] {
        figures.extend(of(many).await?);
    }
    Ok(figures)
}

async fn of(many: Many) -> Result<[(&'static str, f64); 3], Failure> {
    let folder = Folder::fresh()?;
    let host = HostProgram::start(&folder).await?;
    let words = ["--tools", &many.tools.to_string()];
    let server = add(&host, "many", &beside("load-server")?, &words).await?;
    // Until it has said what it offers.
    host.ask(ListTools {
        server: server.clone(),
    })
    .await?;
    let of_it = json!({"server": server});
    let (listed, tools) = looked_at(&host, "list_tools", &of_it).await?;
    let tools: Vec<Value> = serde_json::from_slice(&tools)?;
    if tools.len() != many.tools {
        return Err(format!("{} tools were listed of {}", tools.len(), many.tools).into());
    }
    let (reviewed, review) = looked_at(&host, "review_offers", &of_it).await?;
    let review: FeaturesReview = serde_json::from_slice(&review)?;
    let decisions = json!({"server": server, "decisions": yes_to_all(&review)?});
    let (approved, review) = asked(&host, "decide_offers", &decisions).await?;
    let review: FeaturesReview = serde_json::from_slice(&review)?;
    if review.waiting != 0 {
        return Err(format!("{} tools still wait", review.waiting).into());
    }
    host.end().await?;
    Ok([
        (many.listed, listed),
        (many.reviewed, reviewed),
        (many.approved, approved),
    ])
}

async fn looked_at(
    host: &HostProgram,
    method: &str,
    params: &Value,
) -> Result<(f64, Vec<u8>), Failure> {
    let (mut times, mut last) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let (time, reply) = asked(host, method, params).await?;
        times.push(time);
        last = reply;
    }
    Ok((median(times).unwrap_or_default(), last))
}

/// How long a reply took on a connection that was open, and the reply.
async fn asked(
    host: &HostProgram,
    method: &str,
    params: &Value,
) -> Result<(f64, Vec<u8>), Failure> {
    let mut line = host.line().await?.on_the_word_of(host.approver_token());
    let request = json!({"method": method, "params": params}).to_string();
    let begun = Instant::now();
    let reply = line.ask(request.as_bytes()).await;
    let took = millis_since(begun);
    match reply {
        Ok(reply) => Ok((took, reply.to_vec())),
        Err(problem) => Err(format!("{method}: {problem}").into()),
    }
}
