//! `conformance-client URL`: the client that the official conformance suite tests. It says in its
//! environment which scenario is played (`MCP_CONFORMANCE_SCENARIO`), in which revision
//! (`MCP_CONFORMANCE_PROTOCOL_VERSION`), and what goes with it (`MCP_CONFORMANCE_CONTEXT`).
//!
//! Always true here: everything is done by `connections` and `oauth` as the host uses them; only
//! the person and the browser are played. The program leaves with 0 if the server could be used.

mod browser;
mod sign_in;
mod use_it;

use conformance::{Agrees, LIMITS, Trouble, egress};
use connections::{Connection, HttpStart, Start};
use protocol::{Budget, Era, ServerId};
use serde_json::Value;
use sign_in::SignIn;
use std::env;
use std::sync::Arc;

/// What the suite says about the scenario.
struct Scenario {
    name: String,
    context: Value,
}

#[tokio::main]
async fn main() -> Result<(), Trouble> {
    let url = env::args()
        .next_back()
        .filter(|_| env::args().len() > 1)
        .ok_or("usage: conformance-client URL")?;
    let context = env::var("MCP_CONFORMANCE_CONTEXT")
        .ok()
        .map(|text| serde_json::from_str(&text))
        .transpose()?;
    let scenario = Arc::new(Scenario {
        name: env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default(),
        context: context.unwrap_or_default(),
    });
    let server = ServerId::parse("tested")?;
    let start = HttpStart {
        server: server.clone(),
        url: url.clone(),
        headers: Vec::new(),
        egress: egress()?,
        authorization: Some(Arc::new(SignIn::new(&url, Arc::clone(&scenario))?)),
        era: env::var("MCP_CONFORMANCE_PROTOCOL_VERSION")
            .ok()
            .map(|revision| era(&revision)),
    };
    let connection = Connection::start(
        Start::Http(start),
        LIMITS,
        Budget::new(usize::MAX),
        Arc::new(Agrees),
    )
    .await?;
    let used = use_it::use_it(&connection, &server, &scenario).await;
    connection.stop().await;
    used
}

/// Revisions are dates, and compare like them.
fn era(revision: &str) -> Era {
    if revision < "2026-07-28" {
        Era::Legacy
    } else {
        Era::Modern
    }
}
