//! Resources and their templates in a list, and what is read of one → our words.

use super::tool_result::resource as contents;
use protocol::{Content, ResourceResult, ResourceSpec, TemplateSpec};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource {
    uri: String,
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    mime_type: Option<String>,
    size: Option<Value>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Template {
    uri_template: String,
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    mime_type: Option<String>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

/// Reads one entry of a list. A resource without a name is called by its address.
pub(crate) fn resource(value: Value) -> Result<ResourceSpec, serde_json::Error> {
    let Resource {
        uri,
        name,
        title,
        description,
        mime_type,
        size,
        mut extra,
    } = serde_json::from_value(value)?;
    let bytes = size.as_ref().and_then(Value::as_u64);
    if let (Some(size), None) = (size, bytes) {
        extra.insert("size".to_owned(), size);
    }
    let name = name.unwrap_or_else(|| uri.clone());
    Ok(ResourceSpec {
        uri,
        name,
        title,
        description,
        mime_type,
        size: bytes,
        extra,
    })
}

/// Reads one entry of a list of templates.
pub(crate) fn template(value: Value) -> Result<TemplateSpec, serde_json::Error> {
    let Template {
        uri_template,
        name,
        title,
        description,
        mime_type,
        extra,
    } = serde_json::from_value(value)?;
    let name = name.unwrap_or_else(|| uri_template.clone());
    Ok(TemplateSpec {
        uri_template,
        name,
        title,
        description,
        mime_type,
        extra,
    })
}

/// Reads what a server sent of a resource. A part that is neither text nor bytes is kept as it
/// came.
pub(crate) fn resource_answer(value: Value) -> Result<ResourceResult, serde_json::Error> {
    #[derive(Deserialize)]
    struct Read {
        contents: Vec<Value>,
        #[serde(flatten)]
        extra: Map<String, Value>,
    }
    let read: Read = super::object(value)?;
    let part = |value: Value| {
        let Value::Object(mut map) = value else {
            return Content::Unknown { value };
        };
        contents(&mut map).unwrap_or(Content::Unknown {
            value: Value::Object(map),
        })
    };
    Ok(ResourceResult {
        contents: read.contents.into_iter().map(part).collect(),
        notes: Vec::new(),
        extra: super::beside(read.extra),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::anything::{json as any_json, nearly};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn text_and_bytes_are_told_apart_and_the_rest_is_kept() {
        let read = resource_answer(json!({"contents": [
            {"uri": "a:1", "text": "x", "_meta": {"a": 1}}, {"uri": "a:2", "blob": "AA==", "mimeType": "x/y"}, {"uri": "a:3"},
        ]}));
        let read = read.unwrap().contents;
        assert!(
            matches!(&read[0], Content::Resource { text: Some(text), resource_extra, .. } if text == "x" && resource_extra.contains_key("_meta"))
        );
        assert!(matches!(&read[1], Content::Resource { blob: Some(_), .. }));
        assert!(matches!(&read[2], Content::Unknown { .. }));
    }

    #[test]
    fn a_resource_keeps_what_nobody_knows_and_is_called_by_its_address_if_it_has_no_name() {
        let read =
            resource(json!({"uri": "a:1", "size": 3, "annotations": {"priority": 1}})).unwrap();
        assert_eq!((read.name.as_str(), read.size), ("a:1", Some(3)));
        assert_eq!(
            Value::Object(read.extra),
            json!({"annotations": {"priority": 1}})
        );
    }

    proptest! {
        #[test]
        fn no_resource_brings_it_down(
            value in prop_oneof![any_json(), nearly(json!({"uri": "a:1", "name": "a", "size": 1, "mimeType": "x/y", "annotations": {}}))],
        ) {
            if let Ok(read) = resource(value.clone()) {
                prop_assert_eq!(Some(read.uri.as_str()), value["uri"].as_str());
            }
        }

        #[test]
        fn no_template_brings_it_down(value in prop_oneof![any_json(), nearly(json!({"uriTemplate": "a:{b}", "name": "a", "title": "A"}))]) {
            if let Ok(read) = template(value.clone()) {
                prop_assert_eq!(Some(read.uri_template.as_str()), value["uriTemplate"].as_str());
            }
        }

        #[test]
        fn no_reading_brings_it_down_and_no_part_of_one_is_lost(
            value in prop_oneof![any_json(), nearly(json!({"contents": [{"uri": "a:1", "text": "x"}]})), any_json().prop_map(|part| json!({"contents": [part]}))],
        ) {
            if let Ok(read) = resource_answer(value.clone()) {
                prop_assert_eq!(Some(read.contents.len()), value["contents"].as_array().map(Vec::len));
            }
        }
    }
}
