//! `resources-and-prompts [REVISION]`: a server of the older era with everything beside tools,
//! except templates.

use crate::rpc::{Call, Outcome, Server, notify, text, tool};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// From which gravity on a line is written, least first.
const LEVELS: [&str; 4] = ["debug", "info", "warning", "error"];

#[derive(Default)]
pub(crate) struct Offers {
    revision: Option<String>,
    watched: BTreeSet<String>,
    level: usize,
}

impl Offers {
    /// Agrees to one revision, if it is given.
    pub(crate) fn of(revision: Option<String>) -> Self {
        Self {
            revision,
            ..Self::default()
        }
    }
}

impl Server for Offers {
    fn greeting(&mut self, protocol: Value) -> Value {
        json!({
            "protocolVersion": self.revision.clone().map_or(protocol, Value::String),
            "capabilities": {
                "tools": {},
                "resources": { "subscribe": true, "listChanged": true },
                "prompts": { "listChanged": true },
                "completions": {},
                "logging": {},
            },
            "serverInfo": { "name": "offers", "version": "1.0.0" },
            "instructions": "Read before you ask.",
        })
    }

    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        json!({ "tools": [
            tool("touch", "Changes a resource", &json!({ "uri": { "type": "string" } })),
            tool("change", "Changes the lists", &json!({})),
            tool("log", "Writes a line of each gravity", &json!({})),
        ] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        match call.tool.as_str() {
            "touch" => {
                let uri = call.text("uri");
                let watched = self.watched.contains(uri);
                if watched {
                    notify("notifications/resources/updated", &json!({ "uri": uri }));
                }
                Outcome::Result(text(watched.to_string()))
            }
            "change" => {
                notify("notifications/resources/list_changed", &Value::Null);
                notify("notifications/prompts/list_changed", &json!({}));
                Outcome::Result(text("changed"))
            }
            "log" => {
                for level in &LEVELS[self.level..] {
                    notify(
                        "notifications/message",
                        &json!({ "level": level, "data": { "line": level } }),
                    );
                }
                // Not a gravity, and no line.
                notify(
                    "notifications/message",
                    &json!({ "level": "shouting", "data": "loud" }),
                );
                notify("notifications/message", &json!({ "data": "no level" }));
                Outcome::Result(text("logged"))
            }
            _ => Outcome::Error("no such tool"),
        }
    }

    fn other(&mut self, method: &str, params: &Value) -> Outcome {
        let param = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
        Outcome::Result(match method {
            "resources/list" => match params.get("cursor") {
                None => {
                    json!({ "resources": [{ "uri": "note://a", "name": "a" }], "nextCursor": "more" })
                }
                // What some servers say for the end.
                Some(_) => json!({ "resources": [{ "uri": "note://b" }], "nextCursor": "" }),
            },
            "resources/read" if param("uri") == "note://a" => {
                json!({ "contents": [{ "uri": "note://a", "text": "abc" }] })
            }
            "resources/read" => return Outcome::Refusal(-32_002, "no such resource", Value::Null),
            "resources/subscribe" => {
                self.watched.insert(param("uri").to_owned());
                json!({})
            }
            "resources/unsubscribe" => {
                self.watched.remove(param("uri"));
                json!({})
            }
            "prompts/list" => {
                json!({ "prompts": [{ "name": "greet", "arguments": [{ "name": "who", "required": true }] }] })
            }
            "prompts/get" if param("name") != "greet" => return Outcome::Error("no such prompt"),
            "prompts/get" if params["arguments"]["who"] == "nobody" => {
                return Outcome::Error("there is no\u{200b}body");
            }
            "prompts/get" => {
                let content = json!({ "type": "text", "text": params["arguments"]["who"] });
                json!({ "description": "A greeting", "messages": [{ "role": "assistant", "content": content }] })
            }
            "completion/complete" => json!({ "completion": { "values": [params.to_string()] } }),
            "logging/setLevel" => {
                let Some(level) = LEVELS.iter().position(|known| *known == param("level")) else {
                    return Outcome::Error("no such level");
                };
                self.level = level;
                json!({})
            }
            _ => return Outcome::Refusal(-32_601, "no such method", Value::Null),
        })
    }
}
