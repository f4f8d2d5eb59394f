//! Four callers, each with an honest server of its own, that call it all the time.

use crate::Failure;
use crate::latency::Calls;
use crate::program::{Program, ask};
use api::CallTool;
use futures::future::join_all;
use loopback::Client;
use protocol::{Content, ServerId, ToolName};
use serde_json::{Map, Value};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many.
const CALLERS: usize = 4;
/// So long each thinks between two calls.
const THOUGHT: Duration = Duration::from_millis(100);
/// So many wrong answers are told word by word.
const TOLD: usize = 5;

/// The callers, their servers and how many calls they have made.
pub struct Callers {
    servers: Vec<ServerId>,
    made: AtomicU64,
}

impl Callers {
    /// Adds the servers, and makes one call to each, about which the person is asked.
    pub async fn ready(program: &Program) -> Result<Self, Failure> {
        let mut servers = Vec::new();
        for number in 0..CALLERS {
            let server = program.add(&format!("honest-{number}"), &["ok"]).await?;
            program.approve(&server).await?;
            servers.push(server);
        }
        let callers = Self {
            servers,
            made: AtomicU64::new(0),
        };
        let first = callers.call_for(program, Duration::ZERO).await;
        match first.wrong.first() {
            Some(wrong) => Err(wrong.clone().into()),
            None => Ok(callers),
        }
    }

    /// All of them call for so long, and once at least.
    pub async fn call_for(&self, program: &Program, long: Duration) -> Calls {
        let end = Instant::now() + long;
        let (client, token) = (program.client(), program.approver_token());
        let callers = self
            .servers
            .iter()
            .map(|server| self.one(&client, token, server, end));
        Calls::of(join_all(callers).await)
    }

    async fn one(&self, client: &Client, token: &str, server: &ServerId, end: Instant) -> Calls {
        let mut calls = Calls::default();
        loop {
            let said = self.something_to_say();
            let request = CallTool {
                call: None,
                server: server.clone(),
                tool: ToolName::from("echo"),
                arguments: Map::from_iter([("text".to_owned(), Value::from(said.as_str()))]),
            };
            let begun = Instant::now();
            let result = ask(client, token, request).await;
            let taken = begun.elapsed();
            let heard = result.map(|result| text(&result.answer.content));
            match heard {
                Ok(heard) if heard == said => calls.answered(taken),
                other if calls.wrong.len() < TOLD => {
                    calls.wrong.push(format!("{server}: {said:?}: {other:?}"));
                }
                _ => {}
            }
            if Instant::now() >= end {
                return calls;
            }
            tokio::time::sleep(THOUGHT).await;
        }
    }

    /// Another text each time, as work has.
    fn something_to_say(&self) -> String {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        format!("the {number}. word to be said")
    }
}

/// What a result says in words.
fn text(content: &[Content]) -> String {
    let texts = content.iter().filter_map(|part| match part {
        Content::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
