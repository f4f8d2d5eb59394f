//! Any JSON that a server might send, for the readers beside this: made of the names that they look
//! for, so that it comes far.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

const KEYS: [&str; 40] = [
    "_meta",
    "annotations",
    "arguments",
    "blob",
    "capabilities",
    "completion",
    "completions",
    "content",
    "contents",
    "data",
    "description",
    "extensions",
    "hasMore",
    "inputSchema",
    "instructions",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/tasks",
    "isError",
    "level",
    "listChanged",
    "logger",
    "messages",
    "mimeType",
    "name",
    "nextCursor",
    "outputSchema",
    "prompts",
    "protocolVersion",
    "required",
    "resource",
    "resources",
    "role",
    "serverInfo",
    "structuredContent",
    "supportedVersions",
    "text",
    "tools",
    "ttlMs",
    "type",
    "uri",
];

const TEXTS: [&str; 10] = [
    "",
    "text",
    "image",
    "audio",
    "resource",
    "resource_link",
    "2026-07-28",
    "2025-11-25",
    "debug",
    "user",
];

/// Texts that mean something somewhere, and any other.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(&TEXTS[..]).prop_map(str::to_owned),
        "\\PC{0,8}"
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|float| json!(float)),
        text().prop_map(Value::from),
    ]
}

/// Any JSON.
pub(super) fn json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(5, 64, 8, |inner| {
        let key = prop_oneof![4 => prop::sample::select(&KEYS[..]).prop_map(str::to_owned), 1 => text()];
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            3 => prop::collection::vec((key, inner), 0..8).prop_map(|all| Value::Object(all.into_iter().collect())),
        ]
    })
}

/// Something that is well formed, with a few of its parts replaced by anything or missing.
pub(super) fn nearly(whole: Value) -> impl Strategy<Value = Value> {
    let parts = whole.as_object().cloned().unwrap_or_default();
    let changes = prop::collection::vec(prop::option::of(prop::option::of(json())), parts.len());
    changes.prop_map(move |changes| {
        let changed =
            parts.clone().into_iter().zip(changes).filter_map(
                |((key, part), change)| match change {
                    None => Some((key, part)),
                    Some(change) => change.map(|other| (key, other)),
                },
            );
        Value::Object(changed.collect::<Map<_, _>>())
    })
}
