//! `scripted FILE`: a server that offers what stands in a file, read anew each time it is asked:
//! `{"about": {…}, "tools": […], "prompts": […], "templates": […], "answers": {TOOL: TEXT}}`. Its tool `touch` says that all lists have
//! changed; a call of any other answers with its text, and
//! the reading of an address with the text of that.

use crate::rpc::{Call, Outcome, Server, notify, text, tool};
use serde_json::{Value, json};
use std::path::PathBuf;

pub(crate) struct Scripted {
    pub(crate) file: PathBuf,
}

impl Scripted {
    fn of(&self, key: &str) -> Value {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        serde_json::from_str::<Value>(&text).map(|mut script| script[key].take()).unwrap_or_default()
    }

    fn list(&self, key: &str) -> Vec<Value> {
        self.of(key).as_array().cloned().unwrap_or_default()
    }
}

impl Server for Scripted {
    fn greeting(&mut self, protocol: Value) -> Value {
        let about = self.of("about");
        let mut greeting = json!({
            "protocolVersion": protocol,
            "capabilities": { "tools": { "listChanged": true }, "prompts": { "listChanged": true }, "resources": { "listChanged": true } },
            "serverInfo": { "name": about["name"].as_str().unwrap_or("scripted"), "version": "1.0.0" },
        });
        if about["title"].is_string() {
            greeting["serverInfo"]["title"] = about["title"].clone();
        }
        if about["instructions"].is_string() {
            greeting["instructions"] = about["instructions"].clone();
        }
        greeting
    }

    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let mut tools = self.list("tools");
        tools.push(tool("touch", "Says that the lists have changed", &json!({})));
        json!({ "tools": tools })
    }

    fn call(&mut self, call: Call) -> Outcome {
        if call.tool == "touch" {
            for what in ["tools", "prompts", "resources"] {
                notify(&format!("notifications/{what}/list_changed"), &json!({}));
            }
        }
        Outcome::Result(text(self.of("answers")[&call.tool].as_str().unwrap_or("done")))
    }

    fn other(&mut self, method: &str, params: &Value) -> Outcome {
        match method {
            "prompts/list" => Outcome::Result(json!({ "prompts": self.list("prompts") })),
            "resources/templates/list" => Outcome::Result(json!({ "resourceTemplates": self.list("templates") })),
            "resources/read" => {
                let uri = params["uri"].as_str().unwrap_or_default();
                let text = self.of("answers")[uri].as_str().unwrap_or_default().to_owned();
                Outcome::Result(json!({ "contents": [{ "uri": uri, "text": text }] }))
            }
            "resources/list" => Outcome::Result(json!({ "resources": [] })),
            "prompts/get" => Outcome::Result(json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": "done" } }] })),
            _ => Outcome::Refusal(-32_601, "no such method", Value::Null),
        }
    }
}
