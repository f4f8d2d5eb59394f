//! A configuration as a text, in which entries are written and taken out.
//!
//! Always true here:
//! - what is written was read again, and means what it meant before with the change and nothing
//!   else; otherwise it is refused;
//! - a byte order mark, the ends of lines, comments and the order of what is there stay.

mod json;
mod toml;
mod yaml;

use crate::import::text;
use serde_json::{Map, Value};

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// JSON, with comments and trailing commas as editors write it.
    Json,
    Toml,
    Yaml,
}

/// Where servers stand in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The keys that lead there.
    pub keys: &'static [&'static str],
    /// Whether they are a list, in which each holds its own name, rather than a map.
    pub is_list: bool,
}

/// Something that is done to the servers of a document.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change<'a> {
    /// Writes an entry, in place of one of the same name.
    Put(&'a str, &'a Value),
    /// Takes an entry out. One that is not there may stay away.
    Take(&'a str),
}

const MARK: char = '\u{feff}';

/// What a text means. An empty one is an empty document.
///
/// # Errors
/// A sentence.
pub(super) fn read(notation: Notation, text: &str) -> Result<Value, String> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let value = match notation {
        Notation::Json => text::json::value(text),
        Notation::Toml => text::toml::table(text).map(Value::Object),
        Notation::Yaml => text::yaml::value(text),
    };
    match value.map_err(|error| error.message)? {
        Value::Null => Ok(Value::Object(Map::new())),
        value @ Value::Object(_) => Ok(value),
        _ => Err("it is not a map of settings".into()),
    }
}

/// The entry of a name, as it is in a document.
pub(super) fn entry<'a>(document: &'a Value, place: Place, name: &str) -> Option<&'a Value> {
    let servers = place
        .keys
        .iter()
        .try_fold(document, |value, key| value.get(key))?;
    if place.is_list {
        servers.as_array()?.iter().find(|one| is_named(one, name))
    } else {
        servers.get(name)
    }
}

fn is_named(entry: &Value, name: &str) -> bool {
    entry.get("name").and_then(Value::as_str) == Some(name)
}

/// The text with the changes made in it.
///
/// # Errors
/// A sentence, where the text cannot be read or its form cannot be kept.
pub(super) fn edit(
    notation: Notation,
    text: &str,
    place: Place,
    changes: &[Change<'_>],
) -> Result<String, String> {
    let before = read(notation, text)?;
    let mut expected = before.clone();
    for change in changes {
        make(&mut expected, place, *change)?;
    }
    if expected == before {
        return Ok(text.to_owned());
    }
    let plain = text.strip_prefix(MARK);
    let edited = match notation {
        Notation::Json => json::edit(plain.unwrap_or(text), place, changes),
        Notation::Toml => toml::edit(plain.unwrap_or(text), place, changes),
        Notation::Yaml => yaml::edit(plain.unwrap_or(text), place, changes),
    }?;
    // Whatever an editor makes of a text that it does not expect ends here.
    let after = read(notation, &edited).ok();
    if after.map(|after| settled(after, place)) != Some(settled(expected, place)) {
        return Err("the entry does not fit into it without changing something else".into());
    }
    Ok(if plain.is_some() {
        format!("{MARK}{edited}")
    } else {
        edited
    })
}

/// A document in which no servers are the same as none: an empty table leaves no trace in TOML.
fn settled(mut document: Value, place: Place) -> Value {
    let Some((last, above)) = place.keys.split_last() else {
        return document;
    };
    let folder = above
        .iter()
        .try_fold(&mut document, |value, key| value.get_mut(key));
    if let Some(Value::Object(map)) = folder {
        let is_empty = |value: &Value| match value {
            Value::Object(servers) => servers.is_empty(),
            Value::Array(servers) => servers.is_empty(),
            other => other.is_null(),
        };
        if map.get(*last).is_some_and(is_empty) {
            map.shift_remove(*last);
        }
    }
    document
}

/// Makes a change in what a document means.
fn make(document: &mut Value, place: Place, change: Change<'_>) -> Result<(), String> {
    let mut servers = document;
    for (at, key) in place.keys.iter().enumerate() {
        let map = servers.as_object_mut().ok_or_else(|| not_servers(key))?;
        let is_last = at + 1 == place.keys.len();
        let missing = if is_last && place.is_list {
            Value::Array(Vec::new())
        } else {
            Value::Object(Map::new())
        };
        if matches!(change, Change::Take(_)) && map.get(*key).is_none_or(Value::is_null) {
            return Ok(());
        }
        let inner = map.entry(*key).or_insert(Value::Null);
        // `extensions:` without anything behind it is an empty map.
        if inner.is_null() {
            *inner = missing;
        }
        servers = inner;
    }
    match (servers, place.is_list) {
        (Value::Object(map), false) => match change {
            Change::Put(name, entry) => _ = map.insert(name.to_owned(), entry.clone()),
            Change::Take(name) => _ = map.shift_remove(name),
        },
        (Value::Array(list), true) => match change {
            Change::Put(name, entry) => {
                let entry = with_name(name, entry);
                match list.iter_mut().find(|one| is_named(one, name)) {
                    Some(there) => *there = entry,
                    None => list.push(entry),
                }
            }
            Change::Take(name) => list.retain(|one| !is_named(one, name)),
        },
        _ => return Err(not_servers(place.keys.last().copied().unwrap_or_default())),
    }
    Ok(())
}

/// An entry of a list, which holds its own name first.
fn with_name(name: &str, entry: &Value) -> Value {
    let mut named = Map::from_iter([("name".to_owned(), Value::from(name))]);
    let fields = entry.as_object().cloned().unwrap_or_default();
    named.extend(fields.into_iter().filter(|(key, _)| key != "name"));
    Value::Object(named)
}

fn not_servers(key: &str) -> String {
    format!("{key} is not what it should be there")
}

/// What a person can put into a file themselves.
pub(super) fn snippet(notation: Notation, place: Place, name: &str, entry: &Value) -> String {
    let beginning = match notation {
        Notation::Json => "{}",
        Notation::Toml | Notation::Yaml => "",
    };
    edit(notation, beginning, place, &[Change::Put(name, entry)]).unwrap_or_default()
}
