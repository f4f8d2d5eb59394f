//! The tools of a modern server.

use super::{META, Modern, fresh, rounds};
use crate::rpc::{Outcome, answer, complain, notify, send, text, tool};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// From which gravity on a line is written, least first.
const LEVELS: [&str; 4] = ["debug", "info", "warning", "error"];

/// Two pages. The place of the second is the empty text, which in this revision is a place like any
/// other.
pub(super) fn list(cursor: Option<&str>) -> Value {
    fresh(match cursor {
        None => {
            json!({ "tools": [tool("echo", "Says the text again", &json!({ "text": { "type": "string" } }))], "nextCursor": "" })
        }
        Some(_) => json!({ "tools": [
            tool("work", "Becomes a task", &json!({ "end": { "type": "string" }, "wants": { "type": "string" } })),
            tool("region", "An argument is also a header", &json!({ "region": { "type": "string", "x-mcp-header": "Region" } })),
            tool("twice", "Asks for two forms, one after the other", &json!({})),
            tool("bad-header", "An argument cannot be the header it wants to be", &json!({ "a": { "type": "number", "x-mcp-header": "A" } })),
        ] }),
    })
}

impl Modern {
    pub(super) fn call(&mut self, id: &Value, params: &Value) -> Outcome {
        let none = Map::new();
        let arguments = params
            .get("arguments")
            .and_then(Value::as_object)
            .unwrap_or(&none);
        let argument = |name: &str| {
            arguments
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        Outcome::Result(
            match params
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default()
            {
                "echo" => text(argument("text")),
                "whoami" => text(test_servers::process_name::own()),
                "meta" => text(params["_meta"].to_string()),
                "steps" => steps(id, params),
                "hang" => {
                    complain(&format!("hanging in {id}"));
                    return Outcome::Later;
                }
                "log" => log(params),
                "asks-by-itself" => {
                    send(
                        &json!({ "jsonrpc": "2.0", "id": "asked", "method": "roots/list", "params": {} }),
                    );
                    text("asked")
                }
                "work" => return self.tasks.begin(arguments),
                "change" => self
                    .listening
                    .tell(argument("what"), argument("uri"), argument("as")),
                "stop-listening" => self.listening.stop(),
                "odd-result" => json!({ "resultType": "hologram", "content": [] }),
                other => return rounds::call(other, params),
            },
        )
    }
}

/// Two steps, then the end.
fn steps(id: &Value, params: &Value) -> Value {
    for step in 1..=2 {
        let token = &params["_meta"]["progressToken"];
        notify(
            "notifications/progress",
            &json!({ "progressToken": token, "progress": step, "total": 2, "message": format!("step {step}") }),
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    // A second answer to the same request is none.
    answer(
        id,
        &json!({ "content": [{ "type": "text", "text": "done" }], "resultType": "complete" }),
    );
    text("done again")
}

/// One line of each gravity that the request wants to hear of. Without a wish nothing is written.
fn log(params: &Value) -> Value {
    let level = params["_meta"]
        .get(format!("{META}logLevel"))
        .and_then(Value::as_str);
    let from = level
        .and_then(|level| LEVELS.iter().position(|known| *known == level))
        .unwrap_or(LEVELS.len());
    for level in &LEVELS[from..] {
        notify(
            "notifications/message",
            &json!({ "level": level, "logger": "modern", "data": format!("a line of {level}") }),
        );
    }
    text("logged")
}
