//! A definition in a list of tools → ours, whole.

use protocol::{ToolName, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    name: ToolName,
    title: Option<String>,
    description: Option<String>,
    input_schema: Map<String, Value>,
    output_schema: Option<Map<String, Value>>,
    annotations: Option<Map<String, Value>>,
    #[serde(rename = "_meta")]
    meta: Option<Map<String, Value>>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

/// Reads one definition.
pub(crate) fn tool(value: Value) -> Result<ToolSpec, serde_json::Error> {
    let Tool {
        name,
        title,
        description,
        input_schema,
        output_schema,
        annotations,
        meta,
        extra,
    } = serde_json::from_value(value)?;
    Ok(ToolSpec {
        name,
        title,
        description,
        input_schema,
        output_schema,
        annotations,
        meta,
        extra,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::anything::{json as any_json, nearly};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn every_part_of_a_definition_is_kept_even_what_nobody_knows() {
        let annotations = json!({"readOnlyHint": true, "costsHint": "much"});
        let read = tool(json!({
            "name": "t", "inputSchema": {"type": "object", "x": 1}, "annotations": annotations, "_meta": {"a": [1]},
            "execution": {"taskSupport": "required"}, "icons": [],
        }))
        .unwrap();
        assert_eq!(Value::Object(read.annotations.unwrap()), annotations);
        assert_eq!(Value::Object(read.meta.unwrap()), json!({"a": [1]}));
        assert_eq!(
            Value::Object(read.extra),
            json!({"execution": {"taskSupport": "required"}, "icons": []})
        );
    }

    proptest! {
        #[test]
        fn no_definition_brings_it_down(
            value in prop_oneof![any_json(), nearly(json!({"name": "t", "inputSchema": {}, "annotations": {}, "_meta": {}, "icons": []}))],
        ) {
            // What is read is read whole: its schema is the one that came.
            if let Ok(read) = tool(value.clone()) {
                prop_assert_eq!(Some(&Value::Object(read.input_schema)), value.get("inputSchema"));
                prop_assert_eq!(Some(read.name.as_str()), value["name"].as_str());
            }
        }
    }
}
