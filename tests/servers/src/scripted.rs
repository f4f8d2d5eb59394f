//! `scripted FILE`: a server that offers what stands in a file, read anew each time it is asked:
//! `{"about": {…}, "tools": […], "prompts": […], "templates": […], "answers": {TOOL: TEXT}}`. Where
//! the answer depends on the call, it is `[{"arguments": {…}, "text": TEXT}, …]`. Its tool `touch`
//! says that all lists have changed; a call of any other answers with its text, and the reading of
//! an address with the text of that. It lists the addresses that it has a text for. With
//! `"able": true` it also tells of changes, proposes, logs, and asks for its folders whenever it may.

use crate::rpc::{Call, Outcome, Server, notify, send, text, tool};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

pub(crate) struct Scripted {
    pub(crate) file: PathBuf,
    /// How often it has asked for its folders.
    pub(crate) asked: u32,
}

impl Scripted {
    fn of(&self, key: &str) -> Value {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        serde_json::from_str::<Value>(&text)
            .map(|mut script| script[key].take())
            .unwrap_or_default()
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
        if self.of("able") == true {
            greeting["capabilities"]["resources"]["subscribe"] = json!(true);
            greeting["capabilities"]["completions"] = json!({});
            greeting["capabilities"]["logging"] = json!({});
        }
        for more in ["title", "icons"] {
            if !about[more].is_null() {
                greeting["serverInfo"][more] = about[more].clone();
            }
        }
        if about["instructions"].is_string() {
            greeting["instructions"] = about["instructions"].clone();
        }
        greeting
    }

    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let mut tools = self.list("tools");
        tools.push(tool(
            "touch",
            "Says that the lists have changed",
            &json!({}),
        ));
        json!({ "tools": tools })
    }

    fn call(&mut self, call: Call) -> Outcome {
        if call.tool == "touch" {
            for what in ["tools", "prompts", "resources"] {
                notify(&format!("notifications/{what}/list_changed"), &json!({}));
            }
        }
        let answer = self.of("answers")[&call.tool].take();
        let mut of_call = answer.as_array().into_iter().flatten();
        let of_call = of_call.find(|one| one["arguments"].as_object() == Some(&call.arguments));
        let said = of_call.map_or(&answer, |one| &one["text"]).as_str();
        Outcome::Result(text(said.unwrap_or("done")))
    }

    fn notified(&mut self, method: &str) {
        let may_ask = [
            "notifications/initialized",
            "notifications/roots/list_changed",
        ];
        if may_ask.contains(&method) && self.of("able") == true {
            self.asked += 1;
            // Two requests that are open at a time must not have one id.
            let id = format!("folders {}", self.asked);
            send(&json!({ "jsonrpc": "2.0", "id": id, "method": "roots/list" }));
        }
    }

    fn other(&mut self, method: &str, params: &Value) -> Outcome {
        match method {
            "prompts/list" => Outcome::Result(json!({ "prompts": self.list("prompts") })),
            "resources/templates/list" => {
                Outcome::Result(json!({ "resourceTemplates": self.list("templates") }))
            }
            "resources/read" => {
                let uri = params["uri"].as_str().unwrap_or_default();
                let text = self.of("answers")[uri]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                Outcome::Result(json!({ "contents": [{ "uri": uri, "text": text }] }))
            }
            "resources/list" => {
                let answers = self.of("answers");
                let uris = answers.as_object().into_iter().flat_map(Map::keys);
                let listed: Vec<_> = uris
                    .filter(|uri| uri.contains("://"))
                    .map(|uri| json!({ "uri": uri, "name": uri }))
                    .collect();
                Outcome::Result(json!({ "resources": listed }))
            }
            "resources/subscribe" | "resources/unsubscribe" | "logging/setLevel" => {
                Outcome::Result(json!({}))
            }
            "completion/complete" => {
                Outcome::Result(json!({ "completion": { "values": ["proposal"] } }))
            }
            "prompts/get" => Outcome::Result(
                json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": "done" } }] }),
            ),
            _ => Outcome::Refusal(-32_601, "no such method", Value::Null),
        }
    }
}
