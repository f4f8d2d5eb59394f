//! The ways to one tool, each with nothing or something between the load and the server.

mod gateway;
mod http;
mod own;
mod stdio;

use load::Failure;
use load::figures::Figures;
use load::phase::Phase;
use load::programs::{beside, command};
use load::way::Effort;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A way to the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// Nothing between.
    Direct,
    /// A passthrough by hand, over standard input and output.
    Hand,
    /// The official SDK's bare passthrough, over standard input and output.
    Stdio,
    /// A passthrough by hand over Streamable HTTP, on connections that stay open.
    HandHttp,
    /// That of the official SDK over Streamable HTTP, on connections that stay open.
    Http,
    /// Majordomo, in the process that calls.
    Inside,
    /// Majordomo as a program, on connections to its door that stay open.
    Door,
    /// Another application that comes to it by `majordomoctl bridge`.
    Bridge,
    /// Another application that comes to it over Streamable HTTP, in a session.
    Session,
    /// The same in the era of 2026, without a session.
    Modern,
}

/// What a phase comes to, by its name.
type Measured = Result<BTreeMap<Phase, Figures>, Failure>;

impl Route {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Direct,
        Self::Hand,
        Self::Stdio,
        Self::HandHttp,
        Self::Http,
        Self::Inside,
        Self::Door,
        Self::Bridge,
        Self::Session,
        Self::Modern,
    ];

    /// By which it is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Hand => "hand",
            Self::Stdio => "stdio",
            Self::HandHttp => "hand-http",
            Self::Http => "http",
            Self::Inside => "inside",
            Self::Door => "door",
            Self::Bridge => "bridge",
            Self::Session => "session",
            Self::Modern => "modern",
        }
    }

    /// Whether a phase is measured on it. What grows is Majordomo's question only.
    pub fn takes(self, phase: Phase) -> bool {
        phase != Phase::Growth || matches!(self, Self::Inside | Self::Door)
    }

    /// Measures phases on it, in one life of everything that is between.
    pub async fn measure(self, phases: &[Phase], effort: Effort) -> Measured {
        let server = beside("load-server")?;
        let passthrough = |words: &[&str]| -> Result<_, Failure> {
            let mut passthrough = command(&beside("load-passthrough")?);
            passthrough.args(words).arg(&server);
            Ok(passthrough)
        };
        match self {
            Self::Direct => stdio::measured(command(&server), phases, effort).await,
            Self::Hand => stdio::measured(passthrough(&["--by-hand"])?, phases, effort).await,
            Self::Stdio => stdio::measured(passthrough(&[])?, phases, effort).await,
            Self::HandHttp => {
                http::measured(passthrough(&["--by-hand", "--http"])?, phases, effort).await
            }
            Self::Http => http::measured(passthrough(&["--http"])?, phases, effort).await,
            Self::Inside => own::inside(phases, effort).await,
            Self::Door => own::by_door(&server, phases, effort).await,
            Self::Bridge => gateway::by_bridge(&server, phases, effort).await,
            Self::Session => gateway::over_http(&server, false, phases, effort).await,
            Self::Modern => gateway::over_http(&server, true, phases, effort).await,
        }
    }
}
