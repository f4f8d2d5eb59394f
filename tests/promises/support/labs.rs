//! The servers of courses on agents, and what has reached them.

pub mod currency;
pub mod images;
pub mod shipping;

use super::{TERMINAL, TestHost, WAIT_TIMEOUT, misbehave};
use policy::{Decision, Question};
use protocol::FormResult;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use tempfile::TempDir;

/// A file into which a server writes a line for whatever reaches it.
pub struct Reached(TempDir);

impl Reached {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn file(&self) -> PathBuf {
        self.0.path().join("reached")
    }

    pub fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.file()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The lines that begin like this.
    pub fn beginning(&self, with: &str) -> Vec<String> {
        let mut lines = self.lines();
        lines.retain(|line| line.starts_with(with));
        lines
    }

    /// Counts anew from here on.
    pub fn forget(&self) {
        // Nothing may have come so far.
        let _ = std::fs::remove_file(self.file());
    }

    /// The numbers of the orders that were placed.
    pub fn orders(&self) -> Vec<String> {
        self.beginning("ORD-")
    }

    /// How often the code of a tool that orders was begun.
    pub fn begun(&self) -> usize {
        self.beginning("place_shipping_order").len()
    }
}

/// Adds one of these servers under a name.
pub async fn add(test: &TestHost, name: &str, lab: &str) -> Reached {
    let reached = Reached::new();
    let file = reached.file();
    test.add(name, &[&misbehave(), lab, file.to_str().unwrap()])
        .await;
    reached
}

/// Makes a rule that calls of a server need no question.
pub async fn allow(test: &TestHost, server: &str) {
    let rule = json!({"effect": "allow", "hook": "call", "caller": null, "server": server, "tool": null, "when": [], "reason": null});
    let _person = test.person([Decision::ChangeRule]);
    test.ask("add_rule", json!({"draft": rule})).await.unwrap();
}

/// The question that waits; waits for it.
pub async fn question(test: &TestHost) -> Question {
    let waits = tokio::time::timeout(WAIT_TIMEOUT, test.until_waiting()).await;
    waits.expect("nobody is asked");
    test.host.waiting().remove(0)
}

/// Says something to the only question that waits.
pub async fn answer(test: &TestHost, question: &Question, decision: Decision) {
    test.host
        .answer(&question.id, decision, TERMINAL)
        .await
        .unwrap();
}

/// A form in which it is said whether an order is approved.
pub fn confirmed(yes: bool) -> Decision {
    let content = Map::from_iter([("confirmed".to_owned(), json!(yes))]);
    Decision::Form {
        answer: FormResult::Accept { content },
    }
}

/// Every text in a request to a model, but for our own words and the definitions of tools.
pub fn texts(request: &Value) -> Vec<String> {
    fn gather(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::String(text) => into.push(text.clone()),
            Value::Array(list) => list.iter().for_each(|one| gather(one, into)),
            Value::Object(map) => map.values().for_each(|one| gather(one, into)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for messages in ["messages", "input", "contents"] {
        gather(&request[messages], &mut found);
    }
    found
}

/// Whether a request to a model tells it this.
pub fn tells(request: &Value, what: &str) -> bool {
    texts(request).iter().any(|text| text.contains(what))
}
