//! The single values within the arguments of a call.

use super::value::parts;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Most values that are looked at in one call. Further ones are one concern of their own.
const MAX_LEAVES: usize = 256;
/// Deepest nesting that is looked at.
const MAX_DEPTH: usize = 32;

/// One value, with the name under which it stands.
#[derive(Debug, Clone)]
pub(crate) struct Leaf<'a> {
    /// The name of the argument, with those above it: `attachments.file_path`.
    pub path: Cow<'a, str>,
    /// The nearest name.
    pub name: Cow<'a, str>,
    /// The value as a text.
    pub text: Cow<'a, str>,
    /// Whether it is a text in the arguments too, and not a number or a truth value.
    pub is_text: bool,
}

/// All values of a call, and whether there were more than are looked at.
pub(crate) fn leaves(arguments: &Map<String, Value>) -> (Vec<Leaf<'_>>, bool) {
    let mut found = Vec::new();
    let complete = arguments.iter().all(|(name, value)| {
        let path = Cow::Borrowed(name.as_str());
        note_name(path.clone(), name, &mut found)
            && collect(path, name, value, MAX_DEPTH, &mut found)
    });
    (found, complete)
}

/// A name that addresses something is a value too: `{"members": {"a@b.example": "admin"}}`.
fn note_name<'a>(path: Cow<'a, str>, name: &'a str, found: &mut Vec<Leaf<'a>>) -> bool {
    parts(name).is_empty() || push(path.clone(), path, name.into(), true, found)
}

fn push<'a>(
    path: Cow<'a, str>,
    name: Cow<'a, str>,
    text: Cow<'a, str>,
    is_text: bool,
    found: &mut Vec<Leaf<'a>>,
) -> bool {
    if found.len() >= MAX_LEAVES {
        return false;
    }
    found.push(Leaf {
        path,
        name,
        text,
        is_text,
    });
    true
}

fn collect<'a>(
    path: Cow<'a, str>,
    name: &'a str,
    value: &'a Value,
    depth: usize,
    found: &mut Vec<Leaf<'a>>,
) -> bool {
    if depth == 0 {
        return false;
    }
    let (text, is_text) = match value {
        Value::Null => return true,
        Value::Array(items) => {
            return items
                .iter()
                .all(|item| collect(path.clone(), name, item, depth - 1, found));
        }
        Value::Object(map) => {
            return map.iter().all(|(key, item)| {
                let below = Cow::Owned(format!("{path}.{key}"));
                note_name(path.clone(), key, found) && collect(below, key, item, depth - 1, found)
            });
        }
        Value::String(text) if text.trim().is_empty() => return true,
        Value::String(text) => (Cow::Borrowed(text.as_str()), true),
        // The same amount with and without its empty fraction.
        Value::Number(number) => {
            let amount = number.to_string();
            (amount.trim_end_matches(".0").to_owned().into(), false)
        }
        other => (other.to_string().into(), false),
    };
    push(path, name.into(), text, is_text, found)
}
