//! `bad-schema`, `wrong-structured`, `heavy-schemas`: servers whose schemas lead elsewhere, do not
//! describe what they send, or make as much work as they can.

use crate::rpc::{Call, Outcome, Server, text, tool};
use serde_json::{Map, Value, json};

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

/// Lists many schemas with many patterns, and promises thousands of things about each item of long
/// lists.
pub(crate) struct HeavySchemas;

impl Server for HeavySchemas {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let conditions: Vec<Value> = (0..6_000)
            .map(|number| json!({ "not": { "const": -1 - number } }))
            .collect();
        let items = json!({ "type": "array", "items": { "allOf": conditions } });
        let rows = json!({ "type": "object", "properties": { "rows": items } });
        let mut sends = tool(
            "sends",
            "Sends a long list",
            &json!({ "count": { "type": "integer" } }),
        );
        sends["outputSchema"] = rows.clone();
        let mut takes = tool("takes", "Takes a long list", &json!({}));
        takes["inputSchema"] = rows;
        let mut tools = vec![sends, takes];
        for number in 0..250 {
            let field = |at| {
                let pattern = format!("^[a-z]{{1,40}}{number}x{at}(foo|bar|baz)+[0-9]{{2,30}}$");
                (format!("p{at}"), json!({ "pattern": pattern }))
            };
            let mut fields: Map<String, Value> = (0..250).map(field).collect();
            fields.insert("none".to_owned(), json!({ "type": 7 }));
            tools.push(tool(
                &format!("patterns-{number}"),
                "Has many patterns, and cannot be used",
                &Value::Object(fields),
            ));
        }
        json!({ "tools": tools })
    }

    fn call(&mut self, call: Call) -> Outcome {
        let mut result = text("done");
        if call.tool == "sends" {
            let count = call.arguments.get("count").and_then(Value::as_u64);
            let rows: Vec<u64> = (0..count.unwrap_or_default()).collect();
            result["structuredContent"] = json!({ "rows": rows });
        }
        Outcome::Result(result)
    }
}
