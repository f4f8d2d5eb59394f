//! `all-content`: one result with every kind of content, and one that this version does not know.

use crate::rpc::{Call, Outcome, Server, tool};
use serde_json::{Value, json};

/// One red pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/// One silent sample.
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

pub(crate) struct AllContent;

impl Server for AllContent {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let mut all = tool("all", "Sends every kind of content", &json!({}));
        all["title"] = json!("All kinds");
        all["annotations"] = json!({ "readOnlyHint": true, "unheardOfHint": "yes" });
        all["_meta"] = json!({ "example.com/colour": "red" });
        json!({ "tools": [all] })
    }

    fn call(&mut self, _call: Call) -> Outcome {
        Outcome::Result(json!({
            "content": [
                { "type": "text", "text": "words" },
                { "type": "image", "data": PNG, "mimeType": "image/png" },
                { "type": "audio", "data": WAV, "mimeType": "audio/wav" },
                { "type": "resource_link", "uri": "file:///a.txt", "name": "a.txt", "title": "A", "mimeType": "text/plain" },
                { "type": "resource", "resource": { "uri": "file:///b.txt", "mimeType": "text/plain", "text": "inside" } },
                { "type": "resource", "resource": { "uri": "file:///c.bin", "blob": "AAEC" } },
                { "type": "hologram", "depth": 3 },
            ],
            "structuredContent": { "kinds": 7 },
        }))
    }
}
