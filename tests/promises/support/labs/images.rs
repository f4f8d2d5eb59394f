//! A picture, of a server of whose three tools one is approved.

use super::Reached;
use crate::support::{TestHost, misbehave, unconfined};
use serde_json::{Value, json};
use test_servers::model::Step;

/// The picture, in Base64.
pub const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// A host with the server of pictures, of whose tools only that for pictures is approved.
pub async fn host() -> (TestHost, Reached) {
    let test = TestHost::new().await;
    let reached = Reached::new();
    let file = reached.file();
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["lab-images", file]});
    let draft =
        json!({"draft": {"name": "everything", "target": target, "confinement": unconfined()}});
    test.ask("add_server", draft).await.unwrap();
    test.only_switch_on("everything").await;
    let review = json!({"server": "everything"});
    let review = test.ask("review_offers", review).await.unwrap();
    let offers = review["offers"].as_array().unwrap().iter();
    let is_wanted = |offer: &&Value| {
        let key = &offer["key"];
        key["kind"] != "tool" || key["name"] == "get-tiny-image"
    };
    let approve = |offer: &Value| json!({"key": offer["key"], "fingerprint": offer["fingerprint"], "decision": "approve"});
    let decisions: Vec<Value> = offers.filter(is_wanted).map(approve).collect();
    let decide = json!({"server": "everything", "decisions": decisions});
    test.ask("decide_offers", decide).await.unwrap();
    super::allow(&test, "everything").await;
    (test, reached)
}

/// Wants the picture.
pub fn wants_picture() -> Step {
    Step::wants([("everything__get-tiny-image", json!({}))])
}
