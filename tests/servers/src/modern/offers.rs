//! What a modern server offers beside tools: resources, prompts, proposals.

use super::{fresh, rounds};
use crate::rpc::Outcome;
use serde_json::{Value, json};

pub(super) fn request(method: &str, params: &Value) -> Outcome {
    let param = |name: &str| params.get(name).and_then(Value::as_str);
    Outcome::Result(match method {
        "resources/list" => fresh(resources(param("cursor"))),
        "resources/templates/list" => fresh(
            json!({ "resourceTemplates": [{ "uriTemplate": "note://{name}", "name": "note" }] }),
        ),
        "resources/read" => return read(param("uri").unwrap_or_default(), params),
        "prompts/list" => fresh(json!({ "prompts": [
            { "name": "greet", "description": "Says hello", "arguments": [{ "name": "who", "required": true }] },
            { "name": "asks", "description": "Asks before it says anything" },
        ] })),
        "prompts/get" => return prompt(param("name").unwrap_or_default(), params),
        // What it was told of the other values is the proposal.
        "completion/complete" => {
            json!({ "completion": { "values": [params.to_string()], "total": 7, "hasMore": true } })
        }
        _ => return Outcome::Refusal(-32_601, "no such method", Value::Null),
    })
}

/// Two pages. The place of the second is the empty text.
fn resources(cursor: Option<&str>) -> Value {
    match cursor {
        None => {
            json!({ "resources": [{ "uri": "note://a", "name": "a", "size": 3, "mimeType": "text/plain" }], "nextCursor": "" })
        }
        Some(_) => {
            json!({ "resources": [{ "uri": "note://b", "name": "b" }, { "uri": "note://asks", "name": "asks" }] })
        }
    }
}

fn read(uri: &str, params: &Value) -> Outcome {
    match uri {
        "note://asks" => {
            match rounds::asked(params, || json!({ "who": rounds::form("Who reads?") })) {
                Outcome::Result(result) if result.get("content").is_some() => {
                    Outcome::Result(fresh(json!({
                        "contents": [{ "uri": uri, "text": result["content"][0]["text"] }],
                    })))
                }
                outcome => outcome,
            }
        }
        "note://a" => Outcome::Result(fresh(json!({ "contents": [
            { "uri": uri, "mimeType": "text/plain", "text": "abc" }, { "uri": uri, "blob": "AAEC" },
        ] }))),
        // Only a call may become a task.
        "note://task" => {
            Outcome::Result(json!({ "resultType": "task", "taskId": "1", "status": "working" }))
        }
        _ => Outcome::Error("no such resource"),
    }
}

fn prompt(name: &str, params: &Value) -> Outcome {
    let message = |text: &Value| json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": text } }] });
    match name {
        "greet" => Outcome::Result(message(&params["arguments"]["who"])),
        "asks" => match rounds::asked(
            params,
            || json!({ "who": rounds::form("Who is to be greeted?") }),
        ) {
            Outcome::Result(result) if result.get("content").is_some() => {
                Outcome::Result(message(&result["content"][0]["text"]))
            }
            outcome => outcome,
        },
        _ => Outcome::Error("no such prompt"),
    }
}
