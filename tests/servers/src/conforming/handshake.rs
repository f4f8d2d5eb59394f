//! The same in the words of the revisions that begin with a handshake: what is wanted of the client
//! is asked of it while the call waits.

use super::{inputs, log, offers, progress, tools};
use crate::rpc::{Call, Outcome, Server, ask, notify};
use serde_json::{Map, Value, json};

/// Serves one client. What it switches by its tools is listed or not.
#[derive(Default)]
pub(crate) struct Handshake {
    lists: offers::Lists,
}

impl Server for Handshake {
    fn greeting(&mut self, protocol: Value) -> Value {
        json!({
            "protocolVersion": protocol,
            "capabilities": {
                "tools": { "listChanged": true },
                "resources": { "subscribe": true, "listChanged": true },
                "prompts": { "listChanged": true },
                "completions": {},
                "logging": {},
            },
            "serverInfo": { "name": "conforming", "version": "1.0.0" },
        })
    }

    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        tools::list(&self.lists)
    }

    fn call(&mut self, call: Call) -> Outcome {
        match call.tool.as_str() {
            "test_tool_with_progress" => progress(&call),
            "test_tool_with_logging" | "test_logging_tool" => log(),
            tool if self.lists.switch(tool) => {
                let what = if tool == "test_trigger_tool_change" {
                    "tools"
                } else {
                    "prompts"
                };
                notify(&format!("notifications/{what}/list_changed"), &json!({}));
            }
            _ => {}
        }
        match answers(&call.tool, &call.arguments) {
            Ok(given) => tools::answer(&call.tool, &given),
            Err(refused) => Outcome::Result(refused),
        }
    }

    fn other(&mut self, method: &str, params: &Value) -> Outcome {
        if let ("prompts/get", Some(name)) = (method, params["name"].as_str())
            && !inputs::wanted(name, &Map::new()).is_empty()
        {
            return match answers(name, &Map::new()) {
                Ok(given) => Outcome::Result(offers::asked_prompt(&given)),
                Err(_) => Outcome::Error("it was not answered"),
            };
        }
        match method {
            "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => {
                Outcome::Result(json!({}))
            }
            _ => offers::request(method, params, &self.lists, -32_002),
        }
    }
}

/// All that a tool or prompt wants, asked for round by round; a result that says what was refused.
fn answers(name: &str, arguments: &Map<String, Value>) -> Result<Map<String, Value>, Value> {
    let mut given = Map::new();
    for round in inputs::wanted(name, arguments) {
        for (key, wanted) in round {
            let method = wanted["method"].as_str().unwrap_or_default();
            let answer = ask(method, &wanted["params"]);
            if answer.get("code").is_some() {
                return Err(tools::failed(&format!("{method} was refused: {answer}")));
            }
            given.insert(key, answer);
        }
    }
    Ok(given)
}
