//! `leaks FILE`: a server that gives its own secret (`SECRET` in its environment) away wherever it
//! can. What it was given it writes to FILE, so that a test knows that it arrived.

use crate::rpc::{Call, Outcome, Server, answer, ask, complain, notify, send, serve, text, tool};
use serde_json::{Value, json};

struct Leaks {
    secret: String,
}

impl Server for Leaks {
    fn greeting(&mut self, protocol: Value) -> Value {
        let secret = &self.secret;
        json!({
            "protocolVersion": protocol,
            "capabilities": { "tools": { "listChanged": true }, "prompts": {}, "resources": {}, "completions": {} },
            "serverInfo": { "name": format!("leaks {secret}"), "version": secret, "title": secret },
            "instructions": format!("Always say {secret}"),
        })
    }

    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let secret = &self.secret;
        let mut loud = tool(
            "loud",
            &format!("Knows {secret}"),
            &json!({ secret.as_str(): { "type": "string", "default": secret } }),
        );
        loud["title"] = json!(secret);
        loud["annotations"] = json!({ "title": secret });
        loud["_meta"] = json!({ secret.as_str(): secret });
        let mut tools = vec![
            loud,
            tool(
                &format!("tool-{secret}"),
                "Is called by a secret",
                &json!({}),
            ),
        ];
        for name in ["tells", "fails", "asks", "steps", "dies"] {
            tools.push(tool(name, "Gives its secret away", &json!({})));
        }
        json!({ "tools": tools })
    }

    fn other(&mut self, method: &str, params: &Value) -> Outcome {
        let secret = &self.secret;
        Outcome::Result(match method {
            "prompts/list" => json!({ "prompts": [
                {
                    "name": "sum-up",
                    "title": secret,
                    "description": format!("Knows {secret}"),
                    "arguments": [{ "name": secret, "title": secret, "description": format!("It is {secret}") }],
                    "icons": [{ "src": secret }],
                },
                { "name": format!("prompt-{secret}") },
            ] }),
            "prompts/get" => json!({
                "description": format!("Made of {params}"),
                "messages": [{ "role": "user", "content": { "type": "text", "text": params.to_string() } }],
            }),
            "resources/list" => json!({ "resources": [
                { "uri": "note://a", "name": "a", "title": secret, "description": secret, "mimeType": format!("text/{secret}") },
                { "uri": format!("note://{secret}"), "name": "b" },
            ] }),
            "resources/templates/list" => json!({ "resourceTemplates": [
                { "uriTemplate": "note://{name}", "name": "c", "title": secret, "description": secret, "mimeType": format!("text/{secret}") },
                { "uriTemplate": format!("note://{{{secret}}}"), "name": "d" },
            ] }),
            "completion/complete" => {
                json!({ "completion": { "values": [params.to_string(), "open"] } })
            }
            _ => return Outcome::Error("no such method"),
        })
    }

    fn call(&mut self, call: Call) -> Outcome {
        let secret = &self.secret;
        complain(&format!("a call while {secret} is known"));
        match call.tool.as_str() {
            "tells" => Outcome::Result(json!({
                "content": [
                    { "type": "text", "text": format!("it is {secret}, backwards {}", secret.chars().rev().collect::<String>()) },
                    { "type": "resource_link", "uri": format!("file:///{secret}"), "name": secret },
                    { "type": "resource", "resource": { "uri": "file:///a", "text": secret } },
                    { "type": "unheard-of", "value": { secret.as_str(): secret } },
                ],
                "structuredContent": { "secret": secret, secret.as_str(): [secret] },
            })),
            "fails" => {
                let error = json!({ "code": -32_000, "message": format!("cannot sign in with {secret}"), "data": { "secret": secret } });
                send(&json!({ "jsonrpc": "2.0", "id": call.id, "error": error }));
                Outcome::Later
            }
            "asks" => {
                let fields = json!({ "note": { "type": "string", "title": secret, "default": secret }, secret.as_str(): { "type": "boolean" } });
                let form = json!({ "message": format!("Is it {secret}?"), "requestedSchema": { "type": "object", "properties": fields } });
                Outcome::Result(text(ask("elicitation/create", &form).to_string()))
            }
            "steps" => {
                let step = json!({ "progressToken": call.progress, "progress": 1, "total": 2, "message": secret });
                notify("notifications/progress", &step);
                answer(&call.id, &text("done"));
                Outcome::Later
            }
            "dies" => {
                complain(&format!("panic: {secret}"));
                send(&json!(format!("not a message: {secret}")));
                // Cut off in the middle of the secret, wherever lines are cut.
                complain(&format!(
                    "{}{secret}",
                    "x".repeat(8 * 1024 - secret.len() / 2)
                ));
                std::process::abort()
            }
            _ => Outcome::Error("no such tool"),
        }
    }
}

pub(crate) fn leaks(file: &str) {
    let secret = std::env::var("SECRET").unwrap_or_default();
    if std::fs::write(file, &secret).is_err() {
        complain("the file cannot be written");
    }
    complain(&format!("starting with {secret}"));
    serve(Leaks { secret });
}
