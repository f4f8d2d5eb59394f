//! `batches`, `wrong-ids`, `late-answers`, `url-required`, `pings`, `reads-late`,
//! `list-changed-storm`: servers whose answers come in odd forms, at odd times, or after a
//! condition.

use crate::echo::Echo;
use crate::rpc::{Call, Outcome, Server, answer, ask, complain, notify, send, text, tool};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

/// Answers together with other messages, some of them none.
pub(crate) struct Batches;

impl Server for Batches {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        Echo.tools(cursor)
    }

    fn call(&mut self, call: Call) -> Outcome {
        send(&json!([
            7,
            { "jsonrpc": "2.0", "method": "notifications/tools/list_changed" },
            { "jsonrpc": "2.0", "id": "asked", "method": "ping" },
            { "jsonrpc": "2.0", "id": call.id, "result": text(call.text("text")) },
        ]));
        Outcome::Later
    }
}

/// Answers what was never asked, what will be asked next, and everything twice.
pub(crate) struct WrongIds;

impl Server for WrongIds {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        Echo.tools(cursor)
    }

    fn call(&mut self, call: Call) -> Outcome {
        let next = call.id.as_u64().unwrap_or_default() + 1;
        for id in [
            json!(999_999),
            json!(null),
            json!(call.id.to_string()),
            json!(-1),
            json!(1.5),
            json!({}),
            json!(next),
        ] {
            answer(&id, &text("never asked"));
        }
        answer(&call.id, &text(call.text("text")));
        answer(&call.id, &text("answered already"));
        Outcome::Later
    }
}

/// Answers a call only when nobody waits any more.
pub(crate) struct LateAnswers;

impl Server for LateAnswers {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        Echo.tools(cursor)
    }

    fn call(&mut self, call: Call) -> Outcome {
        if call.tool == "hang" {
            complain(&format!("hanging in {}", call.id));
            return Outcome::Later;
        }
        Echo.call(call)
    }

    fn cancelled(&mut self, id: &Value) {
        answer(id, &text("too late"));
        complain("answered late");
    }
}

/// Wants an address to be opened before it does anything (2025-11-25), and learns of that by
/// another tool.
#[derive(Default)]
pub(crate) struct UrlRequired {
    done: bool,
}

impl Server for UrlRequired {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        json!({ "tools": [tool("open", "Works after a sign-in", &json!({})), tool("done", "Signs in", &json!({}))] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        let complete = |id: &str| {
            notify(
                "notifications/elicitation/complete",
                &json!({ "elicitationId": id }),
            )
        };
        match (call.tool.as_str(), self.done) {
            ("done", _) => {
                self.done = true;
                complete("nobody-knows-this");
                complete("sign-in");
                Outcome::Result(text("signed in"))
            }
            ("open", true) => Outcome::Result(text("opened")),
            ("open", false) => {
                let url = json!({
                    "mode": "url", "elicitationId": "sign-in", "url": "https://example.com/sign-in", "message": "Sign in first",
                });
                Outcome::Refusal(
                    -32_042,
                    "an address must be opened first",
                    json!({ "elicitations": [url] }),
                )
            }
            ("unsaid", _) => Outcome::Refusal(
                -32_042,
                "an address must be opened first",
                json!({ "elicitations": [] }),
            ),
            _ => Outcome::Error("no such tool"),
        }
    }
}

/// Asks whether its host is there before it says who it is, and after.
#[derive(Default)]
pub(crate) struct Pings;

impl Server for Pings {
    fn greeting(&mut self, protocol: Value) -> Value {
        complain(&format!("before: {}", ask("ping", &Value::Null)));
        Echo.greeting(protocol)
    }

    fn tools(&mut self, cursor: Option<&str>) -> Value {
        Echo.tools(cursor)
    }

    fn call(&mut self, _call: Call) -> Outcome {
        Outcome::Result(text(ask("ping", &json!({})).to_string()))
    }
}

/// Stops reading until a file is there, and may ask a person something before.
pub(crate) struct ReadsLate {
    pub(crate) file: PathBuf,
}

impl Server for ReadsLate {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        Echo.tools(cursor)
    }

    fn call(&mut self, call: Call) -> Outcome {
        match call.tool.as_str() {
            "pause" => {
                if !call.text("message").is_empty() {
                    let form = json!({ "message": call.text("message"), "requestedSchema": { "type": "object", "properties": {} } });
                    send(
                        &json!({ "jsonrpc": "2.0", "id": "asked", "method": "elicitation/create", "params": form }),
                    );
                }
                complain("reading nothing");
                while !self.file.exists() {
                    sleep(Duration::from_millis(5));
                }
                Outcome::Result(text("reading again"))
            }
            "length" => Outcome::Result(text(call.text("text").len().to_string())),
            _ => Echo.call(call),
        }
    }
}

/// Says many times that its tools have changed, and changes them each time.
#[derive(Default)]
pub(crate) struct Storm {
    changes: u64,
}

impl Server for Storm {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        json!({ "tools": [tool("storm", &format!("Changed {} times", self.changes), &json!({ "times": { "type": "integer" } }))] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        for _ in 0..call
            .arguments
            .get("times")
            .and_then(Value::as_u64)
            .unwrap_or(1_000)
        {
            self.changes += 1;
            notify("notifications/tools/list_changed", &json!({}));
        }
        Outcome::Result(text("changed"))
    }
}
