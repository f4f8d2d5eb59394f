//! A picture, beside tools that are not wanted.

use super::{NOT_NOTED, Notes, reads, tool_with};
use crate::rpc::{Call, Outcome, Server, text};
use serde_json::{Value, json};

/// A picture of one point, as PNG in Base64.
const TINY: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

pub(crate) struct Images(Notes);

impl Images {
    pub(crate) fn of(file: Option<String>) -> Self {
        Self(Notes::of(file))
    }
}

impl Server for Images {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let number = json!({ "type": "number" });
        let word = json!({ "type": "string" });
        json!({ "tools": [
            reads(tool_with("get-tiny-image", "Returns a tiny picture", &json!({}))),
            reads(tool_with("get-sum", "Returns the sum of two numbers", &json!({ "a": number, "b": number }))),
            reads(tool_with("echo", "Says a message again", &json!({ "message": word }))),
        ] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        if self.0.add(&call.tool).is_err() {
            return Outcome::Error(NOT_NOTED);
        }
        Outcome::Result(match call.tool.as_str() {
            "get-tiny-image" => json!({ "content": [
                { "type": "text", "text": "This is the picture:" },
                { "type": "image", "data": TINY, "mimeType": "image/png" },
            ] }),
            "get-sum" => text((call.number("a") + call.number("b")).to_string()),
            "echo" => text(call.text("message")),
            _ => return Outcome::Error("no such tool"),
        })
    }
}
