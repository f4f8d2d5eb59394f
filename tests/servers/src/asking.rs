//! `asks-roots`, `elicits`, `asks-first`: servers that ask their host.

use crate::rpc::{Call, Outcome, Server, ask, text, tool};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// Asks for the folders, and counts how often it was told that they changed. With a file it lists
/// its tools only when that is there.
#[derive(Default)]
pub(crate) struct AsksRoots {
    pub(crate) file: Option<PathBuf>,
    changes: u32,
}

impl AsksRoots {
    pub(crate) fn waiting_for(file: Option<String>) -> Self {
        Self {
            file: file.map(PathBuf::from),
            changes: 0,
        }
    }
}

impl Server for AsksRoots {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        while self.file.as_ref().is_some_and(|file| !file.exists()) {
            thread::sleep(Duration::from_millis(5));
        }
        json!({ "tools": [
            tool("roots", "Says which folders it was given", &json!({})),
            tool("changes", "Says how often it was told that they changed", &json!({})),
        ] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        Outcome::Result(match call.tool.as_str() {
            "roots" => text(ask("roots/list", &json!({})).to_string()),
            "changes" => text(self.changes.to_string()),
            _ => return Outcome::Error("no such tool"),
        })
    }

    fn notified(&mut self, method: &str) {
        self.changes += u32::from(method == "notifications/roots/list_changed");
    }
}

/// Asks a person, in one of two ways, and says what came back. Also asks for what no host has to
/// give.
#[derive(Default)]
pub(crate) struct Elicits {
    /// The tool `waits` asks once this is there.
    pub(crate) file: Option<PathBuf>,
}

impl Server for Elicits {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        json!({ "tools": [
            tool("form", "Asks a person to fill in a form", &json!({ "message": { "type": "string" } })),
            tool("secret", "Asks a person for a password", &json!({})),
            tool("url", "Asks a person to open an address", &json!({ "message": { "type": "string" } })),
            tool("sample", "Asks for a model's answer", &json!({})),
            tool("model", "Asks for a model's answer, with parameters", &json!({ "params": { "type": "object" } })),
            tool("shaped", "Asks a person to fill in a form of any shape", &json!({ "schema": { "type": "object" } })),
            tool("waits", "Asks a person to fill in a form, once a file is there", &json!({})),
            tool("asks", "Asks a person to fill in a form of one field", &json!({ "title": { "type": "string" } })),
        ] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        let form = |message: &str, schema: Value| {
            ask(
                "elicitation/create",
                &json!({ "message": message, "requestedSchema": schema }),
            )
        };
        let answer = match call.tool.as_str() {
            "form" => form(call.text("message"), fields()),
            "waits" => {
                while self.file.as_ref().is_some_and(|file| !file.exists()) {
                    thread::sleep(Duration::from_millis(5));
                }
                form("Now, please", fields())
            }
            "secret" => form(
                "Your password, please",
                json!({ "type": "object", "properties": { "password": { "type": "string", "title": "Password" } }, "required": ["password"] }),
            ),
            "url" => {
                let message = call
                    .arguments
                    .get("message")
                    .and_then(Value::as_str)
                    .unwrap_or("Sign in");
                let url = "https://example.com/connect?state=1";
                ask(
                    "elicitation/create",
                    &json!({ "mode": "url", "message": message, "url": url, "elicitationId": "1" }),
                )
            }
            "shaped" => form(
                "Please",
                call.arguments.get("schema").cloned().unwrap_or_default(),
            ),
            "asks" => form(
                "Please",
                json!({ "type": "object", "properties": { "value": { "type": "string", "title": call.text("title") } } }),
            ),
            "model" => ask(
                "sampling/createMessage",
                call.arguments.get("params").unwrap_or(&Value::Null),
            ),
            "sample" => ask(
                "sampling/createMessage",
                &json!({ "messages": [], "maxTokens": 1 }),
            ),
            _ => return Outcome::Error("no such tool"),
        };
        Outcome::Result(text(answer.to_string()))
    }
}

/// Asks a person before it gives what it offers beside tools.
pub(crate) struct AsksFirst;

impl Server for AsksFirst {
    fn greeting(&mut self, protocol: Value) -> Value {
        json!({
            "protocolVersion": protocol,
            "capabilities": { "tools": {}, "resources": {}, "prompts": {} },
            "serverInfo": { "name": "asks-first", "version": "1.0.0" },
        })
    }

    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        json!({ "tools": [] })
    }

    fn call(&mut self, _call: Call) -> Outcome {
        Outcome::Error("no such tool")
    }

    fn other(&mut self, method: &str, _params: &Value) -> Outcome {
        let asked = |message: &str| {
            let form = json!({ "message": message, "requestedSchema": fields() });
            ask("elicitation/create", &form).to_string()
        };
        Outcome::Result(match method {
            "resources/list" => {
                json!({ "resources": [{ "uri": "note://asks", "name": "asks" }] })
            }
            "resources/templates/list" => json!({ "resourceTemplates": [] }),
            "resources/read" => {
                json!({ "contents": [{ "uri": "note://asks", "text": asked("Who reads?") }] })
            }
            "prompts/list" => json!({ "prompts": [{ "name": "asks" }] }),
            "prompts/get" => {
                let content = json!({ "type": "text", "text": asked("Who is to be greeted?") });
                json!({ "messages": [{ "role": "user", "content": content }] })
            }
            _ => return Outcome::Error("no such method"),
        })
    }
}

/// One field of each kind, not in the order of the alphabet.
fn fields() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "title": "Name", "minLength": 1 },
            "age": { "type": "integer", "title": "Age", "minimum": 0 },
            "colour": { "type": "string", "title": "Colour", "enum": ["red", "green"] },
            "agree": { "type": "boolean", "title": "Agree", "default": false },
        },
        "required": ["name"],
    })
}
