//! Twelve hostile servers of different kinds, whoever calls them, and a listener that never reads.
//!
//! Each misbehaves by itself from its first moment on; calls of it come on top. One that has ended
//! is started again, as by a person who does not give up.

use crate::Failure;
use crate::program::{Program, ask};
use api::{CallTool, HostError, RestartServer, ServerState, TakeSnapshot};
use loopback::{Client, Events};
use protocol::{ServerId, ToolName};
use serde_json::Map;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;

/// The kinds: modes of `misbehave besieges`.
pub const KINDS: [&str; 12] = [
    "methods",
    "log-lines",
    "unread-pings",
    "pings",
    "changed-tools",
    "patterns",
    "results",
    "forms",
    "standard-error",
    "fat-lists",
    "junk",
    "updates",
];

/// So long after a call of a hostile server comes the next one.
const PAUSE: Duration = Duration::from_secs(2);
/// So often is looked for servers that have ended.
const LOOK: Duration = Duration::from_secs(30);

/// What came of calls of hostile servers, by kind: how many of each outcome.
pub type Poked = BTreeMap<String, BTreeMap<String, u32>>;

/// The siege. It goes on until it is ended.
pub struct Besiegers {
    tasks: Vec<JoinHandle<()>>,
    poked: Arc<Mutex<Poked>>,
    servers: Vec<ServerId>,
    /// Everything that the host tells waits for this one, who never listens.
    _deaf: Events,
}

/// Begins it, with a server of each of these kinds.
pub async fn besiege(program: &Program, kinds: &[&str]) -> Result<Besiegers, Failure> {
    let deaf = program.client().events().await?;
    let poked = Arc::new(Mutex::new(Poked::new()));
    let (mut tasks, mut servers) = (Vec::new(), Vec::new());
    for kind in kinds {
        let name = format!("hostile-{kind}");
        let server = program.add(&name, &["besieges", kind]).await?;
        // What does not come to run offers nothing that could be approved.
        let _ = program.approve(&server).await;
        let poker = Poker::of(program, &server, &poked);
        tasks.push(tokio::spawn(poker.poke()));
        servers.push(server);
    }
    let (client, token) = (program.client(), program.approver_token().to_owned());
    tasks.push(tokio::spawn(
        async move { start_again(client, token).await },
    ));
    Ok(Besiegers {
        tasks,
        poked,
        servers,
        _deaf: deaf,
    })
}

impl Besiegers {
    /// Ends it: everybody is switched off. What came of the calls.
    pub async fn end(self, program: &Program) -> Result<Poked, Failure> {
        for task in self.tasks {
            task.abort();
        }
        for server in self.servers {
            program.ask(api::DisableServer { server }).await?;
        }
        Ok(self
            .poked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone())
    }
}

/// Whoever calls one hostile server again and again.
struct Poker {
    client: Client,
    token: String,
    server: ServerId,
    poked: Arc<Mutex<Poked>>,
}

impl Poker {
    fn of(program: &Program, server: &ServerId, poked: &Arc<Mutex<Poked>>) -> Self {
        Self {
            client: program.client(),
            token: program.approver_token().to_owned(),
            server: server.clone(),
            poked: poked.clone(),
        }
    }

    async fn poke(self) {
        loop {
            let request = CallTool {
                call: None,
                server: self.server.clone(),
                tool: ToolName::from("poke"),
                arguments: Map::new(),
            };
            let outcome = match ask(&self.client, &self.token, request).await {
                Ok(result) if result.answer.is_error => "tool_error".to_owned(),
                Ok(_) => "answered".to_owned(),
                Err(HostError { code, .. }) => serde_json::to_value(code)
                    .ok()
                    .and_then(|code| code.as_str().map(str::to_owned))
                    .unwrap_or_default(),
            };
            *self
                .poked
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(self.server.to_string())
                .or_default()
                .entry(outcome)
                .or_default() += 1;
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Starts whatever has failed for good again.
async fn start_again(client: Client, token: String) {
    loop {
        tokio::time::sleep(LOOK).await;
        let Ok(snapshot) = ask(&client, &token, TakeSnapshot {}).await else {
            continue;
        };
        for server in snapshot.servers {
            if matches!(server.state, ServerState::Failed { .. }) {
                // One that cannot be started is tried again at the next look.
                let _ = ask(&client, &token, RestartServer { server: server.id }).await;
            }
        }
    }
}
