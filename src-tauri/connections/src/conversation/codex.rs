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

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    codex_command: Option<Vec<String>>,
    #[serde(default)]
    codex_cwd: Option<String>,
    #[serde(default)]
    codex_changes: Option<Map<String, Value>>,
    #[serde(default)]
    codex_grant_root: Option<String>,
}

/// What an elicitation is about, if it is one of Codex. Fails where it is and cannot be read whole:
/// what a person would not be shown, they are not asked about.
pub(super) fn approval(params: Map<String, Value>) -> serde_json::Result<Option<CodexApproval>> {
    if !params.contains_key("codex_elicitation") {
        return Ok(None);
    }
    let asked: Asked = serde_json::from_value(Value::Object(params))?;
    Ok(Some(CodexApproval {
        command: asked.codex_command.unwrap_or_default(),
        folder: asked.codex_cwd,
        changes: asked.codex_changes.unwrap_or_default(),
        writes_in: asked.codex_grant_root,
    }))
}

/// Says an answer in the words that Codex reads, beside those of the protocol.
pub(super) fn decide(answer: &mut Value, result: &FormResult) {
    answer["decision"] = match result {
        FormResult::Accept { .. } => json!("approved"),
        FormResult::Decline | FormResult::Cancel => json!("denied"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(params: Value) -> serde_json::Result<Option<CodexApproval>> {
        approval(params.as_object().cloned().unwrap())
    }

    #[test]
    fn what_cannot_be_read_whole_is_not_asked_about() {
        let kind = "exec-approval";
        for unreadable in [
            json!({"codex_elicitation": kind, "codex_command": "git push"}),
            json!({"codex_elicitation": kind, "codex_command": ["git", 1]}),
            json!({"codex_elicitation": kind, "codex_cwd": ["/"]}),
            json!({"codex_elicitation": kind, "codex_changes": ["/etc/passwd"]}),
            json!({"codex_elicitation": kind, "codex_grant_root": true}),
        ] {
            assert!(of(unreadable.clone()).is_err(), "{unreadable}");
        }
        let nothing = json!({"codex_elicitation": kind, "codex_grant_root": null});
        assert_eq!(of(nothing).unwrap(), Some(CodexApproval::default()));
        assert_eq!(of(json!({"codex_command": ["ls"]})).unwrap(), None);
    }
}
