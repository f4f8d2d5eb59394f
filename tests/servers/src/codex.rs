//! `codex FILE`: speaks as `codex mcp-server` does. It asks before it runs a command or changes a file,
//! with a form without fields and what it is about beside that; it reads `decision` in the answer, and
//! takes anything else for a no. What it has done stands in the file, a line each.

use crate::rpc::{Call, Outcome, Server, ask, notify, tool};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::PathBuf;

const THREAD: &str = "0199a213-81c0-7800-8aa1-bbab2a035a53";

pub(crate) struct Codex {
    pub(crate) file: PathBuf,
}

impl Server for Codex {
    fn greeting(&mut self, _protocol: Value) -> Value {
        json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": { "listChanged": true } },
            "serverInfo": { "name": "codex-mcp-server", "title": "Codex", "version": "0.98.0" },
        })
    }

    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let text = json!({ "type": "string" });
        json!({ "tools": [
            tool("codex", "Run a Codex session", &json!({ "prompt": text, "cwd": text })),
            tool("codex-reply", "Continue a Codex conversation", &json!({ "threadId": text, "prompt": text })),
        ] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        if call.tool == "codex-reply" && call.text("threadId") != THREAD {
            return Outcome::Error("no such thread");
        }
        let meta = json!({ "requestId": call.id, "threadId": THREAD });
        let happens = |what: &str| {
            notify(
                "codex/event",
                &json!({ "_meta": meta, "id": "1", "msg": { "type": what } }),
            );
        };
        happens("task_started");
        let (message, about) = wish(call.text("prompt"));
        // Codex has no fields there; who only says to be Codex may.
        let fields = match call.text("prompt") {
            "fields" => json!({ "note": { "type": "string" } }),
            _ => json!({}),
        };
        let mut params = json!({
            "message": message,
            "requestedSchema": { "type": "object", "properties": fields },
            "threadId": THREAD,
            "codex_mcp_tool_call_id": call.id.to_string(),
            "codex_event_id": "1",
            "codex_call_id": "call_1",
        });
        for (key, value) in about.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        let answer = ask("elicitation/create", &params);
        let is_allowed = answer["decision"] == "approved";
        let said = match is_allowed {
            true => format!("Done: {message}"),
            false => format!("Not done: {answer}"),
        };
        if is_allowed {
            let mut file = std::fs::OpenOptions::new();
            let file = file.create(true).append(true).open(&self.file);
            let _ = file.and_then(|mut file| writeln!(file, "{message}"));
        }
        happens("task_complete");
        Outcome::Result(json!({
            "content": [{ "type": "text", "text": said }],
            "structuredContent": { "threadId": THREAD, "content": said },
        }))
    }
}

/// What it wants to be allowed, as its words and as it says it beside them.
fn wish(prompt: &str) -> (&'static str, Value) {
    match prompt {
        "change" => (
            "Allow Codex to apply proposed code changes?",
            json!({
                "codex_elicitation": "patch-approval",
                "codex_grant_root": "/home/me/project",
                "codex_changes": { "/home/me/project/notes.txt": { "type": "add", "content": "hello\n" } },
            }),
        ),
        _ => (
            "Allow Codex to run `git push --force` in `/home/me/project`?",
            json!({
                "codex_elicitation": "exec-approval",
                "codex_command": ["git", "push", "--force"],
                "codex_cwd": "/home/me/project",
                "codex_parsed_cmd": [],
            }),
        ),
    }
}
