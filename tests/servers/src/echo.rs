//! `ok`, `same-name`: a well-behaved server. Its `echo` is called like the tool of many another
//! server.

use crate::rpc::{Call, Outcome, Server, answer, notify, text, tool};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

pub(crate) struct Echo;

impl Server for Echo {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let mut add = tool(
            "add",
            "Adds two numbers",
            &json!({ "a": { "type": "number" }, "b": { "type": "number" } }),
        );
        add["outputSchema"] = json!({ "type": "object", "properties": { "sum": { "type": "number" } }, "required": ["sum"] });
        json!({ "tools": [
            tool("echo", "Says the text again", &json!({ "text": { "type": "string" } })),
            add,
            tool("slow", "Takes its time and reports progress", &json!({ "ms": { "type": "integer" } })),
            tool("env", "Says a variable of its own environment", &json!({ "name": { "type": "string" } })),
            tool("whoami", "Says the name of its own process", &json!({})),
        ] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        Outcome::Result(match call.tool.as_str() {
            "echo" => text(call.text("text")),
            "add" => {
                let sum = call.number("a") + call.number("b");
                json!({ "content": [{ "type": "text", "text": sum.to_string() }], "structuredContent": { "sum": sum } })
            }
            "slow" => {
                thread::spawn(move || slow(&call));
                return Outcome::Later;
            }
            "env" => match std::env::var(call.text("name")) {
                Ok(value) => text(value),
                Err(_) => {
                    json!({ "content": [{ "type": "text", "text": "not set" }], "isError": true })
                }
            },
            "whoami" => text(test_servers::process_name::own()),
            _ => return Outcome::Error("no such tool"),
        })
    }
}

/// Ten steps, each reported.
fn slow(call: &Call) {
    let all = call
        .arguments
        .get("ms")
        .and_then(Value::as_u64)
        .unwrap_or(1_000);
    for step in 1..=10_u64 {
        thread::sleep(Duration::from_millis(all / 10));
        if let Some(token) = &call.progress {
            let message = format!("step {step}");
            notify(
                "notifications/progress",
                &json!({ "progressToken": token, "progress": step, "total": 10, "message": message }),
            );
        }
    }
    answer(&call.id, &text("done"));
}
