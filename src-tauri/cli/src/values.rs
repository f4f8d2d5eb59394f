//! Arguments of a tool that were typed as `name=value`, read as the tool's schema says.
//!
//! Always true here: what is typed for a text stays as it is typed, and what does not fit is an error
//! that names the argument; nothing is left out.

use crate::args::Values;
use crate::input;
use crate::link::{self, Link};
use api::{ErrorCode, HostError, ListTools};
use protocol::{ServerId, ToolName};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io::Read as _;

/// The arguments for a tool of a server.
///
/// # Errors
/// `bad_request` where they cannot be read, and those of listing the tools.
pub(crate) async fn read(
    link: &Link,
    server: &ServerId,
    tool: &ToolName,
    typed: &Values,
) -> Result<Map<String, Value>, HostError> {
    if typed.values.is_empty() {
        return whole(typed.args.as_deref().unwrap_or("{}"));
    }
    let server = server.clone();
    let tools = link.ask(ListTools { server }).await?;
    // One that is not there has no schema; the call says so.
    let schema = tools
        .into_iter()
        .find(|view| view.spec.name == *tool)
        .map(|view| view.spec.input_schema)
        .unwrap_or_default();
    fitted(&typed.values, &schema)
}

/// All arguments as JSON, from the command line or from standard input.
fn whole(text: &str) -> Result<Map<String, Value>, HostError> {
    let usage = |problem: String| {
        link::error(
            ErrorCode::BadRequest,
            problem,
            "Give --args a JSON object such as '{\"path\": \"notes.txt\"}'.",
        )
    };
    let mut input = String::new();
    if text == "-" {
        input::piped()
            .read_to_string(&mut input)
            .map_err(|problem| usage(format!("standard input cannot be read: {problem}")))?;
    } else {
        input.push_str(text);
    }
    match serde_json::from_str(&input) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(usage("the arguments are not a JSON object".into())),
        Err(problem) => Err(usage(format!("the arguments are not JSON: {problem}"))),
    }
}

fn fitted(typed: &[String], schema: &Map<String, Value>) -> Result<Map<String, Value>, HostError> {
    let mut arguments = Map::new();
    for typed in typed {
        let Some((name, text)) = typed.split_once('=') else {
            return Err(unusable(format!("{typed:?} is not NAME=VALUE")));
        };
        let field = schema.get("properties").and_then(|all| all.get(name));
        let branches = field.map(branches).transpose().map_err(|unread| {
            unusable(format!(
                "what {name} is to be is said by `{unread}`, which is not read here; use --args"
            ))
        })?;
        let branches = branches.unwrap_or_default();
        let types = types(&branches);
        let is_list = types.contains("array") && !types.contains("string");
        if is_list && !text.trim_start().starts_with('[') {
            let items = branches.iter().find_map(|branch| branch.get("items"));
            let items = items.map(self::branches).transpose();
            let items = items
                .map_err(|_| unusable(format!("the list {name} is too much for NAME=VALUE")))?;
            let item = fitting(name, text, &self::types(&items.unwrap_or_default()))?;
            match arguments
                .entry(name)
                .or_insert_with(|| Value::Array(Vec::new()))
            {
                Value::Array(items) => items.push(item),
                _ => return Err(unusable(format!("{name} is there twice"))),
            }
            continue;
        }
        let value = fitting(name, text, &types)?;
        if arguments.insert(name.to_owned(), value).is_some() {
            return Err(unusable(format!("{name} is there twice")));
        }
    }
    Ok(arguments)
}

/// The schemas of which a value is to fit one: itself, or its alternatives.
///
/// # Errors
/// With the word by which it says something else, that is not read here.
fn branches(schema: &Value) -> Result<Vec<&Value>, &'static str> {
    const UNREAD: [&str; 6] = [
        "$ref",
        "$dynamicRef",
        "allOf",
        "not",
        "if",
        "dependentSchemas",
    ];
    if let Some(unread) = UNREAD.into_iter().find(|word| schema.get(word).is_some()) {
        return Err(unread);
    }
    let mut all = vec![schema];
    for several in [schema.get("anyOf"), schema.get("oneOf")] {
        for branch in several.and_then(Value::as_array).into_iter().flatten() {
            all.extend(branches(branch)?);
        }
    }
    Ok(all)
}

/// Which types of JSON they let a value have; none if they do not say.
fn types<'a>(branches: &[&'a Value]) -> BTreeSet<&'a str> {
    let mut types = BTreeSet::new();
    for branch in branches {
        match branch.get("type") {
            Some(Value::String(one)) => _ = types.insert(one.as_str()),
            Some(Value::Array(several)) => types.extend(several.iter().filter_map(Value::as_str)),
            _ => {}
        }
        let listed = branch.get("enum").and_then(Value::as_array);
        for value in listed.into_iter().flatten().chain(branch.get("const")) {
            types.insert(type_of(value));
        }
    }
    types
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A value of one of these types; of whatever it looks like where there are none.
fn fitting(name: &str, text: &str, types: &BTreeSet<&str>) -> Result<Value, HostError> {
    let read = || serde_json::from_str::<Value>(text).ok();
    let is_text = || Value::String(text.to_owned());
    let fits = |value: &Value| {
        let is = type_of(value);
        types.contains(is) || is == "number" && types.contains("integer")
    };
    if types.is_empty() {
        return Ok(read().unwrap_or_else(is_text));
    }
    if types.contains("string") {
        return Ok(is_text());
    }
    read().filter(fits).ok_or_else(|| {
        let types: Vec<&str> = types.iter().copied().collect();
        unusable(format!(
            "{name} is to be of the type {}, and {text:?} is not",
            types.join(" or ")
        ))
    })
}

fn unusable(problem: String) -> HostError {
    link::error(
        ErrorCode::BadRequest,
        problem,
        "Write arguments as NAME=VALUE, or all of them as JSON with --args.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(typed: &[&str]) -> Result<Value, String> {
        let schema = json!({"type": "object", "properties": {
            "text": {"type": "string"},
            "count": {"type": "integer"},
            "loud": {"type": ["boolean", "null"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "numbers": {"type": "array", "items": {"type": "number"}},
            "unit": {"anyOf": [{"const": "km"}, {"enum": ["m", "cm"]}]},
            "options": {"type": "object"},
            "maybe": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
            "one_or_more": {"type": ["string", "array"]},
            "named": {"$ref": "#/$defs/named"},
            "anything": {},
        }});
        let typed: Vec<String> = typed.iter().map(|one| (*one).to_owned()).collect();
        fitted(&typed, schema.as_object().unwrap())
            .map(Value::Object)
            .map_err(|error| error.message)
    }

    #[test]
    fn a_value_is_what_the_schema_says() {
        for (typed, meant) in [
            (&["text=12"][..], json!({"text": "12"})),
            (&["text=a=b"], json!({"text": "a=b"})),
            (&["text="], json!({"text": ""})),
            (
                &["count=12", "loud=true"],
                json!({"count": 12, "loud": true}),
            ),
            (&["loud=null"], json!({"loud": null})),
            (&["tags=a", "tags=1"], json!({"tags": ["a", "1"]})),
            (&[r#"tags=["a"]"#], json!({"tags": ["a"]})),
            (&["numbers=1.5"], json!({"numbers": [1.5]})),
            (&["unit=cm"], json!({"unit": "cm"})),
            (&[r#"options={"a": 1}"#], json!({"options": {"a": 1}})),
            (
                &["anything=3", "other=x y"],
                json!({"anything": 3, "other": "x y"}),
            ),
        ] {
            assert_eq!(read(typed), Ok(meant), "{typed:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (typed, said) in [
            (&["count=six"][..], "count"),
            (&["loud=1"], "loud"),
            (&["numbers=x"], "numbers"),
            (&["options=[1]"], "options"),
            (&["named=12"], "--args"),
            (&["text"], "NAME=VALUE"),
            (&["text=a", "text=b"], "twice"),
            (&[r#"tags=["a"]"#, "tags=["], "tags"),
        ] {
            let problem = read(typed).unwrap_err();
            assert!(problem.contains(said), "{typed:?}: {problem}");
        }
    }
}
