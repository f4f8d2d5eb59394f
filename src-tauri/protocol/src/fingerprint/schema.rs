//! JSON Schema within a definition, with the lists put in order whose order has no meaning.
//!
//! Always true here: only places that JSON Schema itself reads as schemas are touched; defaults,
//! examples, constants and all data of a server stay as they came.

use serde_json::{Map, Value};

/// Fields of a definition that hold a schema.
const SCHEMAS: [&str; 2] = ["inputSchema", "outputSchema"];
/// Keywords whose value is a schema.
const ONE: [&str; 12] = [
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];
/// Keywords whose value is a list of schemas.
const SEVERAL: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords whose value is a map of schemas by name.
const NAMED: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];
/// Keywords whose value is a set, written as a list.
const SETS: [&str; 3] = ["required", "enum", "type"];
/// Deeper than this nothing is put in order; a difference there counts.
const DEEPEST: usize = 64;

/// A definition with the sets of its schemas in one order, so that two that mean the same are
/// equal.
pub fn settled(definition: &Map<String, Value>) -> Map<String, Value> {
    let mut settled = definition.clone();
    for schema in SCHEMAS {
        if let Some(Value::Object(schema)) = settled.get_mut(schema) {
            settle(schema, 0);
        }
    }
    settled
}

fn settle(schema: &mut Map<String, Value>, depth: usize) {
    if depth == DEEPEST {
        return;
    }
    for (keyword, value) in schema {
        let keyword = keyword.as_str();
        match value {
            Value::Object(one) if ONE.contains(&keyword) => settle(one, depth + 1),
            Value::Object(named) if NAMED.contains(&keyword) => {
                for value in named.values_mut() {
                    if let Value::Object(one) = value {
                        settle(one, depth + 1);
                    }
                }
            }
            Value::Array(several) if SEVERAL.contains(&keyword) => {
                for value in several {
                    if let Value::Object(one) = value {
                        settle(one, depth + 1);
                    }
                }
            }
            Value::Array(set) if SETS.contains(&keyword) => {
                set.sort_by_cached_key(super::canonical_json)
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fingerprint;
    use serde_json::json;

    fn fingerprint(schema: Value) -> Fingerprint {
        let Value::Object(definition) = json!({"name": "a", "inputSchema": schema}) else {
            panic!("it is an object")
        };
        Fingerprint::of_definition(&definition)
    }

    #[test]
    fn the_order_of_a_set_does_not_matter_wherever_the_schema_lies() {
        let one = json!({"required": ["a", "b"], "properties": {"a": {"enum": [1, 2], "items": {"anyOf": [{"type": ["string", "null"]}]}}}});
        let two = json!({"properties": {"a": {"items": {"anyOf": [{"type": ["null", "string"]}]}, "enum": [2, 1]}}, "required": ["b", "a"]});
        assert_eq!(fingerprint(one), fingerprint(two));
    }

    #[test]
    fn the_order_of_data_and_of_alternatives_matters() {
        for (one, two) in [
            (
                json!({"default": {"required": ["a", "b"]}}),
                json!({"default": {"required": ["b", "a"]}}),
            ),
            (
                json!({"properties": {"a": {"examples": [1, 2]}}}),
                json!({"properties": {"a": {"examples": [2, 1]}}}),
            ),
            (
                json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
                json!({"anyOf": [{"type": "null"}, {"type": "string"}]}),
            ),
            (json!({"required": ["a"]}), json!({"required": ["a", "a"]})),
        ] {
            assert_ne!(fingerprint(one), fingerprint(two));
        }
    }
}
