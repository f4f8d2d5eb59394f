//! A tool's result → the parts of an answer.
//!
//! Always true here: a field that has no word of ours, or is not what that word means, stays in
//! `extra` as it came.

use super::{beside, fields};
use protocol::{Content, ToolResult};
use serde::de::Error as _;
use serde_json::{Map, Value};

/// Reads a result. A part that is of no known kind, or lacks what its kind needs, is kept as it
/// came.
pub(crate) fn tool_result(value: Value) -> Result<ToolResult, serde_json::Error> {
    let mut map = fields(value)?;
    let content = match map.remove("content") {
        Some(Value::Array(parts)) => parts,
        Some(other) => serde_json::from_value(other)?,
        None => Vec::new(),
    };
    let is_error = match map.get("isError") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(is_error)) => *is_error,
        Some(_) => {
            return Err(serde_json::Error::custom(
                "isError is neither true nor false",
            ));
        }
    };
    if is_error {
        map.remove("isError");
    }
    let has_structured = map.get("structuredContent").is_some_and(|it| !it.is_null());
    let structured = has_structured.then(|| map.remove("structuredContent"));
    Ok(ToolResult {
        content: content.into_iter().map(part).collect(),
        structured: structured.flatten(),
        is_error,
        notes: Vec::new(),
        extra: beside(map),
    })
}

/// Reads one part of a result or message.
pub(super) fn part(value: Value) -> Content {
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

/// Takes the fields out only when all that must be there is there.
fn known(map: &mut Map<String, Value>) -> Option<Content> {
    let kind = map.get("type")?.as_str()?;
    match kind {
        "text" if has(map, &["text"]) => Some(Content::Text {
            text: take(map, "text")?,
            extra: rest(map),
        }),
        "image" if has(map, &["data", "mimeType"]) => Some(Content::Image {
            data: take(map, "data")?,
            mime_type: take(map, "mimeType")?,
            extra: rest(map),
        }),
        "audio" if has(map, &["data", "mimeType"]) => Some(Content::Audio {
            data: take(map, "data")?,
            mime_type: take(map, "mimeType")?,
            extra: rest(map),
        }),
        "resource_link" if has(map, &["uri", "name"]) => Some(Content::ResourceLink {
            uri: take(map, "uri")?,
            name: take(map, "name")?,
            title: take(map, "title"),
            description: take(map, "description"),
            mime_type: take(map, "mimeType"),
            extra: rest(map),
        }),
        "resource" => {
            let mut content = resource(map.get_mut("resource")?.as_object_mut()?)?;
            map.remove("resource");
            if let Content::Resource { extra, .. } = &mut content {
                *extra = rest(map);
            }
            Some(content)
        }
        _ => None,
    }
}

/// Reads what came of a resource.
pub(super) fn resource(map: &mut Map<String, Value>) -> Option<Content> {
    // Exactly one of the two; otherwise it is not known which of them is meant.
    if !has(map, &["uri"]) || has(map, &["text"]) == has(map, &["blob"]) {
        return None;
    }
    Some(Content::Resource {
        uri: take(map, "uri")?,
        mime_type: take(map, "mimeType"),
        text: take(map, "text"),
        blob: take(map, "blob"),
        extra: Map::new(),
        resource_extra: std::mem::take(map),
    })
}

fn has(map: &Map<String, Value>, keys: &[&str]) -> bool {
    keys.iter()
        .all(|key| map.get(*key).is_some_and(Value::is_string))
}

/// All that is left but the kind.
fn rest(map: &mut Map<String, Value>) -> Map<String, Value> {
    map.remove("type");
    std::mem::take(map)
}

/// Takes a field out if it is a text.
fn take(map: &mut Map<String, Value>, key: &str) -> Option<String> {
    if !has(map, &[key]) {
        return None;
    }
    match map.remove(key)? {
        Value::String(text) => Some(text),
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
        assert!(read.is_error && read.extra.is_empty());
        assert_eq!(read.structured, Some(json!({"n": 1})));
        assert!(
            !read
                .content
                .iter()
                .any(|part| matches!(part, Content::Unknown { .. })),
            "{:?}",
            read.content
        );
        assert!(
            read.content
                .iter()
                .flat_map(Content::extras)
                .all(Map::is_empty)
        );
    }

    #[test]
    fn what_has_no_word_here_is_kept_beside_what_has_one() {
        let read = tool_result(json!({
            "content": [
                {"type": "text", "text": "a", "_meta": {"a.b/c": 1}, "annotations": {"audience": ["user"]}},
                {"type": "resource_link", "uri": "file:///a", "name": "a", "title": null, "size": 3, "icons": []},
                {"type": "resource", "resource": {"uri": "file:///a", "text": "x", "_meta": {"d": 1}}, "annotations": {}},
            ],
            "structuredContent": null, "isError": false, "_meta": {"a.b/c": [1]}, "later": true,
        }))
        .unwrap();
        let extras: Vec<_> = read.content.iter().flat_map(Content::extras).collect();
        assert_eq!(
            json!([extras, read.extra, read.structured]),
            json!([
                [
                    {"_meta": {"a.b/c": 1}, "annotations": {"audience": ["user"]}},
                    {"title": null, "size": 3, "icons": []},
                    {"annotations": {}},
                    {"_meta": {"d": 1}},
                ],
                {"structuredContent": null, "isError": false, "_meta": {"a.b/c": [1]}, "later": true},
                null,
            ])
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
