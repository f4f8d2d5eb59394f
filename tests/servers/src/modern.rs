//! `modern [FILE]`, `endless-rounds`: servers of 2026-07-28. They speak no other revision, keep no
//! state of a request but that of their tasks, and refuse whatever comes without what every request
//! must bring.

mod calls;
pub(crate) mod listening;
mod offers;
mod rounds;
mod tasks;

use crate::rpc::{Outcome, complain, conclude, receive};
use listening::Listening;
use serde_json::{Value, json};
use tasks::Tasks;

/// The only revision here.
const REVISION: &str = "2026-07-28";
/// What the names of everything that goes with a request begin with.
pub(crate) const META: &str = "io.modelcontextprotocol/";

#[derive(Default)]
pub(crate) struct Modern {
    tasks: Tasks,
    listening: Listening,
    /// Whether every answer waits for more.
    endless: bool,
}

impl Modern {
    /// Keeps its tasks in a file, so that they outlive this process.
    pub(crate) fn keeping(file: String) -> Self {
        Self {
            tasks: Tasks::kept_in(file),
            ..Self::default()
        }
    }

    /// Always wants one more thing.
    pub(crate) fn endless() -> Self {
        Self {
            endless: true,
            ..Self::default()
        }
    }

    /// Serves until standard input ends.
    pub(crate) fn serve(self) {
        serve(self);
    }

    /// Takes one message.
    pub(crate) fn take(&mut self, message: &Value) {
        take(self, message);
    }
}

/// What makes one server of this revision different from the others.
pub(crate) trait Requests {
    /// Answers a request that brought what every request must bring.
    fn request(&mut self, id: &Value, method: &str, params: &Value) -> Outcome;
    /// A request was taken back.
    fn cancelled(&mut self, id: &Value);
}

impl Requests for Modern {
    fn request(&mut self, id: &Value, method: &str, params: &Value) -> Outcome {
        match method {
            "server/discover" => Outcome::Result(greeting()),
            "tools/list" => {
                Outcome::Result(calls::list(params.get("cursor").and_then(Value::as_str)))
            }
            "tools/call" if self.endless => Outcome::Result(rounds::once_more(params)),
            "tools/call" => self.call(id, params),
            "tasks/get" => self.tasks.get(params),
            "tasks/update" => self.tasks.update(params),
            "tasks/cancel" => self.tasks.cancel(params),
            "subscriptions/listen" => self.listening.begin(id, params),
            _ => offers::request(method, params),
        }
    }

    fn cancelled(&mut self, id: &Value) {
        self.listening.end(id);
    }
}

/// Serves until standard input ends.
pub(crate) fn serve(mut server: impl Requests) {
    while let Some(message) = receive() {
        take(&mut server, &message);
    }
}

fn take(server: &mut impl Requests, message: &Value) {
    let method = message
        .get("method")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let params = message.get("params").unwrap_or(&Value::Null);
    match message.get("id") {
        // A client of this revision answers nothing.
        _ if method.is_empty() => complain("an answer came, and nothing was asked"),
        Some(id) => {
            let outcome =
                refusal(method, params).unwrap_or_else(|| server.request(id, method, params));
            conclude(id, complete(outcome));
        }
        None if method == "notifications/cancelled" => {
            let id = &params["requestId"];
            complain(&format!("cancelled {id}"));
            server.cancelled(id);
        }
        None => {}
    }
}

/// What is wrong with the envelope of a request.
fn refusal(method: &str, params: &Value) -> Option<Outcome> {
    let meta = |name: &str| {
        params
            .get("_meta")
            .and_then(|meta| meta.get(format!("{META}{name}")))
    };
    let supported = json!({ "supported": [REVISION], "requested": meta("protocolVersion").or_else(|| params.get("protocolVersion")) });
    match meta("protocolVersion") {
        // The opener of the older revisions.
        _ if method == "initialize" => Some(Outcome::Refusal(
            -32_022,
            "only 2026-07-28 is spoken here",
            supported,
        )),
        None => Some(Outcome::Error("a request must say its revision")),
        Some(version) if version != REVISION => Some(Outcome::Refusal(
            -32_022,
            "only 2026-07-28 is spoken here",
            supported,
        )),
        Some(_) if meta("clientCapabilities").is_none() => {
            Some(Outcome::Error("a request must say what its client can do"))
        }
        Some(_) => None,
    }
}

fn greeting() -> Value {
    json!({
        "supportedVersions": [REVISION],
        "capabilities": {
            "tools": { "listChanged": true },
            "resources": { "subscribe": true, "listChanged": true },
            "prompts": { "listChanged": true },
            "completions": {},
            "extensions": { "io.modelcontextprotocol/tasks": {} },
        },
        "instructions": "Be modern.",
        "ttlMs": 60_000,
        "cacheScope": "public",
        "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "modern", "version": "1.0.0", "title": "Modern" } },
    })
}

/// A list or reading that may be kept for a while.
pub(crate) fn fresh(mut result: Value) -> Value {
    result["ttlMs"] = json!(60_000);
    result["cacheScope"] = json!("private");
    result
}

/// Every result says of which kind it is.
fn complete(mut outcome: Outcome) -> Outcome {
    if let Outcome::Result(Value::Object(result)) = &mut outcome {
        result
            .entry("resultType")
            .or_insert_with(|| json!("complete"));
    }
    outcome
}
