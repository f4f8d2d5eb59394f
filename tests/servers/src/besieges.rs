//! `besieges KIND`: servers that make as much work as they can, by themselves and without an end,
//! from the moment they have been greeted, each in its own way. Each offers a tool `poke`.

use crate::rpc::{Call, Outcome, Server, complain, notify, send, serve, text, tool, write_line};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Almost as long as a message may be, in bytes.
const LONG: usize = 15 * 1024 * 1024;
/// Tools of a long list, and bytes of what each says about itself.
const TOOLS: usize = 20;
const FAT: usize = 1024 * 1024;
/// Tools with patterns, and patterns of each.
const PATTERNS: usize = 60;

struct Besieges {
    kind: String,
    /// How often it has done its work.
    round: Arc<AtomicU64>,
}

pub(crate) fn besieges(kind: String) {
    serve(Besieges {
        kind,
        round: Arc::default(),
    });
}

impl Server for Besieges {
    fn greeting(&mut self, protocol: Value) -> Value {
        json!({
            "protocolVersion": protocol,
            "capabilities": { "tools": { "listChanged": true }, "logging": {}, "resources": { "subscribe": true } },
            "serverInfo": { "name": "besieges", "version": "1.0.0" },
        })
    }

    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let round = self.round.load(Ordering::Relaxed);
        let mut poke = tool("poke", "Can be called", &json!({}));
        let more = match self.kind.as_str() {
            "changed-tools" => (0..TOOLS)
                .map(|number| {
                    tool(
                        &format!("tool-{number}"),
                        &format!("Changed {round} times"),
                        &json!({}),
                    )
                })
                .collect(),
            "patterns" => (0..PATTERNS)
                .map(|number| patterns(number, round))
                .collect(),
            "fat-lists" => {
                let says = round.to_string().repeat(FAT);
                (0..TOOLS)
                    .map(|number| tool(&format!("tool-{number}"), &says[..FAT], &json!({})))
                    .collect()
            }
            _ => Vec::new(),
        };
        if self.kind == "results" {
            poke["outputSchema"] = json!({ "type": "object", "properties": { "rows": { "items": { "type": "string" } } } });
        }
        let tools: Vec<Value> = std::iter::once(poke).chain(more).collect();
        json!({ "tools": tools })
    }

    fn call(&mut self, _call: Call) -> Outcome {
        let mut result = text("poked");
        if self.kind == "results" {
            result["structuredContent"] = json!({ "rows": vec![7; 900_000] });
        }
        Outcome::Result(result)
    }

    fn other(&mut self, method: &str, _params: &Value) -> Outcome {
        Outcome::Result(match method {
            "resources/list" => json!({ "resources": [] }),
            "resources/templates/list" => json!({ "resourceTemplates": [] }),
            _ => json!({}),
        })
    }

    fn notified(&mut self, method: &str) {
        if method != "notifications/initialized" {
            return;
        }
        let (kind, round) = (self.kind.clone(), self.round.clone());
        let work = move || {
            while work(&kind, round.fetch_add(1, Ordering::Relaxed)) {}
        };
        if self.kind == "unread-pings" {
            // It reads nothing any more.
            work();
        } else {
            thread::spawn(work);
        }
    }
}

/// One piece of its work. Whether there is more of it.
fn work(kind: &str, round: u64) -> bool {
    let long = || "x".repeat(LONG);
    let ping = || json!({ "jsonrpc": "2.0", "id": format!("{round}"), "method": "ping", "params": { "long": "x".repeat(10_000) } });
    match kind {
        "methods" => notify(&long(), &json!({})),
        "log-lines" => notify(
            "notifications/message",
            &json!({ "level": "info", "logger": "besieges", "data": long() }),
        ),
        "unread-pings" | "pings" => send(&ping()),
        "changed-tools" | "patterns" | "fat-lists" => {
            notify("notifications/tools/list_changed", &json!({}))
        }
        "forms" => {
            let form = json!({ "message": "Where are you?", "requestedSchema": { "type": "object", "properties": { "city": { "type": "string" } } } });
            send(
                &json!({ "jsonrpc": "2.0", "id": format!("form-{round}"), "method": "elicitation/create", "params": form }),
            );
        }
        "standard-error" => complain(&"x".repeat(64 * 1024)),
        "junk" => write_line(&"[".repeat(100_000)),
        "updates" => {
            let uri = format!("file:///{round}/{}", "x".repeat(100_000));
            notify("notifications/resources/updated", &json!({ "uri": uri }));
            notify(
                "notifications/progress",
                &json!({ "progressToken": round, "progress": round }),
            );
            notify(
                "notifications/elicitation/complete",
                &json!({ "elicitationId": uri }),
            );
        }
        // Its results are enough.
        _ => return false,
    }
    true
}

/// A tool whose schema is long to read, and another one each time.
fn patterns(number: usize, round: u64) -> Value {
    let field = |at| {
        let pattern = format!("^[a-z]{{1,40}}{number}x{at}x{round}(foo|bar|baz)+[0-9]{{2,30}}$");
        (format!("p{at}"), json!({ "pattern": pattern }))
    };
    let fields: Map<String, Value> = (0..PATTERNS).map(field).collect();
    tool(
        &format!("patterns-{number}"),
        "Has many patterns",
        &Value::Object(fields),
    )
}
