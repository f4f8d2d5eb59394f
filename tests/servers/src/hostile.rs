//! `shouts`, `fat-list`, `counts-values`: servers that send as much as one message may hold, again
//! and again.

use crate::rpc::{Call, Outcome, Server, notify, text, tool, write_line};
use serde_json::{Value, json};

/// Almost as long as a message may be, in bytes.
const LONG: usize = 15 * 1024 * 1024;
/// How often.
const TIMES: usize = 14;
/// Tools of a fat list, and bytes of what each says about itself.
const TOOLS: usize = 60;
const FAT: usize = 8 * 1024 * 1024;

/// Says something long again and again during a call: which part of it is long is the argument
/// `what`.
pub(crate) struct Shouts;

impl Server for Shouts {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let properties = json!({ "what": { "type": "string" } });
        json!({ "tools": [tool("shout", "Says something long", &properties)] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        let long = "x".repeat(LONG);
        for time in 0..TIMES {
            match call.text("what") {
                "method" => notify(&long, &json!({})),
                "id" => write_line(&json!({ "id": long, "method": "ping" }).to_string()),
                "log" => notify(
                    "notifications/message",
                    &json!({ "level": "info", "data": long }),
                ),
                "logger" => notify(
                    "notifications/message",
                    &json!({ "level": "info", "logger": long, "data": time }),
                ),
                "uri" => notify("notifications/resources/updated", &json!({ "uri": long })),
                "done" => notify(
                    "notifications/elicitation/complete",
                    &json!({ "elicitationId": long }),
                ),
                _ => return Outcome::Error("there is no such part"),
            }
        }
        Outcome::Result(text("done"))
    }
}

/// Tools that say very much about themselves, one on a page.
pub(crate) struct FatList;

impl Server for FatList {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        let number: usize = cursor.and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
        let one = tool(&format!("tool-{number}"), &"x".repeat(FAT), &json!({}));
        if number + 1 < TOOLS {
            json!({ "tools": [one], "nextCursor": (number + 1).to_string() })
        } else {
            json!({ "tools": [one] })
        }
    }

    fn call(&mut self, _call: Call) -> Outcome {
        Outcome::Error("no such tool")
    }
}

/// Answers with more values than anybody reads.
pub(crate) struct CountsValues;

impl Server for CountsValues {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        json!({ "tools": [tool("count", "Counts", &json!({}))] })
    }

    fn call(&mut self, _call: Call) -> Outcome {
        let mut result = text("done");
        result["structuredContent"] = json!({ "values": vec![0; 5_000_000] });
        Outcome::Result(result)
    }
}
