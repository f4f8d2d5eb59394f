//! The single values within the arguments of a call.

use super::text::name_words;
use super::value::parts;
use serde_json::{Map, Value};

/// Most values that are looked at in one call. Further ones are one concern of their own.
const MAX_LEAVES: usize = 256;
/// Deepest nesting that is looked at.
const MAX_DEPTH: usize = 32;

/// One value, with the name under which it stands.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    /// The name of the argument, with those above it: `attachments.file_path`.
    pub path: String,
    /// The words of the nearest name.
    pub name: Vec<String>,
    /// The value as a text.
    pub text: String,
    /// Whether it is a text in the arguments too, and not a number or a truth value.
    pub is_text: bool,
}

/// All values of a call, and whether there were more than are looked at.
pub(crate) fn leaves(arguments: &Map<String, Value>) -> (Vec<Leaf>, bool) {
    let mut found = Vec::new();
    let complete = arguments.iter().all(|(name, value)| {
        note_name(name, name, &mut found) && collect(name, name, value, MAX_DEPTH, &mut found)
    });
    (found, complete)
}

/// A name that addresses something is a value too: `{"members": {"a@b.example": "admin"}}`.
fn note_name(path: &str, name: &str, found: &mut Vec<Leaf>) -> bool {
    parts(name).is_empty() || push(path, path, name.to_owned(), true, found)
}

fn push(path: &str, name: &str, text: String, is_text: bool, found: &mut Vec<Leaf>) -> bool {
    if found.len() >= MAX_LEAVES {
        return false;
    }
    found.push(Leaf {
        path: path.to_owned(),
        name: name_words(name),
        text,
        is_text,
    });
    true
}

fn collect(path: &str, name: &str, value: &Value, depth: usize, found: &mut Vec<Leaf>) -> bool {
    if depth == 0 {
        return false;
    }
    let (text, is_text) = match value {
        Value::Null => return true,
        Value::Array(items) => {
            return items
                .iter()
                .all(|item| collect(path, name, item, depth - 1, found));
        }
        Value::Object(map) => {
            return map.iter().all(|(key, item)| {
                note_name(path, key, found)
                    && collect(&format!("{path}.{key}"), key, item, depth - 1, found)
            });
        }
        Value::String(text) if text.trim().is_empty() => return true,
        Value::String(text) => (text.clone(), true),
        // The same amount with and without its empty fraction.
        Value::Number(number) => (number.to_string().trim_end_matches(".0").to_owned(), false),
        other => (other.to_string(), false),
    };
    push(path, name, text, is_text, found)
}
