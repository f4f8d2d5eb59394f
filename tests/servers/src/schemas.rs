//! `bad-schema`, `wrong-structured`: servers whose schemas lead elsewhere, or do not describe what
//! they send.

use crate::rpc::{Call, Outcome, Server, text, tool};
use serde_json::{Value, json};

/// Its input schema is to be fetched from somewhere.
pub(crate) struct BadSchema;

impl Server for BadSchema {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let mut remote = tool("remote", "Its schema lies elsewhere", &json!({}));
        remote["inputSchema"] = json!({ "type": "object", "properties": { "a": { "$ref": "https://example.com/schema.json" } } });
        let mut broken = tool("broken", "Its schema is none", &json!({}));
        broken["inputSchema"] = json!({ "type": "object", "properties": { "a": { "type": 7 } } });
        json!({ "tools": [remote, broken] })
    }

    fn call(&mut self, _call: Call) -> Outcome {
        Outcome::Result(text("called"))
    }
}

/// Sends something else than it promised, or nothing of it.
pub(crate) struct WrongStructured;

impl Server for WrongStructured {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let promised = json!({ "type": "object", "properties": { "sum": { "type": "number" } }, "required": ["sum"] });
        let mut wrong = tool("wrong", "Sends something else than it promised", &json!({}));
        wrong["outputSchema"] = promised.clone();
        let mut missing = tool("missing", "Sends nothing of what it promised", &json!({}));
        missing["outputSchema"] = promised;
        json!({ "tools": [wrong, missing] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        let mut result = text("done");
        if call.tool == "wrong" {
            result["structuredContent"] = json!({ "sum": "many" });
        }
        Outcome::Result(result)
    }
}
