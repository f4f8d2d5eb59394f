//! A page of a list of tools → their definitions, whole.

use protocol::{ToolName, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value};

/// One page.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page {
    tools: Vec<Tool>,
    next_cursor: Option<String>,
}

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
}

impl Page {
    /// The definitions, and where the next page begins.
    pub(crate) fn into_parts(self) -> (impl Iterator<Item = ToolSpec>, Option<String>) {
        let tools = self.tools.into_iter().map(|tool| ToolSpec {
            name: tool.name,
            title: tool.title,
            description: tool.description,
            input_schema: tool.input_schema,
            output_schema: tool.output_schema,
            annotations: tool.annotations,
            meta: tool.meta,
        });
        (tools, self.next_cursor)
    }
}

/// Reads one page.
pub(crate) fn page(value: Value) -> Result<Page, serde_json::Error> {
    serde_json::from_value(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_part_of_a_definition_is_kept_even_hints_nobody_knows() {
        let annotations = json!({"readOnlyHint": true, "costsHint": "much"});
        let read = page(json!({
            "tools": [{"name": "t", "inputSchema": {"type": "object", "x": 1}, "annotations": annotations, "_meta": {"a": [1]}}],
            "nextCursor": "2",
        }));
        let (tools, next) = read.unwrap().into_parts();
        let tools: Vec<_> = tools.collect();
        assert_eq!(Value::Object(tools[0].annotations.clone().unwrap()), annotations);
        assert_eq!(Value::Object(tools[0].meta.clone().unwrap()), json!({"a": [1]}));
        assert_eq!(next.as_deref(), Some("2"));
    }
}
