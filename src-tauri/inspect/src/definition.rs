//! A tool's definition as MCP writes it, read for inspection.

use protocol::ToolSpec;
use serde_json::{Map, Value};

/// A definition that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// It is no JSON object.
    #[error("a tool is written as a JSON object")]
    NotAnObject,
    /// It has no name, or one that is no text.
    #[error("a tool needs a name")]
    NoName,
    /// A field has another type than MCP gives it.
    #[error("{field} has the wrong type")]
    WrongType {
        /// Which one.
        field: &'static str,
    },
}

/// Reads MCP's JSON form of a tool. A field that is absent or null is none; a field of the wrong
/// type is an error.
pub fn definition(tool: Value) -> Result<ToolSpec, DefinitionError> {
    let Value::Object(mut fields) = tool else {
        return Err(DefinitionError::NotAnObject);
    };
    let Some(Value::String(name)) = fields.remove("name") else {
        return Err(DefinitionError::NoName);
    };
    Ok(ToolSpec {
        name: name.as_str().into(),
        title: text(&mut fields, "title")?,
        description: text(&mut fields, "description")?,
        input_schema: object(&mut fields, "inputSchema")?.unwrap_or_default(),
        output_schema: object(&mut fields, "outputSchema")?,
        annotations: object(&mut fields, "annotations")?,
        meta: object(&mut fields, "_meta")?,
        extra: fields,
    })
}

fn text(
    fields: &mut Map<String, Value>,
    field: &'static str,
) -> Result<Option<String>, DefinitionError> {
    match fields.remove(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(DefinitionError::WrongType { field }),
    }
}

fn object(
    fields: &mut Map<String, Value>,
    field: &'static str,
) -> Result<Option<Map<String, Value>>, DefinitionError> {
    match fields.remove(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map)),
        Some(_) => Err(DefinitionError::WrongType { field }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_definition_is_read_with_every_field_it_has() {
        let tool = definition(
            json!({"name": "a", "description": "b", "inputSchema": {"c": 1}, "icons": [], "annotations": null}),
        );
        let tool = tool.unwrap();
        assert_eq!(
            (tool.name.as_str(), tool.description.as_deref()),
            ("a", Some("b"))
        );
        assert!(
            tool.input_schema.contains_key("c")
                && tool.extra.contains_key("icons")
                && tool.annotations.is_none()
        );
    }

    #[test]
    fn a_malformed_definition_is_an_error() {
        assert_eq!(definition(json!([])), Err(DefinitionError::NotAnObject));
        assert_eq!(definition(json!({"name": 1})), Err(DefinitionError::NoName));
        assert_eq!(
            definition(json!({"name": "a", "inputSchema": []})),
            Err(DefinitionError::WrongType {
                field: "inputSchema"
            })
        );
    }
}
