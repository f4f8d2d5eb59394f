//! Arguments of a tool that also travel as headers over HTTP (`x-mcp-header`, 2026-07-28), so that
//! what lies in between can route by them.
//!
//! Always true here: an annotation that is not exactly as the specification has it makes the whole
//! tool unusable over HTTP, and so do more of them, or deeper ones, than a request has room for.
//! Which definition they are read from is the caller's: for a call, the one in its permission.

use serde_json::{Map, Value};

const ANNOTATION: &str = "x-mcp-header";
/// How many arguments of one tool may travel as headers, and how long the way to one of them and its
/// header's name may be, in bytes.
const MOST: usize = 64;
const LONGEST: usize = 1024;

/// Which arguments of one tool travel as headers.
#[derive(Debug, Default, PartialEq)]
pub struct HeaderParameters(Vec<(Vec<String>, String)>);

impl HeaderParameters {
    /// Reads the annotations of a schema, or says what is wrong with one.
    pub fn read(schema: &Map<String, Value>) -> Result<Self, String> {
        if schema.contains_key(ANNOTATION) {
            return Err("the schema itself is annotated".to_owned());
        }
        let mut found = Vec::new();
        collect(schema, &mut Vec::new(), &mut found)?;
        let mut names: Vec<_> = found
            .iter()
            .map(|(_, name)| name.to_ascii_lowercase())
            .collect();
        names.sort();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("two arguments want the header {}", pair[0])),
            None => Ok(Self(found)),
        }
    }

    /// Whether the same arguments travel as the same headers.
    pub fn is_same(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|one| other.0.contains(one))
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The headers for these arguments, without their prefix, their values as text. What is absent
    /// or null is left out.
    pub fn of(&self, arguments: &Map<String, Value>) -> Vec<(String, String)> {
        let each = self.each(arguments);
        each.filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }

    /// Every header, without its prefix, with the value that it has for these arguments; nothing
    /// where it is to be left out.
    pub fn each<'a>(
        &'a self,
        arguments: &'a Map<String, Value>,
    ) -> impl Iterator<Item = (&'a str, Option<String>)> {
        self.0
            .iter()
            .map(|(path, name)| (name.as_str(), look(arguments, path).and_then(text)))
    }
}

fn look<'a>(arguments: &'a Map<String, Value>, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    let mut value = arguments.get(first)?;
    for key in rest {
        value = value.get(key)?;
    }
    Some(value)
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        // A whole number may be written with a point.
        Value::Number(number) => number
            .as_f64()
            .filter(|float| float.fract() == 0.0 && float.abs() < 9.0e15)
            .map(|float| format!("{float:.0}")),
        _ => None,
    }
}

/// Walks along `properties`; an annotation anywhere else is a mistake.
fn collect(
    schema: &Map<String, Value>,
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, String)>,
) -> Result<(), String> {
    for (key, value) in schema {
        match (key.as_str(), value) {
            (ANNOTATION, _) => found.push(annotation(value, schema, path, found.len())?),
            ("properties", Value::Object(properties)) => {
                for (property, inner) in properties {
                    if let Value::Object(inner) = inner {
                        path.push(property.clone());
                        collect(inner, path, found)?;
                        path.pop();
                    }
                }
            }
            // What stands there is data, not schema.
            ("default" | "const" | "enum" | "examples", _) => {}
            _ if annotated(value) => {
                return Err(format!("{key} holds an annotation where no argument is"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn annotation(
    value: &Value,
    schema: &Map<String, Value>,
    path: &[String],
    before: usize,
) -> Result<(Vec<String>, String), String> {
    if before >= MOST {
        return Err(format!("more than {MOST} arguments want a header"));
    }
    if path.iter().map(String::len).sum::<usize>() > LONGEST {
        return Err(format!(
            "an argument that wants a header is called by more than {LONGEST} bytes"
        ));
    }
    Ok((path.to_vec(), name(value, schema, &path.join("."))?))
}

fn annotated(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.contains_key(ANNOTATION) || map.values().any(annotated),
        Value::Array(items) => items.iter().any(annotated),
        _ => false,
    }
}

fn name(value: &Value, schema: &Map<String, Value>, place: &str) -> Result<String, String> {
    let Some(name) = value.as_str().filter(|name| !name.is_empty()) else {
        return Err(format!("the header of {place} has no name"));
    };
    if name.len() > LONGEST {
        return Err(format!("the header of {place} has a name that is too long"));
    }
    if !name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    {
        return Err(format!(
            "the header of {place} has a name that cannot be sent"
        ));
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string" | "integer" | "boolean") => Ok(name.to_owned()),
        _ => Err(format!("{place} is no text, whole number or truth value")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(properties: Value) -> Result<HeaderParameters, String> {
        let Value::Object(schema) = json!({ "type": "object", "properties": properties }) else {
            unreachable!()
        };
        HeaderParameters::read(&schema)
    }

    #[test]
    fn annotated_arguments_become_headers_wherever_they_are_nested() {
        let parameters = read(json!({
            "region": { "type": "string", "x-mcp-header": "Region" },
            "n": { "type": "integer", "x-mcp-header": "N" },
            "flag": { "type": "boolean", "x-mcp-header": "Flag" },
            "deep": { "type": "object", "properties": { "id": { "type": "string", "x-mcp-header": "Id" } } },
            "absent": { "type": "string", "x-mcp-header": "Absent" },
        }))
        .unwrap();
        let Value::Object(arguments) = json!({ "region": "eu", "n": 3.0, "flag": true, "deep": { "id": "x" }, "absent": null })
        else {
            unreachable!()
        };
        let headers = parameters.of(&arguments);
        let expected = [("Region", "eu"), ("N", "3"), ("Flag", "true"), ("Id", "x")];
        assert_eq!(
            headers,
            expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }

    #[test]
    fn an_annotation_that_is_not_as_it_should_be_makes_the_tool_unusable() {
        for wrong in [
            json!({ "a": { "type": "string", "x-mcp-header": "" } }),
            json!({ "a": { "type": "string", "x-mcp-header": 7 } }),
            json!({ "a": { "type": "string", "x-mcp-header": "a b" } }),
            json!({ "a": { "type": "string", "x-mcp-header": "a:\r\nB" } }),
            json!({ "a": { "type": "number", "x-mcp-header": "A" } }),
            json!({ "a": { "type": "array", "x-mcp-header": "A" } }),
            json!({ "a": { "x-mcp-header": "A" } }),
            json!({ "a": { "type": "array", "items": { "type": "string", "x-mcp-header": "A" } } }),
            json!({ "a": { "type": "string", "x-mcp-header": "A" }, "b": { "type": "string", "x-mcp-header": "a" } }),
            json!({ "a": { "anyOf": [{ "type": "string", "x-mcp-header": "A" }] } }),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn headers_that_no_request_has_room_for_make_the_tool_unusable() {
        let many = |count: usize| {
            let annotated = |n| json!({ "type": "string", "x-mcp-header": format!("H{n}") });
            let all = (0..count).map(|n| (format!("a{n}"), annotated(n)));
            Value::Object(all.collect())
        };
        assert!(read(many(MOST)).is_ok());
        assert!(read(many(MOST + 1)).is_err());
        let deep = json!({ "x".repeat(2 * LONGEST): { "type": "object", "properties": many(2) } });
        assert!(read(deep).is_err());
        let long = json!({ "a": { "type": "string", "x-mcp-header": "x".repeat(2 * LONGEST) } });
        assert!(read(long).is_err());
    }

    proptest! {
        #[test]
        fn a_header_that_is_made_can_be_sent(name in "\\PC{0,12}", kind in "string|integer|boolean|number|") {
            let read = read(json!({ "a": { "type": kind, "x-mcp-header": name } }));
            prop_assert!(read.is_err() || name.bytes().all(|byte| byte.is_ascii_graphic()));
        }
    }
}
