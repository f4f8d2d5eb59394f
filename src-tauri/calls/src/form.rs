//! Forms that servers ask people to fill in: flat objects of strings, numbers, booleans and
//! choices.

use serde_json::{Map, Value};

/// The values that a form has before anyone touches it: its defaults. Fields without one are left
/// out.
pub(crate) fn defaults(schema: &Map<String, Value>) -> Map<String, Value> {
    let fields = schema.get("properties").and_then(Value::as_object);
    fields
        .into_iter()
        .flatten()
        .filter_map(|(name, field)| {
            field
                .get("default")
                .map(|default| (name.clone(), default.clone()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn defaults_are_taken_from_the_schema_only() {
        let schema = map(
            json!({"properties": {"approve": {"type": "boolean", "default": true}, "note": {"type": "string"}}}),
        );
        assert_eq!(defaults(&schema), map(json!({"approve": true})));
        assert_eq!(defaults(&Map::new()), Map::new());
    }
}
