//! A result that wants something of its client first, in the words of 2026: what it wants, and what
//! the client brings back with the answers. And what a client is told that cannot wait.

use crate::route::InputRequest;
use crate::rpc_error::RpcError;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What a client brings along when it makes a request again.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Retry {
    /// What it gives, by the keys under which it was asked.
    pub input_responses: Option<Map<String, Value>>,
    /// Which request goes on.
    pub request_state: Option<String>,
}

/// What is wanted, by its keys.
pub(crate) fn requests(open: &[(String, InputRequest)]) -> Value {
    let one = |(key, wanted): &(String, InputRequest)| {
        let request = json!({"method": wanted.ask.method, "params": wanted.ask.params});
        (key.clone(), request)
    };
    Value::Object(open.iter().map(one).collect())
}

/// A result that wants this, and what is brought back with it.
pub(crate) fn result(requests: Value, state: &str) -> Value {
    json!({
        "resultType": "input_required",
        "inputRequests": requests,
        "requestState": state,
    })
}

/// What is brought back belongs to no call that waits for it.
pub(crate) fn unknown_state() -> RpcError {
    RpcError::invalid_params(
        "this requestState belongs to no call with these parameters that waits for input, or it waited too long; call again without it",
    )
}

/// What a client is told that waits without hearing anything, while a person has not decided. A model
/// reads it like a result.
pub(crate) fn still_asking() -> Value {
    let text = "A person is being asked about this call in Majordomo and has not decided yet. It has not failed: call again with the same arguments to wait for the result. It is carried out at most once.";
    json!({
        "content": [{"type": "text", "text": text}],
        "isError": true,
        "_meta": {"majordomo/code": "person_is_asked"},
    })
}
