//! A tool's result → the parts of an answer.

use protocol::{Content, ToolResult};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Result {
    #[serde(default)]
    content: Vec<Value>,
    structured_content: Option<Value>,
    #[serde(default)]
    is_error: Option<bool>,
}

/// Reads a result. A part that is of no known kind, or lacks what its kind needs, is kept as it
/// came.
pub(crate) fn tool_result(value: Value) -> std::result::Result<ToolResult, serde_json::Error> {
    let result: Result = super::object(value)?;
    Ok(ToolResult {
        content: result.content.into_iter().map(part).collect(),
        structured: result.structured_content,
        is_error: result.is_error.unwrap_or(false),
        notes: Vec::new(),
    })
}

/// Reads one part of a result or message.
pub(crate) fn part(value: Value) -> Content {
    let Value::Object(mut map) = value else {
        return Content::Unknown { value };
    };
    match known(&mut map) {
        Some(content) => content,
        None => Content::Unknown {
            value: Value::Object(map),
        },
    }
}

/// Takes the texts out only when all that must be there is there.
fn known(map: &mut Map<String, Value>) -> Option<Content> {
    match map.get("type")?.as_str()? {
        "text" => Some(Content::Text {
            text: take(map, "text")?,
        }),
        "image" if has(map, "data") => Some(Content::Image {
            mime_type: take(map, "mimeType")?,
            data: take(map, "data")?,
        }),
        "audio" if has(map, "data") => Some(Content::Audio {
            mime_type: take(map, "mimeType")?,
            data: take(map, "data")?,
        }),
        "resource_link" if has(map, "uri") => Some(Content::ResourceLink {
            name: take(map, "name")?,
            uri: take(map, "uri")?,
            title: take(map, "title"),
            description: take(map, "description"),
            mime_type: take(map, "mimeType"),
        }),
        "resource" => resource(map.get_mut("resource")?.as_object_mut()?),
        _ => None,
    }
}

/// Reads what came of a resource.
pub(super) fn resource(map: &mut Map<String, Value>) -> Option<Content> {
    // Exactly one of the two; otherwise it is not known which of them is meant.
    if has(map, "text") == has(map, "blob") {
        return None;
    }
    Some(Content::Resource {
        uri: take(map, "uri")?,
        mime_type: take(map, "mimeType"),
        text: take(map, "text"),
        blob: take(map, "blob"),
    })
}

fn has(map: &Map<String, Value>, key: &str) -> bool {
    map.get(key).is_some_and(Value::is_string)
}

fn take(map: &mut Map<String, Value>, key: &str) -> Option<String> {
    match map.get_mut(key)? {
        Value::String(text) => Some(std::mem::take(text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::anything::{json as any_json, nearly};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn every_kind_of_content_arrives_as_itself() {
        let read = tool_result(json!({"content": [
            {"type": "text", "text": "a"},
            {"type": "image", "data": "AA==", "mimeType": "image/png"},
            {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
            {"type": "resource_link", "uri": "file:///a", "name": "a"},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "x"}},
            {"type": "resource", "resource": {"uri": "file:///a", "blob": "AA==", "mimeType": "x/y"}},
        ], "structuredContent": {"n": 1}, "isError": true}))
        .unwrap();
        assert!(read.is_error);
        assert_eq!(read.structured, Some(json!({"n": 1})));
        assert!(
            !read
                .content
                .iter()
                .any(|part| matches!(part, Content::Unknown { .. })),
            "{:?}",
            read.content
        );
    }

    #[test]
    fn a_list_is_no_result() {
        assert!(tool_result(json!([[{"type": "text", "text": "a"}], null, false])).is_err());
    }

    #[test]
    fn what_is_not_known_is_kept_as_it_came() {
        let parts = [
            json!({"type": "hologram", "data": "AA=="}),
            json!({"type": "image", "data": "AA=="}),
            json!({"type": "resource", "resource": {"uri": "u", "text": "x", "blob": "AA=="}}),
            json!({"type": "resource_link", "uri": "u"}),
            json!(7),
        ];
        let read = tool_result(json!({ "content": parts })).unwrap();
        for (part, value) in read.content.into_iter().zip(parts) {
            assert_eq!(part, Content::Unknown { value });
        }
    }

    proptest! {
        #[test]
        fn no_result_brings_it_down_and_no_part_of_one_is_lost(
            value in prop_oneof![any_json(), nearly(json!({"content": [{"type": "text", "text": "a"}], "structuredContent": 1, "isError": true}))],
        ) {
            if let Ok(read) = tool_result(value.clone()) {
                prop_assert_eq!(read.content.len(), value.get("content").and_then(Value::as_array).map_or(0, Vec::len));
            }
        }

        #[test]
        fn a_part_of_no_known_kind_is_kept_as_it_came(value in any_json()) {
            if let Content::Unknown { value: kept } = part(value.clone()) {
                prop_assert_eq!(kept, value);
            }
        }
    }
}
