//! `asks-unbidden [TIMES]`: a server that asks a person by itself: as soon as it has been greeted, so
//! many times, and in the middle of a call that it answers at once. Its tool `heard` says what came
//! back, by the id of what it asked.

use crate::rpc::{Call, Outcome, Server, receive, send, take, text, tool};
use serde_json::{Map, Value, json};
use std::sync::mpsc;
use std::thread;

struct Unbidden {
    times: u64,
    heard: Map<String, Value>,
}

impl Server for Unbidden {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        json!({ "tools": [
            tool("heard", "Says what came back", &json!({})),
            tool("leaves", "Asks a person and does not wait", &json!({})),
        ] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        Outcome::Result(match call.tool.as_str() {
            "heard" => text(Value::Object(self.heard.clone()).to_string()),
            "leaves" => {
                form("left");
                text("gone")
            }
            _ => return Outcome::Error("no such tool"),
        })
    }

    fn notified(&mut self, method: &str) {
        if method != "notifications/initialized" {
            return;
        }
        let url = json!({ "mode": "url", "message": "Sign in", "url": "https://example.com/", "elicitationId": "1" });
        question("url", "elicitation/create", &url);
        let sample = json!({ "messages": [], "maxTokens": 1 });
        question("sample", "sampling/createMessage", &sample);
        for number in 0..self.times {
            form(&format!("form-{number}"));
        }
    }
}

fn form(id: &str) {
    let fields = json!({ "type": "object", "properties": { "city": { "type": "string", "title": "City" } } });
    let form = json!({ "message": "Where are you?", "requestedSchema": fields });
    question(id, "elicitation/create", &form);
}

fn question(id: &str, method: &str, params: &Value) {
    send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
}

pub(crate) fn unbidden(times: u64) {
    let mut server = Unbidden {
        times,
        heard: Map::new(),
    };
    // It reads while it writes: who does not is not read.
    let (arrived, messages) = mpsc::channel();
    thread::spawn(move || {
        while let Some(message) = receive() {
            if arrived.send(message).is_err() {
                return;
            }
        }
    });
    for message in messages {
        match (message.get("method"), message.get("id")) {
            (None, Some(Value::String(id))) => {
                let answer = message.get("result").or_else(|| message.get("error"));
                server
                    .heard
                    .insert(id.clone(), answer.cloned().unwrap_or_default());
            }
            _ => take(&mut server, &message),
        }
    }
}
