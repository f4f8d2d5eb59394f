//! What a request says, whatever the service, and what every service refuses in it.

use serde_json::{Map, Value};

/// A request.
#[derive(Debug, Default)]
pub(crate) struct ReceivedRequest {
    pub(crate) turns: Vec<Turn>,
    /// The names of the calls that the model has wanted before.
    pub(crate) calls: Vec<String>,
    /// Replies beside each other are one for this service.
    pub(crate) joins_replies: bool,
    pub(crate) tools: Vec<(String, Value)>,
    /// There is a list of tools, and nothing in it.
    pub(crate) has_empty_tools: bool,
    pub(crate) bounds_output: bool,
}

/// Who speaks, one after the other.
#[derive(Debug, PartialEq)]
pub(crate) enum Turn {
    User,
    /// With the calls that it wants: their ids, or their names where there are none.
    Assistant(Vec<String>),
    /// Of these calls.
    Results(Vec<String>),
}

impl ReceivedRequest {
    /// Adds a turn. What the same side says again belongs to what it said before.
    pub(crate) fn add(&mut self, turn: Turn) {
        match (self.turns.last_mut(), turn) {
            (Some(Turn::User), Turn::User) => {}
            (Some(Turn::Assistant(calls)), Turn::Assistant(more)) if self.joins_replies => {
                calls.extend(more);
            }
            (Some(Turn::Results(calls)), Turn::Results(more)) => calls.extend(more),
            (_, turn) => self.turns.push(turn),
        }
    }

    pub(crate) fn add_call(&mut self, name: &str) {
        self.calls.push(name.to_owned());
    }

    pub(crate) fn add_tool(&mut self, tool: &Value, schema: &str) -> Result<(), String> {
        let name = text(tool, "name")?;
        let schema = tool.get(schema).cloned().unwrap_or(Value::Null);
        self.tools.push((name.to_owned(), schema));
        Ok(())
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        if !self.bounds_output {
            return Err("max_tokens: field required".to_owned());
        }
        if self.has_empty_tools {
            return Err("tools: too few".to_owned());
        }
        for (name, schema) in &self.tools {
            check_tool(name, schema)?;
        }
        self.calls.iter().try_for_each(|name| check_name(name))?;
        if self.turns.first() != Some(&Turn::User) {
            return Err("the first message must be the user's".to_owned());
        }
        let nothing = Vec::new();
        let mut open = &nothing;
        for turn in &self.turns {
            match turn {
                Turn::Results(of) if of == open && !of.is_empty() => open = &nothing,
                Turn::Results(of) => {
                    return Err(format!("results of {of:?}, but the calls were {open:?}"));
                }
                _ if !open.is_empty() => return Err(format!("{open:?} have no results")),
                Turn::Assistant(calls) => open = calls,
                Turn::User => {}
            }
        }
        if !open.is_empty() {
            return Err(format!("{open:?} have no results"));
        }
        if let Some(Turn::Assistant(_)) = self.turns.last() {
            return Err("the last message must not be the assistant's".to_owned());
        }
        Ok(())
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !(1..=64).contains(&name.len()) || !name.chars().all(plain) {
        return Err(format!("{name:?} is no name of a tool"));
    }
    Ok(())
}

fn check_tool(name: &str, schema: &Value) -> Result<(), String> {
    check_name(name)?;
    if schema.get("type") != Some(&Value::from("object")) {
        return Err(format!("the schema of {name} is not that of an object"));
    }
    if has_far_reference(schema) {
        return Err(format!("the schema of {name} refers to another document"));
    }
    Ok(())
}

fn has_far_reference(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => {
            let far = |(key, value): (&String, &Value)| {
                let reference = value.as_str().filter(|_| key == "$ref");
                reference.is_some_and(|to| !to.starts_with('#')) || has_far_reference(value)
            };
            map.iter().any(far)
        }
        Value::Array(list) => list.iter().any(has_far_reference),
        _ => false,
    }
}

/// A text field that has to be there.
pub(crate) fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str, String> {
    let text = value.get(field).and_then(Value::as_str);
    text.filter(|text| !text.is_empty())
        .ok_or(format!("{field}: field required"))
}

/// The entries of a list that may be absent.
pub(crate) fn list<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value
        .get(field)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// Whether a list is there and holds nothing.
pub(crate) fn is_empty_list(value: &Value, field: &str) -> bool {
    value
        .get(field)
        .and_then(Value::as_array)
        .is_some_and(Vec::is_empty)
}

/// A JSON object, as an event.
pub(crate) fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// A JSON object, as an event that has a name.
pub(crate) fn named(kind: &str, mut value: Value) -> String {
    if let Some(map) = value.as_object_mut() {
        let mut whole = Map::from_iter([("type".to_owned(), Value::from(kind))]);
        whole.append(map);
        *map = whole;
    }
    format!("event: {kind}\ndata: {value}\n\n")
}
