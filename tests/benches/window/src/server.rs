//! Servers that are added to a window without the clicks.

use serde_json::{Value, json};
use window_driver::{Page, built};

/// Adds one of the servers that misbehave on purpose, reviews it and switches it on. Nothing that it
/// offers is approved.
pub async fn add(page: &Page, name: &str, args: &[&str]) {
    let target = json!({"kind": "stdio", "command": built("misbehave"), "args": args});
    let draft = json!({"name": name, "target": target});
    page.ask("add_server", json!({"draft": draft})).await;
    let review = page.ask("review_server", json!({"server": name})).await;
    let enable = json!({"server": name, "reviewed": review["fingerprint"]});
    page.ask("enable_server", enable).await;
    page.ask("list_tools", json!({"server": name})).await;
}

/// Approves everything that a server offers.
pub async fn approve(page: &Page, name: &str) {
    let review = page.ask("review_offers", json!({"server": name})).await;
    let yes = |offer: &Value| json!({"key": offer["key"], "fingerprint": offer["fingerprint"], "decision": "approve"});
    let offers = review["offers"].as_array().into_iter().flatten();
    let decisions: Vec<Value> = offers.map(yes).collect();
    let decide = json!({"server": name, "decisions": decisions});
    page.ask("decide_offers", decide).await;
}
