//! Reads one entry: what Claude Desktop, Cursor and VS Code write for one server.

use super::Parsed;
use crate::api::{DraftSetting, DraftTarget, DraftValue};
use inspect::{Masker, looks_secret};
use protocol::Secret;
use serde_json::{Map, Value};

/// What is read; every other key is passed over and named in the preview.
const READ: [&str; 9] = ["type", "command", "args", "env", "cwd", "url", "serverUrl", "httpUrl", "headers"];

pub(super) fn parse(source_name: String, value: &Value) -> Parsed {
    let Some(object) = value.as_object() else {
        return Parsed { source_name, target: Err("it is not an object".into()), ignored: Vec::new() };
    };
    let ignored = object.keys().filter(|key| !READ.contains(&key.as_str())).cloned().collect();
    Parsed { source_name, target: target(object), ignored }
}

fn target(object: &Map<String, Value>) -> Result<DraftTarget, String> {
    let url = ["url", "serverUrl", "httpUrl"].into_iter().find_map(|key| object.get(key));
    match (object.get("command"), url) {
        (Some(_), Some(_)) => Err("it has a command and an address; it should have one of them".into()),
        (Some(command), None) => Ok(DraftTarget::Stdio {
            command: text("command", command)?,
            args: match object.get("args") {
                None | Some(Value::Null) => Vec::new(),
                Some(Value::Array(items)) => items.iter().map(|item| scalar("args", item)).collect::<Result<_, _>>()?,
                Some(_) => return Err("args is not a list".into()),
            },
            env: settings("env", object.get("env"))?,
            cwd: object.get("cwd").filter(|cwd| !cwd.is_null()).map(|cwd| text("cwd", cwd)).transpose()?,
        }),
        (None, Some(url)) => Ok(DraftTarget::Http { url: text("url", url)?, headers: settings("headers", object.get("headers"))? }),
        (None, None) => Err("it has neither a command nor an address".into()),
    }
}

fn settings(key: &str, value: Option<&Value>) -> Result<Vec<DraftSetting>, String> {
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Object(map)) => map.iter().map(|(name, value)| Ok(setting(name, scalar(name, value)?))).collect(),
        Some(_) => Err(format!("{key} is not an object")),
    }
}

fn setting(name: &str, text: String) -> DraftSetting {
    let secret = looks_secret(name, &text) && text.len() >= Masker::SHORTEST;
    let value = if secret { DraftValue::NewSecret { value: Secret::new(text) } } else { DraftValue::Plain { text } };
    DraftSetting { name: name.to_owned(), value }
}

fn text(key: &str, value: &Value) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| format!("{key} is not a text"))
}

fn scalar(key: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(truth) => Ok(truth.to_string()),
        _ => Err(format!("{key} holds something that is not a text")),
    }
}
