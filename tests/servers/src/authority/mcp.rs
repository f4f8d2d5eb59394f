//! The MCP server that is protected: one tool, spoken to with a session-less handshake as in
//! 2025-11-25.

use super::{
    Seen,
    script::{json, text},
};
use axum::response::Response;
use serde_json::{Value, json};

/// Answers one request. What is no message of the protocol gets an empty answer.
pub(super) fn answer(seen: &Seen) -> Response {
    if seen.streams {
        return json(405, &json!({}));
    }
    match answer_message(&seen.body, seen.bearer().unwrap_or("nothing")) {
        Some(answer) => json(200, &answer),
        None => text(202, "application/json", String::new()),
    }
}

/// The answer to a message of the protocol; none to a notification. The tool gives away what it was
/// `told` about who asks.
pub fn answer_message(body: &str, told: &str) -> Option<Value> {
    let message: Value = serde_json::from_str(body).unwrap_or_default();
    let Some(method) = message["method"].as_str() else {
        return Some(json!({}));
    };
    if message["id"].is_null() {
        return None;
    }
    let result = match method {
        "initialize" => json!({
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "protected", "version": "1"},
        }),
        "ping" => json!({}),
        "tools/list" => {
            json!({"tools": [{"name": "whoami", "description": "Says hello", "inputSchema": {"type": "object"}}]})
        }
        "tools/call" => {
            json!({"content": [{"type": "text", "text": format!("hello, you said {told}")}]})
        }
        _ => {
            let error = json!({"code": -32601, "message": "unknown"});
            return Some(json!({"jsonrpc": "2.0", "id": message["id"], "error": error}));
        }
    };
    Some(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
}
