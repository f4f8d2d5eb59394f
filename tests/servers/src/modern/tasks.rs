//! Calls that become tasks (`io.modelcontextprotocol/tasks`). A task goes one step each time that
//! it is asked about: it works, wants input if it was told to, works once more, and ends as it was
//! told to.

use crate::rpc::{Outcome, complain, text};
use serde_json::{Map, Value, json};

/// All tasks by their names, in memory or in a file.
#[derive(Default)]
pub(super) struct Tasks {
    file: Option<String>,
    all: Map<String, Value>,
}

impl Tasks {
    /// Tasks that outlive the process.
    pub(super) fn kept_in(file: String) -> Self {
        let kept = std::fs::read(&file)
            .ok()
            .and_then(|kept| serde_json::from_slice(&kept).ok());
        Self {
            file: Some(file),
            all: kept.unwrap_or_default(),
        }
    }

    /// Makes a task of a call. Arguments: `end`, how it ends (`completed`, `failed`, `cancelled`,
    /// `never`, or a state that does not exist); `wants`, what it wants on the way (`form`,
    /// `sample`).
    pub(super) fn begin(&mut self, arguments: &Map<String, Value>) -> Outcome {
        let name = format!("task-{}", self.all.len() + 1);
        let argument = |name: &str| {
            arguments
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        self.all.insert(name.clone(), json!({ "end": argument("end"), "wants": argument("wants"), "status": "working", "asked": 0 }));
        self.keep();
        let mut created = state(&name, "working");
        created["resultType"] = json!("task");
        Outcome::Result(created)
    }

    pub(super) fn get(&mut self, params: &Value) -> Outcome {
        let Some((name, task)) = self.find(params) else {
            return unknown();
        };
        let asked = task["asked"].as_u64().unwrap_or_default() + 1;
        task["asked"] = json!(asked);
        if task["status"] == "working" && asked > 1 {
            task["status"] = match (
                task["wants"].as_str(),
                task["given"].is_null(),
                task["end"].as_str(),
            ) {
                (Some("form" | "sample"), true, _) => json!("input_required"),
                (_, _, Some("never")) => json!("working"),
                (_, _, end) => json!(end),
            };
        }
        let told = tell(&name, task);
        // An answer that was just given takes a moment until it is seen, which the protocol allows.
        if task["status"] == "input_required" && !task["given"].is_null() {
            task["status"] = json!("working");
        }
        self.keep();
        Outcome::Result(told)
    }

    pub(super) fn update(&mut self, params: &Value) -> Outcome {
        let Some((_, task)) = self.find(params) else {
            return unknown();
        };
        if !task["given"].is_null() {
            complain("the same was given twice");
        }
        task["given"] = params["inputResponses"].clone();
        self.keep();
        Outcome::Result(json!({}))
    }

    pub(super) fn cancel(&mut self, params: &Value) -> Outcome {
        let Some((name, task)) = self.find(params) else {
            return unknown();
        };
        task["status"] = json!("cancelled");
        complain(&format!("cancelled {name}"));
        self.keep();
        Outcome::Result(json!({}))
    }

    fn find(&mut self, params: &Value) -> Option<(String, &mut Value)> {
        let name = params.get("taskId").and_then(Value::as_str)?;
        self.all.get_mut(name).map(|task| (name.to_owned(), task))
    }

    fn keep(&self) {
        if let Some(file) = &self.file
            && std::fs::write(file, Value::Object(self.all.clone()).to_string()).is_err()
        {
            complain("the tasks cannot be written");
        }
    }
}

fn unknown() -> Outcome {
    Outcome::Error("there is no such task")
}

fn state(name: &str, status: &str) -> Value {
    json!({
        "taskId": name,
        "status": status,
        "createdAt": "2026-08-01T10:00:00Z",
        "lastUpdatedAt": "2026-08-01T10:00:00Z",
        "ttlMs": null,
        "pollIntervalMs": 1,
    })
}

fn tell(name: &str, task: &Value) -> Value {
    let status = task["status"].as_str().unwrap_or_default();
    let mut told = state(name, status);
    told["statusMessage"] = json!(format!("asked {} times", task["asked"]));
    match status {
        "input_required" if task["wants"] == "sample" => {
            told["inputRequests"] = json!({ "model": { "method": "sampling/createMessage", "params": { "messages": [], "maxTokens": 1 } } });
        }
        "input_required" => {
            told["inputRequests"] = json!({ "who": super::rounds::form("Who works?") })
        }
        "completed" => told["result"] = text(task["given"].to_string()),
        "failed" => told["error"] = json!({ "code": -32_603, "message": "out of steam" }),
        _ => {}
    }
    told
}
