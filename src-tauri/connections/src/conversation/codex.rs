//! What Codex does beyond the protocol, where it is a server: how it asks whether it may do something,
//! the answer that it reads, and how it tells that it still works.
//!
//! Source: `codex-rs/mcp-server` (`exec_approval.rs`, `patch_approval.rs`, `outgoing_message.rs`): the
//! answers that it reads hold a `decision`, and anything else, a correct `action: accept`, too, is a no
//! for it (codex #18268); it sends no progress.

use protocol::{CodexApproval, FormResult};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Tells of anything that happens during a call.
pub(super) const EVENT: &str = "codex/event";

#[derive(Deserialize)]
struct Happened {
    #[serde(rename = "_meta")]
    meta: Meta,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    request_id: u64,
}

/// During which request of ours something happened.
pub(super) fn request_of(params: &str) -> Option<u64> {
    let happened: Happened = serde_json::from_str(params).ok()?;
    Some(happened.meta.request_id)
}

/// What an elicitation is about, if it is one of Codex.
pub(super) fn approval(params: &Map<String, Value>) -> Option<CodexApproval> {
    params.get("codex_elicitation")?.as_str()?;
    let text = |key: &str| params.get(key).and_then(Value::as_str).map(str::to_owned);
    let command = params.get("codex_command").and_then(Value::as_array);
    let changes = params.get("codex_changes").and_then(Value::as_object);
    Some(CodexApproval {
        command: command.into_iter().flatten().map(argument).collect(),
        folder: text("codex_cwd"),
        changes: changes.cloned().unwrap_or_default(),
        writes_in: text("codex_grant_root"),
    })
}

/// What is no text is shown as it is, and never left out.
fn argument(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Says an answer in the words that Codex reads, beside those of the protocol.
pub(super) fn decide(answer: &mut Value, result: &FormResult) {
    answer["decision"] = match result {
        FormResult::Accept { .. } => json!("approved"),
        FormResult::Decline | FormResult::Cancel => json!("denied"),
    };
}
