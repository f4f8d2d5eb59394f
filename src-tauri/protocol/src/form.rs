//! Whether a form is one: a flat list of fields, each a text, a number, a yes or no, or a choice
//! (MCP elicitation, restricted schemas).
//!
//! Always true here: what a person would not see as a field of its own is no part of a flat form.

use crate::Form;
use serde_json::{Map, Value};

/// What puts a schema together out of others, and may stand in none of a flat form.
const APART: &[&str] = &[
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "unevaluatedProperties",
    "propertyNames",
    "unevaluatedItems",
    "prefixItems",
    "contains",
];

impl Form {
    /// Whether every field is one of the kinds that the protocol knows, and lies where a person
    /// sees it.
    pub fn is_flat(&self) -> bool {
        let object = self.schema.get("type").is_none_or(|kind| kind == "object");
        let alone = !["oneOf", "anyOf", "items"]
            .iter()
            .any(|key| self.schema.contains_key(*key));
        let closed = self
            .schema
            .get("additionalProperties")
            .is_none_or(Value::is_boolean);
        let fields = match self.schema.get("properties") {
            None => true,
            Some(Value::Object(fields)) => fields.values().all(is_field),
            Some(_) => false,
        };
        object && alone && closed && fields && !is_put_together(&self.schema)
    }

    /// Its fields, each with its name, in the order in which the server gave them.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Value)> {
        let fields = self.schema.get("properties").and_then(Value::as_object);
        fields
            .into_iter()
            .flatten()
            .map(|(name, field)| (name.as_str(), field))
    }

    /// The values that it has before anyone touches it. Fields without a default are left out. Whoever
    /// sends them has shown them.
    pub fn defaults(&self) -> Map<String, Value> {
        self.fields()
            .filter_map(|(name, field)| Some((name.to_owned(), field.get("default")?.clone())))
            .collect()
    }
}

fn is_field(field: &Value) -> bool {
    let Value::Object(field) = field else {
        return false;
    };
    match field.get("type").and_then(Value::as_str) {
        Some("array") => {
            let items = field.get("items").and_then(Value::as_object);
            is_plain(field)
                && !field.contains_key("oneOf")
                && !field.contains_key("anyOf")
                && items.is_some_and(is_value)
        }
        _ => !field.contains_key("items") && is_value(field),
    }
}

/// A text, a number, a yes or no, or a choice among such.
fn is_value(field: &Map<String, Value>) -> bool {
    let kind = match field.get("type") {
        None => true,
        Some(Value::String(kind)) => matches!(
            kind.as_str(),
            "string" | "number" | "integer" | "boolean" | "null"
        ),
        Some(_) => false,
    };
    let alternatives = ["oneOf", "anyOf"]
        .iter()
        .filter_map(|key| field.get(*key))
        .all(|alternatives| {
            let Value::Array(alternatives) = alternatives else {
                return false;
            };
            let plain = |one: &Map<String, Value>| {
                !one.contains_key("oneOf") && !one.contains_key("anyOf") && is_value(one)
            };
            alternatives
                .iter()
                .all(|one| one.as_object().is_some_and(plain))
        });
    kind && alternatives && !field.contains_key("items") && is_plain(field)
}

fn is_plain(field: &Map<String, Value>) -> bool {
    !field.contains_key("properties")
        && !field.contains_key("additionalProperties")
        && !is_put_together(field)
}

fn is_put_together(schema: &Map<String, Value>) -> bool {
    APART.iter().any(|key| schema.contains_key(*key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn is_flat(schema: Value) -> bool {
        Form {
            message: String::new(),
            schema: schema.as_object().cloned().unwrap(),
            codex: None,
        }
        .is_flat()
    }

    fn with(field: Value) -> bool {
        is_flat(
            json!({"type": "object", "properties": {"value": field}, "required": ["value"], "additionalProperties": false}),
        )
    }

    #[test]
    fn defaults_are_those_of_its_fields() {
        let of = |schema: Value| Form {
            message: String::new(),
            schema: schema.as_object().cloned().unwrap(),
            codex: None,
        };
        let form = of(json!({
            "properties": {"approve": {"type": "boolean", "default": true}, "note": {"type": "string"}},
            "default": {"note": "x"},
        }));
        assert_eq!(Value::Object(form.defaults()), json!({"approve": true}));
        assert!(of(json!({})).defaults().is_empty());
    }

    #[test]
    fn the_fields_that_the_protocol_knows_are_flat() {
        assert!(
            is_flat(json!({}))
                && is_flat(json!({"type": "object", "properties": {}, "title": "A form"}))
        );
        for field in [
            json!({"type": "string", "title": "Name", "minLength": 1, "format": "email", "default": "a@b.example"}),
            json!({"type": "integer", "minimum": 0}),
            json!({"type": "boolean", "default": true}),
            json!({"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]}),
            json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}]}),
            json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "maxItems": 2}),
            json!({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}], "default": null}),
        ] {
            assert!(with(field.clone()), "{field}");
        }
    }

    #[test]
    fn what_lies_deeper_or_elsewhere_is_not() {
        for field in [
            json!({"type": "object", "properties": {"password": {"type": "string"}}}),
            json!({"properties": {"password": {"type": "string"}}}),
            json!({"type": ["string", "object"]}),
            json!({"$ref": "#/$defs/a"}),
            json!({"type": "string", "allOf": [{"title": "Password"}]}),
            json!({"type": "array", "items": {"type": "object"}}),
            json!({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}),
            json!({"type": "array"}),
            json!({"anyOf": [{"type": "object"}]}),
            json!({"anyOf": [{"anyOf": [{"type": "string"}]}]}),
            json!({"anyOf": {}}),
            json!(true),
        ] {
            assert!(!with(field.clone()), "{field}");
        }
        for schema in [
            json!({"type": "string"}),
            json!({"properties": []}),
            json!({"$ref": "#/$defs/form"}),
            json!({"anyOf": [{"properties": {}}]}),
            json!({"additionalProperties": {"type": "string", "title": "Password"}}),
            json!({"patternProperties": {".": {"type": "string"}}}),
        ] {
            assert!(!is_flat(schema.clone()), "{schema}");
        }
    }
}
