//! `says`: a server that answers what it is told to answer, at any length, and promises what no
//! checker should try to check.

use crate::rpc::{Call, Outcome, Server, notify, send, text, tool};
use serde_json::{Map, Value, json};

pub(crate) struct Says;

/// How many steps double the work of whoever checks the structured content of `bomb`.
const DOUBLINGS: usize = 60;

impl Server for Says {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let mut bomb = tool(
            "bomb",
            "Promises something that takes for ever to check",
            &json!({}),
        );
        let next = |number: usize| json!({ "$ref": format!("#/$defs/a{number}") });
        let step = |number: usize| {
            (
                format!("a{number}"),
                json!({ "allOf": [next(number + 1), next(number + 1)] }),
            )
        };
        let mut defs: Map<String, Value> = (0..DOUBLINGS).map(step).collect();
        defs.insert(format!("a{DOUBLINGS}"), json!({ "type": "object" }));
        bomb["outputSchema"] = json!({ "type": "object", "$ref": "#/$defs/a0", "$defs": defs });
        json!({ "tools": [
            tool("say", "Answers with the result that it is given", &json!({ "result": { "type": "object" } })),
            tool("repeat", "Says a text many times", &json!({ "text": { "type": "string" }, "times": { "type": "integer" } })),
            tool("secret", "Says a part of its own secret", &json!({ "from": { "type": "integer" }, "to": { "type": "integer" } })),
            tool("fails", "Fails, and says why", &json!({ "text": { "type": "string" } })),
            tool("steps", "Says something before it is done", &json!({ "text": { "type": "string" } })),
            bomb,
        ] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        let number = |name: &str| {
            call.arguments
                .get(name)
                .and_then(Value::as_u64)
                .and_then(|number| usize::try_from(number).ok())
        };
        match call.tool.as_str() {
            "say" => Outcome::Result(call.arguments.get("result").cloned().unwrap_or_default()),
            "repeat" => {
                Outcome::Result(text(call.text("text").repeat(number("times").unwrap_or(1))))
            }
            "secret" => {
                let secret = std::env::var("SECRET").unwrap_or_default();
                let part =
                    secret.get(number("from").unwrap_or(0)..number("to").unwrap_or(secret.len()));
                Outcome::Result(text(format!("part: {}", part.unwrap_or_default())))
            }
            "fails" => {
                let error = json!({ "code": -32_000, "message": call.text("text") });
                send(&json!({ "jsonrpc": "2.0", "id": call.id, "error": error }));
                Outcome::Later
            }
            "steps" => {
                let step = json!({ "progressToken": call.progress, "progress": 1, "total": 2, "message": call.text("text") });
                notify("notifications/progress", &step);
                Outcome::Result(text("done"))
            }
            "bomb" => Outcome::Result(
                json!({ "content": [{ "type": "text", "text": "done" }], "structuredContent": {} }),
            ),
            _ => Outcome::Error("no such tool"),
        }
    }
}
