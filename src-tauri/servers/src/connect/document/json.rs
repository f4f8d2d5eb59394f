//! JSON as editors write it: comments, trailing commas and the indentation stay. A map on one line
//! is broken into lines when something is added.

use super::{Change, Place, not_servers};
use crate::import::text::json;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

pub(super) fn edit(text: &str, place: Place, changes: &[Change<'_>]) -> Result<String, String> {
    json::check_depth(text).map_err(|error| error.message)?;
    let root = CstRootNode::parse(text, &json::options()).map_err(|problem| problem.to_string())?;
    let mut servers = root
        .object_value_or_create()
        .ok_or("it is not a map of settings")?;
    for key in place.keys {
        servers = inner(&servers, key)?;
    }
    for change in changes {
        match *change {
            Change::Put(name, entry) => match servers.get(name) {
                Some(there) => there.set_value(input(entry)),
                None => _ = servers.append(name, input(entry)),
            },
            Change::Take(name) => {
                if let Some(there) = servers.get(name) {
                    there.remove();
                }
            }
        }
    }
    Ok(root.to_string())
}

fn inner(object: &CstObject, key: &str) -> Result<CstObject, String> {
    object
        .object_value_or_create(key)
        .ok_or_else(|| not_servers(key))
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(truth) => CstInputValue::Bool(*truth),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(map) => CstInputValue::Object(
            map.iter()
                .map(|(key, value)| (key.clone(), input(value)))
                .collect(),
        ),
    }
}
